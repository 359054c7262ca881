import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expectOk, newStack, simulated, testHome } from "../../engine/support/stack";
import { blockAround, blockBehind } from "./support/blocks";

/** The scheduled jobs of examples/ci, run unchanged with the packed packages. */

const PROGRAM = `new clouddb.Service("analytics", {
  minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3, idleScaling: true, idleTimeoutMinutes: 15,
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});`;

test.each([
  ["drift.yml", () => blockBehind("github/workflows/drift.yml", "- name: Check for drift"), "report.md"],
  [".gitlab-ci.yml", () => blockAround("gitlab/.gitlab-ci.yml", "--fail-on drift"), "drift-dev.md"],
])("%s: a check exits with 2 if there is drift or the check fails, and its report says why", async (_, block, file) => {
  const api = await simulated();
  const stack = await newStack(api, PROGRAM);
  symlinkSync(join(testHome(), "node_modules"), join(stack.folder, "node_modules"));
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
