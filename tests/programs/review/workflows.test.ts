import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { recordingFile } from "../../contract/report/support/preview";
import { type Asked, serving } from "../../contract/report/support/server";
import { expectFailure, expectOk, newStack, type Stack, simulated, testHome } from "../../engine/support/stack";
import { freePort, listen } from "../../support/free-port";
import { blockAround, blockBehind, jobIn } from "../../support/workflow";

/** The commands of examples/ci, run unchanged in a repository with the packed packages. */

const small = `new clouddb.Service("analytics", {
  provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});`;
const open = small.replace("203.0.113.0/24", "0.0.0.0/0");

function gitOf(stack: Stack) {
  return (...args: string[]) =>
    expectOk(stack.command("git", "-c", "user.name=t", "-c", "user.email=t@example.com", ...args));
}

/** A repository whose last commit merges a change of the policies' settings, with or without former settings. */
async function merged(stack: Stack, before: object | undefined, after: object): Promise<void> {
  const git = gitOf(stack);
  const commit = async (settings: object | undefined, message: "before" | "after") => {
    if (settings) {
      writeFileSync(join(stack.folder, "policies.json"), JSON.stringify(settings));
      await git("add", "policies.json");
    }
    await git("commit", "--quiet", "--allow-empty", "--message", message);
  };
  await git("init", "--quiet", "--initial-branch", "main");
  await commit(before, "before");
  await git("checkout", "--quiet", "-b", "change");
  await commit(after, "after");
  await git("checkout", "--quiet", "main");
  await git("merge", "--quiet", "--no-ff", "--message", "merge", "change");
  install(stack);
}

/** Puts the packed packages where a job would install them. */
function install({ folder }: Stack): void {
  symlinkSync(join(testHome(), "node_modules"), join(folder, "node_modules"));
}

/** A stand-in for a command that is not on every machine. */
function provide(stack: Stack, name: string, script: string): void {
  const folder = join(stack.folder, "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/bash\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  stack.environment({ PATH: `${folder}:${process.env.PATH}` });
}

test.each([
  ["examples/ci/github/workflows/preview.yml", "preview", "comment", "pull-requests: write"],
  ["examples/ci/gitlab/.gitlab-ci.yml", "preview", "note", "name: notes"],
  ["examples/ci/azure/azure-pipelines.yml", "preview", "comment", "SYSTEM_ACCESSTOKEN"],
])("%s: the program does not run where the posting token is", (file, runs, posts, token) => {
  const [program, comment] = [jobIn(file, runs), jobIn(file, posts)];
  expect(program).toMatch(/clouddb-report run/);
  expect(program).not.toMatch(/clouddb-report post|ACCESSTOKEN|GITLAB_TOKEN|github\.token|: write/);
  expect(comment).toContain(token);
  expect(comment).toMatch(/base\.sha|checkout --quiet --force --detach/);
  expect(comment).not.toMatch(/clouddb-report run|pulumi (?:preview|up)/);
});

test("preview.yml: policies stop a bad change, whatever its own settings are", async () => {
  const stack = await newStack(await simulated(), open);
  await merged(stack, { "capacity-budget": { maxTotalGb: 40 } }, { all: "disabled" });
  const summary = join(stack.folder, "summary.md");
  stack.environment({
    RUNNER_TEMP: stack.folder,
    GITHUB_STEP_SUMMARY: summary,
    HEAD: "0123456789abcdef",
    RUN_URL: "https://ci.example/runs/1",
  });
  const script = blockBehind("examples/ci/github/workflows/preview.yml", "- name: Preview");
  expect(script).toContain("clouddb-report run");
  const { code } = await stack.command("bash", "-e", "-c", script);
  expect(code).toBe(2);
  const report = readFileSync(join(stack.folder, "report.md"), "utf8");
  expect(report).toContain("❌ <code>no-open-access</code> failed");
  expect(report).toContain("❌ <code>capacity-budget</code> failed");
  expect(report).toContain("Commit <code>0123456789ab</code> · [run](https://ci.example/runs/1)");
  expect(readFileSync(summary, "utf8")).toBe(report);
});

test("deploy.yml: the update enforces the policies and the preview's plan before it creates anything", async () => {
  const api = await simulated();
  const stack = await newStack(api, open);
  await merged(stack, {}, {});
  const plan = join(stack.folder, "plan/plan.json");
  mkdirSync(join(stack.folder, "plan"));
  stack.environment({ RUNNER_TEMP: stack.folder, GITHUB_STEP_SUMMARY: join(stack.folder, "summary.md") });
  const [preview = "", update = ""] = ["Preview", "Update"].map((name) =>
    blockBehind("examples/ci/github/workflows/deploy.yml", `- name: ${name}`),
  );
  const run = (script: string) => stack.command("bash", "-e", "-c", script);
  await expectOk(stack.preview("--save-plan", plan));
  expect(await expectFailure(run(update))).toContain("no-open-access");

  stack.program(small);
  await expectOk(run(preview.replace("plan.json", plan)));
  stack.program(small.replace("maxReplicaMemoryGb: 16", "maxReplicaMemoryGb: 24"));
  expect(await expectFailure(run(update))).toMatch(/analytics violates plan/);
  expect(await api.services()).toEqual([]);
  stack.program(small);
  await expectOk(run(update));
  expect(await api.services()).toHaveLength(1);
});

test.each([
  ["examples/ci/github/workflows/preview.yml", "- name: Preview"],
  ["examples/ci/azure/azure-pipelines.yml", "displayName: Preview"],
])("%s: a missing base commit is not a base without settings", async (file, line) => {
  const stack = await newStack(await simulated(), small);
  await merged(stack, undefined, { all: "disabled" });
  stack.environment({
    RUNNER_TEMP: stack.folder,
    AGENT_TEMPDIRECTORY: stack.folder,
    GITHUB_STEP_SUMMARY: join(stack.folder, "summary.md"),
    HEAD: "0123456789abcdef",
    RUN_URL: "https://ci.example/runs/1",
    SYSTEM_COLLECTIONURI: "https://azure.example/",
    SYSTEM_TEAMPROJECTID: "1",
    BUILD_BUILDID: "2",
    SYSTEM_PULLREQUEST_SOURCECOMMITID: "0123456789abcdef",
  });
  const script = line.startsWith("displayName") ? blockAround(file, line) : blockBehind(file, line);
  expect(await stack.command("bash", "-e", "-c", script)).toMatchObject({ code: 0 });
  const report = readFileSync(join(stack.folder, "report.md"), "utf8");
  expect(report).toContain("> The base branch has no policies.json: the policies ran with their default settings.");

  await gitOf(stack)("checkout", "--quiet", "--detach", "HEAD^1");
  const shallow = await stack.command("bash", "-e", "-c", script);
  expect(shallow).toEqual({ code: 1, output: expect.stringContaining("The base commit is missing") });
});

test("report-fork.yml: if the job ended without events, the comment of the repository's stack says that it failed", async () => {
  const stack = await newStack(await simulated());
  install(stack);
  const pull = { number: 7, state: "open", base: { repo: { full_name: "example/shop" } }, head: { sha: "abc" } };
  const output = join(stack.folder, "output");
  stack.environment({
    RUNNER_TEMP: stack.folder,
    GITHUB_OUTPUT: output,
    GITHUB_REPOSITORY: "example/shop",
    FORK: "other/shop",
    HEAD: "abc",
    RUN: "1",
    RUN_URL: "https://ci.example/runs/1",
  });
  const script = blockBehind("examples/ci/github/workflows/report-fork.yml", "- name: Report");
  const gh = (download: string) => `if [[ $1 == api ]]; then echo '${JSON.stringify([pull])}'; else ${download}; fi`;
  const report = () => readFileSync(join(stack.folder, "report.md"), "utf8");

  provide(stack, "gh", gh("echo 'no artifact matches any of the names' >&2; exit 1"));
  const { code } = await stack.command("bash", "-e", "-c", script);
  expect([code, readFileSync(output, "utf8")]).toEqual([1, "pull-request=7\n"]);
  expect(report()).toMatch(/^<!-- clouddb-report shop%2Ffork -->\n\n> Preview of a fork/);
  expect(report()).toContain("error: the preview job ended before it uploaded its events.");

  const events = recordingFile("policies-disabled");
  provide(stack, "gh", gh(`mkdir -p events; cp ${events} events/events.ndjson`));
  await expectOk(stack.command("bash", "-e", "-c", script));
  expect(report()).toMatch(/^<!-- clouddb-report shop%2Ffork -->\n[\s\S]*1 to create/);

  provide(stack, "gh", gh(`mkdir -p events; cat ${events} ${events} > events/events.ndjson`));
  const several = await stack.command("bash", "-e", "-c", script);
  expect([several.code, report()]).toEqual([1, expect.stringContaining("The input contains 2 previews")]);

  provide(stack, "gh", "exit 1");
  expect(await stack.command("bash", "-e", "-c", script)).toMatchObject({ code: 1 });
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
    const stack = await newStack(await simulated(), open);
    await merged(stack, undefined, {});
    const run = (script: string) => stack.command("bash", "-e", "-c", script);
    stack.environment({
      CI_COMMIT_SHA: "0123456789abcdef",
      CI_JOB_URL: "https://gitlab.example/jobs/1",
      CI_PIPELINE_URL: "https://gitlab.example/pipelines/1",
    });
    const script = blockAround("examples/ci/gitlab/.gitlab-ci.yml", "base=$(git rev-parse");
    expect(await run(script)).toMatchObject({ code: 1 });
    await gitOf(stack)("update-ref", "FETCH_HEAD", "HEAD^1");
    expect(await run(script)).toMatchObject({ code: 2 });

    stack.environment({
      CI_API_V4_URL: gitlab.url,
      CI_PROJECT_ID: "3",
      CI_MERGE_REQUEST_IID: "5",
      GITLAB_TOKEN: "token",
      no_proxy: "127.0.0.1",
      PULUMI_STACK: undefined,
    });
    const note = blockAround("examples/ci/gitlab/.gitlab-ci.yml", "for stack in");
    expect(await run(note.replace("staging production", "dev missing"))).toMatchObject({ code: 0 });
    expect(bodies).toEqual([
      expect.stringContaining("❌ <code>no-open-access</code> failed"),
      expect.stringMatching(/^<!-- clouddb-report test%2Fmissing -->[\s\S]*ended before it wrote its report/),
    ]);
    expect(bodies[0]).toContain("> The target branch has no policies.json");
    expect(bodies[0]).toContain("[run](https://gitlab.example/jobs/1)");
  } finally {
    gitlab.close();
  }
});

test.each([
  ["drift.yml", () => blockBehind("examples/ci/github/workflows/drift.yml", "- name: Check for drift"), "report.md"],
  [".gitlab-ci.yml", () => blockAround("examples/ci/gitlab/.gitlab-ci.yml", "--fail-on drift"), "drift-dev.md"],
])("%s: a check exits with 2 if there is drift or the check fails, and its report says why", async (_, block, file) => {
  const api = await simulated();
  const stack = await newStack(api, small);
  install(stack);
  stack.environment({
    GITHUB_SHA: "0123456789abcdef",
    GITHUB_STEP_SUMMARY: join(stack.folder, "summary.md"),
    RUN_URL: "https://ci.example/1",
    CI_COMMIT_SHA: "0123456789abcdef",
    CI_JOB_URL: "https://ci.example/1",
  });
  await expectOk(stack.up());
  const check = async () => (await stack.command("bash", "-eo", "pipefail", "-c", block())).code;
  const report = () => readFileSync(join(stack.folder, file), "utf8");

  expect(await check()).toBe(0);
  expect(report()).toContain("no changes");
  const [service] = await api.services();
  await api.change("PATCH", `/${service?.id}/replicaScaling`, { numReplicas: 4 });
  expect(await check()).toBe(2);
  expect(report()).toContain("<code>3</code> → <code>4</code>");
  stack.environment({ CLOUDDB_KEY_SECRET: "wrong", CLOUDDB_ACCESS_TOKEN: undefined });
  expect(await check()).toBe(2);
  expect(report()).toContain("**The preview failed**");
});

/** The step that starts the simulator, with a port of its own: tests run side by side. */
async function newJob(port: number): Promise<{ job: Stack; start: string }> {
  const job = await newStack(await simulated());
  install(job);
  const key = { CLOUDDB_KEY_ID: "ci", CLOUDDB_KEY_SECRET: "no-secret" };
  job.environment({ CLOUDDB_BASE_URL: `http://127.0.0.1:${port}`, ...key });
  const start = blockBehind("examples/ci/github/workflows/test.yml", "- name: Start the simulator");
  return { job, start: start.replace("4010", String(port)) };
}

test("test.yml: the simulator is ready after its step", async () => {
  const port = await freePort();
  const { job, start } = await newJob(port);
  const { code, output } = await job.command("bash", "-e", "-c", `${start}\necho "process $!"`);
  const pid = Number(/^process (\d+)$/m.exec(output)?.[1]);
  try {
    expect(code).toBe(0);
    expect((await fetch(`http://127.0.0.1:${port}/__admin/health`)).status).toBe(200);
    job.program('new clouddb.Service("analytics", { region: "us-east-1" }, { retainOnDelete: true });');
    await expectOk(job.up());
  } finally {
    process.kill(pid, "SIGTERM");
  }
});

test("test.yml: if the simulator cannot start, its step fails and prints why", async () => {
  const server = createServer((socket) => socket.destroy());
  const { job, start } = await newJob(await listen(server));
  const failed = await job.command("bash", "-e", "-c", start);
  server.close();
  expect(failed).toEqual({
    code: 1,
    output: expect.stringMatching(/port \d+ is in use; choose another with --port/),
  });
});
