import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectOk, newStack, type Stack, simulated, testHome } from "../../engine/support/stack";
import { root } from "../../support/root";
import { configured, PACK } from "./support/pack";

const REPORT = join(testHome(), "node_modules/.bin/clouddb-report");

/** The report as users run it: the packed package's command, with events from a pipe. */
function report(events: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(REPORT, args, { input: events, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** The engine's output for a preview, as a stream or as one object. */
async function previewOutput(stack: Stack, form: "events" | "digest", ...args: string[]): Promise<string> {
  stack.environment({ PULUMI_ENABLE_STREAMING_JSON_PREVIEW: form === "events" ? "true" : undefined });
  return (await stack.pulumi("preview", "--json", ...args)).output;
}

const program = (args: string) => `
  new clouddb.Service("analytics", {
    provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, encryptionKey: "canary-key", ${args}
  });`;

test("a preview's events become a report without the secrets that they hold", async () => {
  const api = await simulated();
  const stack = await newStack(api, program(`maxReplicaMemoryGb: 64, numReplicas: 3`));
  await expectOk(stack.up());
  stack.program(
    program(
      `maxReplicaMemoryGb: 32, numReplicas: 3, ipAccessList: [{ source: "203.0.113.0/24", description: "office" }]`,
    ),
  );

  const events = await previewOutput(stack, "events");
  expect(events).toContain("canary-key");
  const { status, stdout } = report(events, "--fail-on", "irreversible");
  expect(status).toBe(2);
  expect(stdout).not.toContain("canary-key");
  expect(stdout).toContain("✏️ 1 to update · capacity −96 GB (−50 %) · ⚠️ 2 cannot be undone");
  expect(stdout).toContain("opens access to");
  expect(stdout).toContain("| <code>analytics</code> | 64 GB × 3 = 192 GB | 32 GB × 3 = 96 GB | −96 GB (−50 %) |");
  expect(report(events).stdout).toBe(stdout);

  const object = await previewOutput(stack, "digest");
  const digest = report(object);
  expect(digest.status).toBe(0);
  expect(digest.stdout).toContain("capacity −96 GB (−50 %)");
  const refused = report(object, "--fail-on", "policy, drift");
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("--fail-on drift cannot be decided")]);

  const broken = report(
    await previewOutput(stack, "events", ...configured(stack, { "memory-within-bounds": { maxGb: 16 } })),
    "--fail-on",
    "policy",
  );
  expect(broken.status).toBe(2);
  expect(broken.stdout).toMatch(/❌ \*\*The preview failed\*\*[\s\S]*❌ <code>memory-within-bounds<\/code> failed/);
});

test("a digest without unchanged services says so in its totals, and cannot decide about growth", async () => {
  const stack = await newStack(await simulated(), program(`maxReplicaMemoryGb: 64, numReplicas: 3`));
  const both = (size: string) =>
    program(size) + program("maxReplicaMemoryGb: 64, numReplicas: 3").replace('"analytics"', '"large"');
  stack.program(both("maxReplicaMemoryGb: 16, numReplicas: 2"));
  await expectOk(stack.up());
  stack.program(both("maxReplicaMemoryGb: 32, numReplicas: 2"));

  const events = report(await previewOutput(stack, "events"), "--fail-on", "capacity>+15%");
  expect([events.status, events.stdout]).toEqual([0, expect.stringContaining("capacity +32 GB (+14 %)")]);
  const digest = await previewOutput(stack, "digest");
  const part = report(digest, "--fail-on", "capacity>+15%");
  expect(part.stdout).toContain("capacity of changed services +32 GB (+100 %)");
  expect([part.status, part.stderr]).toEqual([
    1,
    expect.stringContaining("add --show-sames or pass the engine events"),
  ]);
  expect(report(digest, "--fail-on", "capacity>+100%").status).toBe(0);
  const all = await previewOutput(stack, "digest", "--show-sames");
  const whole = report(all, "--fail-on", "capacity>+14%");
  expect([whole.status, whole.stdout]).toEqual([2, expect.stringContaining("capacity +32 GB (+14 %)")]);

  const statuses = (input: string) =>
    ["cost>+467.19", "cost>+467.2", "cost>+14%", "cost>+15%", "cost>+100%"].map(
      (condition) => report(input, "--prices", join(root, "examples/ci/prices.json"), "--fail-on", condition).status,
    );
  expect(statuses(all)).toEqual([2, 0, 2, 0, 0]);
  // An amount does not depend on services that stay as they are.
  expect(statuses(digest)).toEqual([2, 0, 1, 1, 0]);
});

test("run shows the preview as usual and reads its events from a pipe", async () => {
  const api = await simulated();
  const stack = await newStack(api, program(`maxReplicaMemoryGb: 64, numReplicas: 3`));
  const file = join(stack.folder, "report.md");
  const flags = ["--non-interactive", "--color", "never"];
  const { code, output } = await stack.command(REPORT, "run", "--output", file, "--fail-on", "failed", "--", ...flags);
  expect([code, output]).toEqual([0, expect.stringMatching(/Previewing update[\s\S]*\+ 2 to create/)]);
  expect(readFileSync(file, "utf8")).toContain("➕ 1 to create · capacity +192 GB");

  const wrong = await stack.command(REPORT, "run", "--output", file, "--", "--no-such-flag");
  expect(wrong.code).toBe(2);
  expect(readFileSync(file, "utf8")).toMatch(
    /<!-- clouddb-report test%2Fdev -->[\s\S]*error: unknown flag: --no-such-flag/,
  );
  const never = await stack.command(REPORT, "run", "--output", file, "--fail-on", "never", "--", "--no-such-flag");
  expect(never.code).toBe(0);
});

test("a preview that failed before its first event is reported with the stack's name and the command's error", async () => {
  const stack = await newStack(await simulated(), program(`maxReplicaMemoryGb: 64, numReplicas: 3`));
  const file = join(stack.folder, "report.md");
  const flags = ["--non-interactive", ...PACK, "--policy-pack-config", "nowhere.json"];
  const { code } = await stack.command(REPORT, "run", "--output", file, "--fail-on", "policy", "--", ...flags);
  expect(code).toBe(2);
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^<!-- clouddb-report test%2Fdev -->\n\n### <code>test<\/code> \/ <code>dev<\/code>\n/);
  expect(text).toMatch(/❌ \*\*The preview failed\*\*[\s\S]*nowhere\.json: no such file or directory/);
  const empty = report("", "--stack", "dev", "--project", "test");
  expect([empty.status, empty.stdout]).toEqual([1, expect.stringContaining("<!-- clouddb-report test%2Fdev -->")]);
});

test("invalid input and invalid options are reported in one sentence", () => {
  const file = join(testHome(), "report-input.txt");
  writeFileSync(file, "hello");
  for (const [args, says] of [
    [[file], `${file} is not a preview: pass the events of`],
    [["/nowhere"], "no such file or directory, open '/nowhere'"],
    [["--fail-on", "everything"], '--fail-on: unknown condition "everything"; use irreversible, policy'],
    [["--max-bytes", "10"], '--max-bytes must be an integer from 1000; got "10"'],
    [["--prices", "/nowhere"], "Could not read the price file: ENOENT: no such file or directory, open '/nowhere'."],
    [["--prices", file], `Invalid price file ${file}: not valid JSON.`],
    [["--mask", "("], '--mask must be a regular expression; got "("'],
    [["post", "gitlab", file], "missing environment variables: CI_API_V4_URL, CI_PROJECT_ID"],
    [["post", "elsewhere", file], "usage: clouddb-report post gitlab|azure FILE"],
    [["--colour"], "Unknown option '--colour'"],
  ] as const) {
    const { status, stdout, stderr } = report("", ...args);
    expect([args, status, stdout, stderr]).toEqual([args, 1, "", expect.stringContaining(says)]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
  const output = join(testHome(), "report.md");
  const preview = readFileSync(join(root, "tests/contract/report/previews/update-service.ndjson"), "utf8");
  expect(report(preview, "--output", output)).toMatchObject({ status: 0, stdout: "" });
  expect(readFileSync(output, "utf8")).toBe(
    readFileSync(join(root, "tests/contract/report/previews/update-service.md"), "utf8"),
  );
});
