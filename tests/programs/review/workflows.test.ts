import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { recordingFile } from "../../contract/report/support/preview";
import { type Asked, serving } from "../../contract/report/support/server";
import {
  expectFailure,
  expectOk,
  newStack,
  type Stack,
  simulated,
  testHome,
} from "../../engine/support/stack";
import type { TestApi } from "../../support/api";
import { freePort } from "../../support/free-port";
import { serve } from "../../support/local-server";
import { blockAround, blockBehind, jobIn } from "../../support/workflow";

/** The commands of examples/ci, run unchanged in a repository with the packed packages. */

const GITHUB = "examples/ci/github/workflows";
const GITLAB = "examples/ci/gitlab/.gitlab-ci.yml";
const AZURE = "examples/ci/azure/azure-pipelines.yml";

const small = `new clouddb.Service("analytics", {
  provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});`;
const open = small.replace("203.0.113.0/24", "0.0.0.0/0");

const COMMIT = "0123456789abcdef";
const RUN_URL = "https://ci.example/runs/1";

/**
 * A job of a pipeline: a stack with the packed packages, and the variables that the platforms set.
 */
async function newJob(program = "", api?: TestApi): Promise<Stack> {
  const job = await newStack(api ?? (await simulated()), program);
  symlinkSync(join(testHome(), "node_modules"), join(job.folder, "node_modules"));
  job.environment({
    HEAD: COMMIT,
    RUN_URL,
    RUNNER_TEMP: job.folder,
    GITHUB_OUTPUT: join(job.folder, "output"),
    GITHUB_SHA: COMMIT,
    GITHUB_STEP_SUMMARY: join(job.folder, "summary.md"),
    CI_COMMIT_SHA: COMMIT,
    CI_JOB_URL: RUN_URL,
    CI_PIPELINE_URL: RUN_URL,
    AGENT_TEMPDIRECTORY: job.folder,
    BUILD_BUILDID: "2",
    SYSTEM_COLLECTIONURI: "https://azure.example/",
    SYSTEM_TEAMPROJECTID: "1",
    SYSTEM_PULLREQUEST_SOURCECOMMITID: COMMIT,
  });
  return job;
}

/** Runs the commands of a step as a platform does. */
const step = (job: Stack, script: string) => job.command("bash", "-e", "-c", script);
const read = (job: Stack, file: string) => readFileSync(join(job.folder, file), "utf8");

function git(job: Stack, ...args: string[]): Promise<string> {
  return expectOk(
    job.command("git", "-c", "user.name=t", "-c", "user.email=t@example.com", ...args),
  );
}

/**
 * A repository whose last commit merges a change of the policies' settings, with or without former
 * settings.
 */
async function merge(job: Stack, before: object | undefined, after: object): Promise<void> {
  const commit = async (settings: object | undefined, message: "before" | "after") => {
    if (settings) {
      writeFileSync(join(job.folder, "policies.json"), JSON.stringify(settings));
      await git(job, "add", "policies.json");
    }
    await git(job, "commit", "--quiet", "--allow-empty", "--message", message);
  };
  await git(job, "init", "--quiet", "--initial-branch", "main");
  await commit(before, "before");
  await git(job, "checkout", "--quiet", "-b", "change");
  await commit(after, "after");
  await git(job, "checkout", "--quiet", "main");
  await git(job, "merge", "--quiet", "--no-ff", "--message", "merge", "change");
}

test.each([
  [`${GITHUB}/preview.yml`, "preview", "comment", "pull-requests: write"],
  [GITLAB, "preview", "note", "name: notes"],
  [AZURE, "preview", "comment", "SYSTEM_ACCESSTOKEN"],
])("%s: the program does not run where the posting token is", (file, runs, posts, token) => {
  const [program, comment] = [jobIn(file, runs), jobIn(file, posts)];
  expect(program).toMatch(/clouddb-report run/);
  expect(program).not.toMatch(/clouddb-report post|ACCESSTOKEN|GITLAB_TOKEN|github\.token|: write/);
  expect(comment).toContain(token);
  expect(comment).toMatch(/base\.sha|checkout --quiet --force --detach/);
  expect(comment).not.toMatch(/clouddb-report run|pulumi (?:preview|up)/);
});

test("preview.yml: policies stop a bad change, whatever its own settings are", async () => {
  const job = await newJob(open);
  await merge(job, { "capacity-budget": { maxTotalGb: 40 } }, { all: "disabled" });
  expect(await step(job, blockBehind(`${GITHUB}/preview.yml`, "- name: Preview"))).toMatchObject({
    code: 2,
  });
  const report = read(job, "report.md");
  expect(report).toContain("❌ <code>no-open-access</code> failed");
  expect(report).toContain("❌ <code>capacity-budget</code> failed");
  expect(report).toContain(`Commit <code>0123456789ab</code> · [run](${RUN_URL})`);
  expect(read(job, "summary.md")).toBe(report);
});

test("deploy.yml: the update enforces the policies and the preview's plan before it creates anything", async () => {
  const api = await simulated();
  const job = await newJob(open, api);
  await merge(job, {}, {});
  const plan = join(job.folder, "plan/plan.json");
  mkdirSync(join(job.folder, "plan"));
  const [preview = "", update = ""] = ["Preview", "Update"].map((name) =>
    blockBehind(`${GITHUB}/deploy.yml`, `- name: ${name}`),
  );
  await expectOk(job.preview("--save-plan", plan));
  expect(await expectFailure(step(job, update))).toContain("no-open-access");

  job.program(small);
  await expectOk(step(job, preview.replace("plan.json", plan)));
  job.program(small.replace("maxReplicaMemoryGb: 16", "maxReplicaMemoryGb: 24"));
  expect(await expectFailure(step(job, update))).toMatch(/analytics violates plan/);
  expect(await api.services()).toEqual([]);
  job.program(small);
  await expectOk(step(job, update));
  expect(await api.services()).toHaveLength(1);
});

test.each([
  ["preview.yml", blockBehind(`${GITHUB}/preview.yml`, "- name: Preview")],
  ["azure-pipelines.yml", blockAround(AZURE, "displayName: Preview")],
])("%s: a missing base commit is not a base without settings", async (_, script) => {
  const job = await newJob(small);
  await merge(job, undefined, { all: "disabled" });
  await expectOk(step(job, script));
  expect(read(job, "report.md")).toContain(
    "> The base branch has no policies.json: the policies ran with their default settings.",
  );
  await git(job, "checkout", "--quiet", "--detach", "HEAD^1");
  expect(await step(job, script)).toEqual({
    code: 1,
    output: expect.stringContaining("The base commit is missing"),
  });
});

test("report-fork.yml: if the job ended without events, the comment of the repository's stack says that it failed", async () => {
  const job = await newJob();
  const bin = join(job.folder, "bin");
  mkdirSync(bin);
  const names = { GITHUB_REPOSITORY: "example/shop", FORK: "other/shop", HEAD: "abc", RUN: "1" };
  job.environment({ ...names, PATH: `${bin}:${process.env.PATH}` });
  const pull = {
    number: 7,
    state: "open",
    base: { repo: { full_name: "example/shop" } },
    head: { sha: "abc" },
  };
  const script = blockBehind(`${GITHUB}/report-fork.yml`, "- name: Report");
  /** Reports with a stand-in for `gh`, which downloads the events in this way. */
  const report = async (download: string) => {
    const answer = `if [[ $1 == api ]]; then echo '${JSON.stringify([pull])}'; else ${download}; fi`;
    writeFileSync(join(bin, "gh"), `#!/bin/bash\n${answer}\n`);
    chmodSync(join(bin, "gh"), 0o755);
    const { code } = await step(job, script);
    return [code, read(job, "report.md")];
  };

  const missing = await report("echo 'no artifact matches any of the names' >&2; exit 1");
  expect(missing).toEqual([
    1,
    expect.stringMatching(/^<!-- clouddb-report shop%2Ffork -->\n\n> Preview of a fork/),
  ]);
  expect(missing[1]).toContain("error: the preview job ended before it uploaded its events.");
  expect(read(job, "output")).toBe("pull-request=7\n");

  const events = recordingFile("policies-disabled");
  const whole = await report(`mkdir -p events; cp ${events} events/events.ndjson`);
  expect(whole).toEqual([
    0,
    expect.stringMatching(/^<!-- clouddb-report shop%2Ffork -->\n[\s\S]*1 to create/),
  ]);
  const several = await report(`mkdir -p events; cat ${events} ${events} > events/events.ndjson`);
  expect(several).toEqual([1, expect.stringContaining("The input contains 2 previews")]);

  writeFileSync(join(bin, "gh"), "#!/bin/bash\nexit 1\n");
  expect(await step(job, script)).toMatchObject({ code: 1 });
});

test("the GitLab jobs: the preview fails if a policy does, and the note says so, or that there is no report", async () => {
  const bodies: string[] = [];
  const gitlab = await serving(({ method, path, body }: Asked) => {
    if (path === "/user") return { status: 200, body: { id: 7 } };
    if (method === "GET") return { status: 200, body: [] };
    bodies.push(String(body.body));
    return { status: 201, body: { id: 1 } };
  });
  try {
    const job = await newJob(open);
    await merge(job, undefined, {});
    const preview = blockAround(GITLAB, "base=$(git rev-parse");
    expect(await step(job, preview)).toMatchObject({ code: 1 });
    await git(job, "update-ref", "FETCH_HEAD", "HEAD^1");
    expect(await step(job, preview)).toMatchObject({ code: 2 });

    job.environment({
      CI_API_V4_URL: gitlab.url,
      CI_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "5",
      GITLAB_TOKEN: "token",
      no_proxy: "127.0.0.1",
      PULUMI_STACK: undefined,
    });
    await expectOk(
      step(job, blockAround(GITLAB, "for stack in").replace("staging production", "dev missing")),
    );
    expect(bodies).toEqual([
      expect.stringContaining("❌ <code>no-open-access</code> failed"),
      expect.stringMatching(
        /^<!-- clouddb-report test%2Fmissing -->[\s\S]*ended before it wrote its report/,
      ),
    ]);
    expect(bodies[0]).toContain("> The target branch has no policies.json");
    expect(bodies[0]).toContain(`[run](${RUN_URL})`);
  } finally {
    gitlab.close();
  }
});

test.each([
  ["drift.yml", blockBehind(`${GITHUB}/drift.yml`, "- name: Check for drift"), "report.md"],
  [".gitlab-ci.yml", blockAround(GITLAB, "--fail-on drift"), "drift-dev.md"],
])(
  "%s: a check exits with 2 if there is drift or the check fails, and its report says why",
  async (_, script, file) => {
    const api = await simulated();
    const job = await newJob(small, api);
    await expectOk(job.up());
    const check = async () => [(await step(job, script)).code, read(job, file)];

    expect(await check()).toEqual([0, expect.stringContaining("no changes")]);
    const [service] = await api.services();
    await api.change("PATCH", `/${service?.id}/replicaScaling`, { numReplicas: 4 });
    expect(await check()).toEqual([2, expect.stringContaining("<code>3</code> → <code>4</code>")]);
    job.environment({ CLOUDDB_KEY_SECRET: "wrong", CLOUDDB_ACCESS_TOKEN: undefined });
    expect(await check()).toEqual([2, expect.stringContaining("**The preview failed**")]);
  },
);

/** The step that starts the simulator, with a port of its own: tests run side by side. */
function startOfSimulator(job: Stack, port: number): string {
  const key = { CLOUDDB_KEY_ID: "ci", CLOUDDB_KEY_SECRET: "no-secret" };
  job.environment({ CLOUDDB_BASE_URL: `http://127.0.0.1:${port}`, ...key });
  return blockBehind(`${GITHUB}/test.yml`, "- name: Start the simulator").replace(
    "4010",
    String(port),
  );
}

test("test.yml: if the simulator cannot start, its step fails and says why", async () => {
  const [port, job] = [await serve(createServer((socket) => socket.destroy())), await newJob()];
  const failed = await step(job, startOfSimulator(job, port));
  expect(failed).toEqual({
    code: 1,
    output: expect.stringMatching(/port \d+ is in use; choose another with --port/),
  });
});

test("test.yml: the simulator is ready after its step", async () => {
  const [port, job] = [await freePort(), await newJob()];
  const start = startOfSimulator(job, port);
  const { code, output } = await step(job, `${start}\necho "process $!"`);
  const pid = Number(/^process (\d+)$/m.exec(output)?.[1]);
  try {
    expect(code).toBe(0);
    expect((await fetch(`http://127.0.0.1:${port}/__admin/health`)).status).toBe(200);
    job.program(
      'new clouddb.Service("analytics", { region: "us-east-1" }, { retainOnDelete: true });',
    );
    await expectOk(job.up());
  } finally {
    process.kill(pid, "SIGTERM");
  }
});
