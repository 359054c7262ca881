import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { recordingFile } from "../../contract/report/support/preview";
import { type Asked, azureServer, serving } from "../../contract/report/support/server";
import {
  expectFailure,
  expectOk,
  newStack,
  type Stack,
  simulated,
  testHome,
} from "../../engine/support/stack";
import type { TestApi } from "../../support/api";
import { freePort, serve } from "../../support/local-server";
import { blockAround, blockBehind, jobIn } from "../../support/workflow";

/** The commands of pipelines, run unchanged in a repository with the packed packages. */

const GITHUB = "examples/ci/github/workflows";
const STACKS = ".github/workflows/stacks.yml";
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
    GITHUB_RUN_ID: "1",
    GITHUB_REPOSITORY: "example/shop",
    OPERATION: "preview",
    FAIL_ON: "policy",
    GROUP: "databases",
    POLICY_PACK: "node_modules/pulumi-clouddb-policies",
    POLICY_SETTINGS: "policies.json",
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
const step = (job: Stack, script: string) => job.command("bash", "-eo", "pipefail", "-c", script);
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
  [STACKS, "preview", "report", "pull-requests: write"],
  [GITLAB, "preview", "note", "name: notes"],
  [AZURE, "preview", "comment", "SYSTEM_ACCESSTOKEN"],
])("%s: the program runs in no job with the posting token", (file, runs, posts, token) => {
  const [program, comment] = [jobIn(file, runs), jobIn(file, posts)];
  expect(program).toMatch(/clouddb-report run/);
  expect(program).not.toMatch(
    /clouddb-report post|ACCESSTOKEN|GITLAB_TOKEN|github\.token|(?<!id-token): write/,
  );
  expect(comment).toContain(token);
  expect(comment).toMatch(/base\.sha|checkout --quiet --force --detach/);
  expect(comment).not.toMatch(/clouddb-report run|pulumi (?:preview|up)|secrets\.|id-token/);
});

test("stacks.yml: policies stop a bad change, even if the change weakens their settings", async () => {
  const job = await newJob(open);
  await merge(job, { "capacity-budget": { maxTotalGb: 40 } }, { all: "disabled" });
  const preview = blockBehind(STACKS, "- name: Preview");
  expect(await step(job, preview)).toMatchObject({ code: 2 });
  const report = read(job, "summary.md");
  expect(report).toContain("❌ <code>no-open-access</code> failed (critical)");
  expect(report).toContain("❌ <code>capacity-budget</code> failed (medium)");
  expect(report).toContain(`Commit <code>0123456789ab</code> · [run](${RUN_URL})`);
  expect(JSON.parse(read(job, "reports/dev.json"))).toMatchObject({ stacks: [{ stack: "dev" }] });

  // A merge queue that squashes: the commit has one parent, and the event names the base.
  await git(job, "reset", "--quiet", "--soft", "HEAD^1");
  await git(job, "commit", "--quiet", "--message", "squashed");
  const base = await git(job, "rev-parse", "HEAD^1");
  job.environment({ BASE: base.trim() });
  expect(await step(job, preview)).toMatchObject({ code: 2 });
  job.environment({ BASE: "0".repeat(40) });
  expect(await step(job, preview)).toMatchObject({ code: 1 });
});

test("stacks.yml: the update enforces the policies and the preview's plan before any creation", async () => {
  const api = await simulated();
  const job = await newJob(open, api);
  await merge(job, {}, {});
  const plan = join(job.folder, "plan/plan.json");
  mkdirSync(join(job.folder, "plan"));
  const [preview = "", update = ""] = ["Preview", "Update"].map((name) =>
    blockBehind(STACKS, `- name: ${name}`),
  );
  job.environment({ OPERATION: "deploy", FAIL_ON: "failed" });
  await job.preview("--save-plan", plan);
  expect(await expectFailure(step(job, update))).toContain("no-open-access");

  job.program(small);
  await expectOk(step(job, preview.replace("$RUNNER_TEMP/plan.json", plan)));
  job.program(small.replace("maxReplicaMemoryGb: 16", "maxReplicaMemoryGb: 24"));
  expect(await expectFailure(step(job, update))).toMatch(/analytics violates plan/);
  expect(await api.services()).toEqual([]);
  job.program(small);
  await expectOk(step(job, update));
  expect(await api.services()).toHaveLength(1);

  // Without settings, a deployment enforces the defaults.
  rmSync(join(job.folder, "policies.json"));
  await expectOk(step(job, preview.replace("$RUNNER_TEMP/plan.json", plan)));
  expect(read(job, "summary.md")).toContain("> There is no policies.json");
  await expectOk(step(job, update));
  job.program(open);
  await job.preview("--save-plan", plan);
  expect(await expectFailure(step(job, update))).toContain("no-open-access");
});

test.each([
  ["stacks.yml", blockBehind(STACKS, "- name: Preview"), "summary.md", "> The base branch has no"],
  ["azure-pipelines.yml", blockAround(AZURE, "displayName: Preview"), "report.json", '"policies"'],
])(
  "%s: a missing base commit fails instead of using no settings",
  async (_, script, file, text) => {
    const job = await newJob(small);
    await merge(job, undefined, { all: "disabled" });
    await expectOk(step(job, script));
    expect(read(job, file)).toContain(text);
    await git(job, "checkout", "--quiet", "--detach", "HEAD^1");
    expect(await step(job, script)).toEqual({
      code: 1,
      output: expect.stringContaining("The base commit is missing"),
    });
  },
);

/** Puts a stand-in for `gh` before all commands. */
function standInForGh(job: Stack, script: string): void {
  const bin = join(job.folder, "bin");
  mkdirSync(bin, { recursive: true });
  job.environment({ PATH: `${bin}:${process.env.PATH}` });
  writeFileSync(join(bin, "gh"), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
}

/** Puts the JSON report of a recorded preview where the first job's artifact is downloaded. */
async function download(
  job: Stack,
  index: number,
  stack: string,
  name: string,
  project = "test",
): Promise<void> {
  const folder = join(job.folder, `reports/databases-report-${index}`);
  mkdirSync(folder, { recursive: true });
  const output = ["--output", join(folder, `${stack}.json`), "--format", "json"];
  const names = ["--stack", stack, "--project", project, "--fail-on", "never"];
  const command = [...output, ...names, recordingFile(name)];
  await expectOk(job.command("npx", "--no-install", "clouddb-report", ...command));
}

test("stacks.yml: the report names every stack, decides the conditions, and fails after a failed job", async () => {
  const job = await newJob();
  standInForGh(job, "exit 1");
  writeFileSync(join(job.folder, "policies.json"), "{}");
  const report = blockBehind(STACKS, "- name: Report");
  const check = async (stacks: readonly string[], previews: string) => {
    job.environment({ STACKS: JSON.stringify(stacks), PREVIEWS: previews, FAIL_ON: "replace" });
    return [(await step(job, report)).code, read(job, "report.md")];
  };
  await download(job, 0, "staging", "nothing");
  expect(await check(["staging", "production"], "failure")).toEqual([
    2,
    expect.stringMatching(
      /^<!-- clouddb-report test%2Fdatabases -->[\s\S]*<code>production<\/code> \| ❌ failed/,
    ),
  ]);
  await download(job, 1, "production", "update-service");
  expect(await check(["staging", "production"], "success")).toEqual([
    0,
    expect.stringContaining("**2 stacks: 1 to review, 1 without changes**"),
  ]);
  expect(await check(["staging", "production"], "failure")).toMatchObject([1, {}]);
  await download(job, 0, "staging", "nothing", "forged");
  expect(await check(["staging"], "success")).toEqual([
    2,
    expect.stringMatching(/^<!-- clouddb-report test%2Fstaging -->/),
  ]);
});

test("stacks.yml: drift updates and closes one issue per stack; a failed check changes no issue", async () => {
  const job = await newJob();
  const calls = join(job.folder, "calls");
  const marker = "<!-- clouddb-report test%2Fstaging -->";
  /** The requests that change issues, with an open issue of the stack or without. */
  const issues = async (recorded: string | undefined, isOpen: boolean) => {
    const bodies = [marker.replace("staging", "other"), ...(isOpen ? [`${marker}\r\nold`] : [])];
    const list = JSON.stringify(bodies.map((body, index) => ({ number: index + 6, body })));
    standInForGh(job, `[[ $2 == list ]] && echo '${list}' || echo "$*" >> ${calls}`);
    writeFileSync(calls, "");
    job.environment({ STACKS: '["staging"]' });
    if (recorded) await download(job, 0, "staging", recorded);
    await expectOk(step(job, blockBehind(STACKS, "- name: Issues")));
    return read(job, "calls").replaceAll(job.folder, "").replaceAll(" --repo example/shop", "");
  };
  expect(await issues(undefined, true)).toBe("");
  expect(await issues("program-failed", true)).toBe("");
  expect(await issues("drift", false)).toBe(
    "issue create --title Drift of staging --body-file /issue.md\n",
  );
  expect(read(job, "issue.md")).toMatch(/^<!-- clouddb-report test%2Fstaging -->\n[\s\S]*drifted/);
  expect(await issues("drift", true)).toBe("issue edit 7 --body-file /issue.md\n");
  const file = "reports/databases-report-0/staging.json";
  const { stacks, ...rest } = JSON.parse(read(job, file));
  const undone = { ...rest, stacks: [{ ...stacks[0], drift: [] }] };
  writeFileSync(join(job.folder, file), JSON.stringify(undone));
  expect(await issues(undefined, true)).toBe(
    `issue close 7 --comment No drift any more: ${RUN_URL}\n`,
  );
  expect(await issues(undefined, false)).toBe("");
  // This preview has not looked for drift.
  expect(await issues("nothing", true)).toBe("");
});

test("report-fork.yml: a job without events makes the stack's comment report the failure", async () => {
  const job = await newJob();
  job.environment({ FORK: "other/shop", HEAD: "abc", RUN: "1" });
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
    standInForGh(job, answer);
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

  standInForGh(job, "exit 1");
  expect(await step(job, script)).toMatchObject({ code: 1 });
});

test("GitLab: a policy violation fails the preview, and the note reports it or a missing report", async () => {
  const bodies: string[] = [];
  const gitlab = await serving(({ method, path, body }: Asked) => {
    if (path === "/user") return { status: 200, body: { id: 7 } };
    if (method === "GET") return { status: 200, body: [] };
    bodies.push(String(body.body));
    return { status: 201, body: { id: 1 } };
  });
  const job = await newJob(open);
  await merge(job, undefined, {});
  const preview = blockAround(GITLAB, "base=$(git rev-parse");
  expect(await step(job, preview)).toMatchObject({ code: 1 });
  await git(job, "update-ref", "FETCH_HEAD", "HEAD^1");
  expect(await step(job, preview)).toMatchObject({ code: 2 });

  job.environment({
    CI_API_V4_URL: gitlab,
    CI_PROJECT_ID: "3",
    CI_MERGE_REQUEST_IID: "5",
    GITLAB_TOKEN: "token",
    no_proxy: "127.0.0.1",
    PULUMI_STACK: undefined,
  });
  await git(job, "checkout", "--quiet", "--detach", "HEAD^1");
  const files = ["reports/staging.json reports/production.json", "reports/dev.json reports/a.json"];
  await expectOk(
    step(job, blockAround(GITLAB, "--stack databases").replace(...(files as [string, string]))),
  );
  expect(bodies).toEqual([expect.stringMatching(/^<!-- clouddb-report test%2Fdatabases -->/)]);
  expect(bodies[0]).toContain("❌ <code>no-open-access</code> failed");
  expect(bodies[0]).toMatch(/<code>a<\/code> \| ❌ failed[\s\S]*ended before it wrote its report/);
  expect(bodies[0]).toContain("> The target branch has no policies.json");
  expect(bodies[0]).toContain(`[run](${RUN_URL})`);
});

test("Azure: the comment belongs to the pipeline's stack, and reports a failed preview", async () => {
  const azure = azureServer();
  const server = await serving((asked) => azure.answer(asked));
  const job = await newJob(open);
  await merge(job, undefined, {});
  expect(await step(job, blockAround(AZURE, "displayName: Preview"))).toMatchObject({ code: 2 });
  const report = read(job, "report.json");
  const { stacks, ...rest } = JSON.parse(report);
  const forged = { ...rest, stacks: [{ ...stacks[0], project: "other", stack: "production" }] };
  mkdirSync(join(job.folder, "artifact"));
  await git(job, "checkout", "--quiet", "--detach", "HEAD^1");
  job.environment({
    ...azure.variables(server),
    PIPELINE_WORKSPACE: job.folder,
    ARTIFACT: "artifact",
    PULUMI_STACK: "dev",
    no_proxy: "127.0.0.1",
  });
  /** The comment after a preview that has left this artifact. */
  const commentOn = async (artifact: string | undefined) => {
    rmSync(join(job.folder, "artifact/report.json"), { force: true });
    if (artifact) writeFileSync(join(job.folder, "artifact/report.json"), artifact);
    await expectOk(step(job, blockAround(AZURE, "displayName: Comment")));
    expect(azure.comments).toHaveLength(1);
    const [{ body = "" } = {}] = azure.comments;
    expect(body).toMatch(/^<!-- clouddb-report test%2Fdev -->/);
    return body;
  };
  const posted = await commentOn(report);
  expect(posted).toContain("❌ <code>no-open-access</code> failed");
  expect(posted).toContain("> The base branch has no policies.json");
  const other = await commentOn(JSON.stringify(forged));
  expect(other).toContain("has other/production instead of the preview of");
  expect(other).not.toContain("no-open-access");
  expect(await commentOn(undefined)).toContain("failed");
});

test.each([
  ["stacks.yml", blockBehind(STACKS, "- name: Preview"), "summary.md"],
  [".gitlab-ci.yml", blockAround(GITLAB, "--fail-on drift"), "drift-dev.md"],
])(
  "%s: a check exits with 2 after drift or a failure, and its report has the reason",
  async (_, script, file) => {
    const api = await simulated();
    const job = await newJob(small, api);
    await job.up();
    job.environment({ OPERATION: "drift", FAIL_ON: "drift" });
    const check = async () => {
      rmSync(join(job.folder, file), { force: true });
      return [(await step(job, script)).code, read(job, file)];
    };

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

test("test.yml: a step fails with the reason if the simulator cannot start", async () => {
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
    await job.up();
  } finally {
    process.kill(pid, "SIGTERM");
  }
});
