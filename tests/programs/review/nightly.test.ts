import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pulumi } from "../../../versions.json";
import { type Asked, serving } from "../../contract/report/support/server";
import { expectOk, newStack, type Stack, simulated, testHome } from "../../engine/support/stack";
import type { TestApi } from "../../support/api";
import { blockAround, blockBehind, jobIn } from "./support/blocks";
import { PACK } from "./support/pack";

/** The scheduled jobs of examples/ci, run unchanged with the packed packages. */

const GITLAB = "gitlab/.gitlab-ci.yml";
const PROGRAM = `new clouddb.Service("analytics", {
  minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3, idleScaling: true, idleTimeoutMinutes: 15,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});`;
const VARIABLES = {
  GITHUB_SHA: "0123456789abcdef",
  RUN_URL: "https://ci.example/1",
  CI_COMMIT_SHA: "0123456789abcdef",
  CI_JOB_URL: "https://ci.example/1",
  CI_PIPELINE_URL: "https://ci.example/2",
};

async function deployed(api: TestApi): Promise<Stack> {
  const stack = await newStack(api, PROGRAM);
  symlinkSync(join(testHome(), "node_modules"), join(stack.folder, "node_modules"));
  stack.environment({ ...VARIABLES, GITHUB_STEP_SUMMARY: join(stack.folder, "summary.md") });
  await expectOk(stack.up());
  return stack;
}

const run = (stack: Stack, script: string) => stack.command("bash", "-eo", "pipefail", "-c", script);

async function resize(api: TestApi, numReplicas: number): Promise<void> {
  const [service] = await api.services();
  await api.change("PATCH", `/${service?.id}/replicaScaling`, { numReplicas });
}

test("drift.yml: a check that fails, or that did not start, has a report with the marker of its stack", async () => {
  const api = await simulated();
  const stack = await deployed(api);
  const check = blockBehind("github/workflows/drift.yml", "- name: Check for drift");
  const report = () => readFileSync(join(stack.folder, "report.md"), "utf8");
  const MARKER = /^<!-- clouddb-report test%2Fdev -->\n/;

  expect((await run(stack, check)).code).toBe(0);
  await resize(api, 4);
  expect((await run(stack, check)).code).toBe(2);
  expect(report()).toMatch(MARKER);
  expect(report()).toContain("<code>3</code> → <code>4</code>");

  const keys = { CLOUDDB_KEY_SECRET: "wrong", CLOUDDB_ACCESS_TOKEN: undefined };
  for (const failure of [keys, { PULUMI_BACKEND_URL: "file:///none" }]) {
    stack.environment(failure);
    expect((await run(stack, check)).code).not.toBe(0);
    expect(report()).toMatch(MARKER);
    expect(report()).toContain("**The preview failed**");
  }

  rmSync(join(stack.folder, "report.md"));
  await expectOk(run(stack, blockBehind("github/workflows/drift.yml", "- name: Report of a check")));
  expect(report()).toMatch(MARKER);
  expect(report()).toContain("error: the job ended before it wrote its report.");
});

test.each([
  ["drift-fleet.yml", "drift"],
  ["audit.yml", "audit"],
])("%s: a check that did not start has a report with the marker of the others", async (file, place) => {
  const stack = await newStack(await simulated());
  symlinkSync(join(testHome(), "node_modules"), join(stack.folder, "node_modules"));
  stack.environment(VARIABLES);
  await expectOk(run(stack, blockBehind(`github/workflows/${file}`, "- name: Report of a check")));
  const report = readFileSync(join(stack.folder, "report.md"), "utf8");
  expect(report).toMatch(new RegExp(`^<!-- clouddb-report test%2F${place} -->\n`));
});

test.each(["drift.yml", "drift-fleet.yml", "audit.yml"])("%s: only a check that passed closes the issue", (file) => {
  const text = readFileSync(join(__dirname, "../../../examples/ci/github/workflows", file), "utf8");
  const issue = text.slice(text.indexOf("- name: Issue"));
  expect(issue).toContain("steps.check.outcome == 'success'");
  expect(issue).toMatch(/if: \$\{\{ !cancelled\(\) \}\}/);
  expect(text.match(/id: check\n/g)).toHaveLength(1);
  // A job that reaches its own limit is canceled, with its last step; and two jobs at once would open two issues.
  const [job = 0, check = 0] = [...text.matchAll(/timeout-minutes: (\d+)/g)].map(([, minutes]) => Number(minutes));
  expect(check).toBeGreaterThan(0);
  expect(job - check).toBeGreaterThanOrEqual(10);
  expect(text).toMatch(/^ *concurrency: (?:audit|drift-)/m);
});

test("the scheduled GitLab jobs: drift opens an issue, which is closed when it is gone, but not by a failure", async () => {
  const issues: Record<string, unknown>[] = [];
  const notes: unknown[] = [];
  const gitlab = await serving(({ method, path, query, body }: Asked) => {
    if (path === "/user") return { status: 200, body: { id: 7 } };
    const listed = issues.filter(({ title, state }) => title === query.get("search") && state === query.get("state"));
    if (method === "GET") return { status: 200, body: listed };
    if (path.endsWith("/notes")) return { status: 201, body: { id: notes.push(body.body) } };
    const { state_event: event, ...rest } = body;
    const state = event === "close" ? "closed" : "opened";
    const found = issues.find(({ iid }) => path.endsWith(`/issues/${iid}`));
    if (found) return { status: 200, body: Object.assign(found, rest, event ? { state } : {}) };
    issues.push({ ...rest, state, iid: issues.length + 1, author: { id: 7 } });
    return { status: 201, body: issues.at(-1) };
  });
  try {
    const api = await simulated();
    const stack = await deployed(api);
    expect(jobIn(GITLAB, "drift") + jobIn(GITLAB, "audit")).not.toMatch(/GITLAB_TOKEN|post gitlab/);
    expect(jobIn(GITLAB, "issues")).not.toMatch(/pulumi|clouddb-report (run|audit)/);
    const check = blockAround(GITLAB, "--fail-on drift");
    const post = blockAround(GITLAB, "post() {")
      .replace("staging production", "dev")
      .replace(/^ *post audit .*$/m, "");
    const night = async () => {
      for (const file of ["drift-dev.md", "drift-dev.passed"]) rmSync(join(stack.folder, file), { force: true });
      const { code } = await run(stack, check);
      // Each job has a clone of its own, with the files of earlier jobs.
      stack.environment({
        CI_API_V4_URL: gitlab.url,
        CI_PROJECT_ID: "3",
        GITLAB_TOKEN: "token",
        no_proxy: "127.0.0.1",
      });
      await expectOk(run(stack, post));
      return code;
    };
    expect([await night(), issues]).toEqual([0, []]);

    await resize(api, 4);
    expect([await night(), issues]).toMatchObject([
      2,
      [{ title: "Drift in dev", state: "opened", description: expect.stringContaining("1 drifted") }],
    ]);

    stack.environment({ CLOUDDB_KEY_SECRET: "wrong" });
    expect(await night()).not.toBe(0);
    expect(issues).toMatchObject([{ state: "opened", description: expect.stringContaining("The preview failed") }]);

    stack.environment({ CLOUDDB_KEY_SECRET: api.keySecret });
    await resize(api, 3);
    expect([await night(), issues.map(({ state }) => state), notes.length]).toEqual([0, ["closed"], 1]);
    expect(await night()).toBe(0);
    expect(notes).toHaveLength(1);

    rmSync(join(stack.folder, "drift-dev.md"));
    rmSync(join(stack.folder, "drift-dev.passed"));
    await expectOk(run(stack, post));
    expect(issues).toMatchObject([
      { state: "opened", description: expect.stringContaining("the job ended before it wrote its report") },
    ]);
  } finally {
    gitlab.close();
  }
});

test.each([
  ["audit.yml", () => blockBehind("github/workflows/audit.yml", "- name: Audit"), "report.md"],
  [".gitlab-ci.yml", () => blockAround(GITLAB, "clouddb-report audit"), "audit.md"],
])("%s: the audit of all stacks of the project", async (_, block, file) => {
  const stack = await deployed(await simulated());
  writeFileSync(join(stack.folder, "policies.json"), JSON.stringify({ "replicas-within-bounds": { max: 2 } }));
  stack.environment({ PULUMI_STACK: undefined });
  const pack = PACK.at(-1) ?? "";
  const { code } = await run(stack, block().replace("node_modules/pulumi-clouddb-policies", pack));
  const report = readFileSync(join(stack.folder, file), "utf8");
  expect(report).toMatch(/^<!-- clouddb-report test%2Faudit -->\n/);
  if (process.env.CLOUDDB_TEST_ENGINE === pulumi.newestCli) {
    expect([code, report]).toEqual([2, expect.stringContaining("❌ <code>replicas-within-bounds</code> failed")]);
  } else {
    expect([code, report]).toEqual([1, expect.stringContaining("An audit needs the Pulumi CLI 3.229 or later")]);
  }
  expect(existsSync(join(stack.folder, "audit.passed"))).toBe(false);
});
