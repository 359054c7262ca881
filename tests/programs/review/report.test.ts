import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newStack, outcomeOf, type Stack, simulated, testHome } from "../../engine/support/stack";
import { configured } from "./support/pack";

const REPORT = join(testHome(), "node_modules/.bin/clouddb-report");

/** The report as users run it: the packed package's command, with events from a pipe. */
function report(events: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(REPORT, args, { input: events, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** The engine's events of a preview. */
async function previewEvents(stack: Stack, ...args: string[]): Promise<string> {
  stack.environment({ PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" });
  return (await outcomeOf(stack.pulumi("preview", "--json", ...args))).output;
}

const program = (args: string) => `
  new clouddb.Service("analytics", {
    provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, encryptionKey: "canary-key", ${args}
  });`;

test("the events of a preview become a report without their secrets", async () => {
  const api = await simulated();
  const stack = await newStack(api, program(`maxReplicaMemoryGb: 64, numReplicas: 3`));
  await stack.up();
  stack.program(
    program(
      `maxReplicaMemoryGb: 32, numReplicas: 3, ipAccessList: [{ source: "203.0.113.0/24", description: "office" }]`,
    ),
  );

  const events = await previewEvents(stack);
  expect(events).toContain("canary-key");
  const { status, stdout } = report(events, "--fail-on", "irreversible");
  expect(status).toBe(2);
  expect(stdout).not.toContain("canary-key");
  expect(stdout).toContain("✏️ 1 to update · capacity −96 GB (−50 %) · ⚠️ 2 cannot be undone");
  expect(stdout).toContain("opens access to");
  expect(stdout).toContain(
    "| <code>analytics</code> | 64 GB × 3 = 192 GB | 32 GB × 3 = 96 GB | −96 GB (−50 %) |",
  );
  expect(report(events).stdout).toBe(stdout);

  const broken = report(
    await previewEvents(stack, ...configured(stack, { "memory-within-bounds": { maxGb: 16 } })),
    "--fail-on",
    "policy",
  );
  expect(broken.status).toBe(2);
  expect(broken.stdout).toMatch(
    /❌ \*\*The preview failed\*\*[\s\S]*❌ <code>memory-within-bounds<\/code> failed/,
  );
});

/** Only the engine learns the options that `transforms` return. */
test("policies and report name a service whose protection a transform dropped", async () => {
  const unprotected = (options: string) =>
    `new clouddb.Service("analytics", { region: "us-east-1" }, { transforms: [({ props, opts }) => ({ props, opts: ${options} })] });`;
  const stack = await newStack(await simulated(), unprotected("opts"));
  const pack = configured(stack, {
    all: "disabled",
    "production-is-protected": { enforcementLevel: "mandatory", stacks: "dev" },
  });
  const preview = () => previewEvents(stack, ...pack);

  expect(report(await preview()).stdout).not.toMatch(/is not protected/);
  stack.program(unprotected("{ ...opts, protect: undefined }"));
  expect(report(await preview()).stdout).toMatch(
    /is not protected: [\s\S]*<code>production-is-protected<\/code> failed/,
  );
});

test("run reads the events of a preview and shows its report", async () => {
  const api = await simulated();
  const stack = await newStack(api, program(`maxReplicaMemoryGb: 64, numReplicas: 3`));
  const file = join(stack.folder, "report.md");
  const run = (...args: string[]) => stack.command(REPORT, "run", "--output", file, ...args);
  const preview = ["--", "pulumi", "preview", "--non-interactive"];
  const { code, output } = await run("--fail-on", "failed", ...preview);
  expect([code, output]).toEqual([0, expect.stringContaining("➕ 1 to create · capacity +192 GB")]);
  expect(output).not.toContain("canary-key");
  expect(readFileSync(file, "utf8")).toContain("➕ 1 to create · capacity +192 GB");

  const wrong = await run(...preview, "--no-such-flag");
  expect(wrong.code).toBe(2);
  expect(readFileSync(file, "utf8")).toMatch(
    /<!-- clouddb-report test%2Fdev -->[\s\S]*error: unknown flag: --no-such-flag/,
  );
  expect(await run("--", "--stack", "dev")).toEqual({
    code: 1,
    output: expect.stringMatching(/^clouddb-report: run needs the whole command[^\n]*\n$/),
  });
});
