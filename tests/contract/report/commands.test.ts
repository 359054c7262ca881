import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeEntity, ENTITY } from "../../../facts/text";
import { temporaryFolder } from "../../support/temporary-folder";
import { markdownOf, recorded, recording, recordingFile, runCli, textOf } from "./support/preview";

/**
 * The built command. `run` has a stand-in for `pulumi`; tests/programs/review/report.test.ts has
 * the real one.
 */

const failedWith = (message: string) =>
  textOf([
    { preludeEvent: {} },
    { diagnosticEvent: { severity: "error", urn: "", message } },
    { cancelEvent: {} },
  ]);

test("a message full of unfinished color codes is rendered quickly and shows no secret", async () => {
  const env = { SLACK_WEBHOOK_URL: "https://hooks.example/services/hush" };
  const message = `<{%fg 1%}>red<{%reset%}> ${env.SLACK_WEBHOOK_URL} {% ${"<{%".repeat(1_000_000)}`;
  const { status, stdout } = await runCli({ args: [], env, input: failedWith(message) });
  expect(status).toBe(2);
  expect(stdout).toContain("- red &#91;secret&#93; &#123;% &#60;&#123;%");
  expect(stdout).not.toContain("hush");
});

const says = (text: string) => `clouddb-report: shop/production: --fail-on ${text}.\n`;
test.each([
  ["update-service", "capacity>+150%", 0, ""],
  [
    "update-service",
    "irreversible",
    2,
    says("irreversible holds: changes of analytics cannot be undone"),
  ],
  [
    "update-service",
    "drift",
    1,
    says("drift cannot be decided: the preview did not check for drift; add --refresh"),
  ],
  ["update-service", "changes,never", 0, ""],
  [
    "policies-broken",
    "policy",
    2,
    says(
      "policy holds: violations of no-open-access, one-owner-for-scaling, production-is-replicated",
    ) + says("failed holds: the preview failed"),
  ],
  ["policies-broken", "capacity>+900%", 2, says("failed holds: the preview failed")],
  ["policies-broken", "never", 0, ""],
])("the preview %s with --fail-on %s exits with %i", async (name, condition, status, stderr) => {
  const args = [recordingFile(name), "--fail-on", condition];
  const said = stderr === "" ? "" : expect.stringContaining(stderr);
  expect(await runCli({ args })).toMatchObject({ status, stderr: said });
});

test("a price per gigabyte and hour adds the maximum cost per month, before and after", async () => {
  const { stdout } = await runCli({
    args: ["--price-per-gb-hour", "0.02"],
    input: recording("update-service"),
  });
  // 192 and 480 GB for 730 hours.
  expect(stdout).toContain(" · cost up to 7,008.00 per month (was 2,803.20)");
  expect(stdout).toContain("\n\nMaximum cost per month: 2,803.20 before, 7,008.00 after.\n");
  expect(markdownOf(await recorded("update-service"))).not.toMatch(/cost/i);
});

test.each([
  [[], 1, ""],
  [["--stack", "dev", "--project", "shop"], 2, expect.stringContaining("**The preview failed**")],
])(
  "a digest is refused with advice, and with the arguments %j in a comment",
  async (args, status, stdout) => {
    const input = JSON.stringify({ steps: [], diagnostics: [], changeSummary: {} }, undefined, 4);
    const stderr = expect.stringMatching(
      /^clouddb-report: standard input is not a preview: .*\n(?:clouddb-report: shop\/dev: .*\n)?$/,
    );
    expect(await runCli({ args, input })).toEqual({ status, stderr, stdout });
  },
);

const bin = temporaryFolder("run");

/** `run` with this script as `pulumi`. */
function runWith(
  script: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
) {
  writeFileSync(join(bin, "pulumi"), `#!${process.execPath}\n${script}\n`);
  chmodSync(join(bin, "pulumi"), 0o755);
  const env = { PATH: `${bin}:/usr/bin:/bin`, PULUMI_STACK: "prod", ...more };
  return runCli({ args: ["run", ...args], env });
}

/** A script that prints the events of a recorded preview. */
const printing = (name: string) =>
  `process.stdout.write(require("node:fs").readFileSync(${JSON.stringify(recordingFile(name))}));`;

test("run makes the preview print events, and reads them instead of showing them", async () => {
  const script = `
require("node:fs").writeFileSync(${JSON.stringify(join(bin, "args"))}, process.argv.slice(2).join(" "));
console.error("a warning");
if (process.env.PULUMI_ENABLE_STREAMING_JSON_PREVIEW === "true")
  ${printing("update-service")}`;
  const report = markdownOf(await recorded("update-service"));
  for (const [args, sent] of [
    ["preview --stack x", "preview --json --stack x"],
    ["-C . preview", "-C . preview --json"],
    ["pre", "pre --json"],
    ["preview --json", "preview --json"],
    ["preview -j", "preview -j"],
  ] as const) {
    const { status, stdout, stderr } = await runWith(script, ["--", "pulumi", ...args.split(" ")]);
    expect([status, stdout, stderr]).toEqual([0, report, "a warning\n"]);
    expect(readFileSync(join(bin, "args"), "utf8")).toBe(sent);
  }
  const file = join(bin, "report.md");
  const shown = await runWith(script, ["--output", file, "--", "pulumi", "preview"]);
  expect([shown.status, shown.stdout, shown.stderr]).toEqual([
    0,
    "",
    expect.stringContaining("maxReplicaMemoryGb: 64 → 120"),
  ]);
  expect(readFileSync(file, "utf8")).toBe(report);
});

const EXPECTED = "error: error: no changes were expected but changes were proposed";
const ending = (name: string, ...errors: string[]) => `
${printing(name)}
${errors.map((text) => `console.error(${JSON.stringify(text)});`).join("\n")}
process.exitCode = ${errors.length === 0 ? 0 : 255};`;
const flags = ["--", "pulumi", "preview", "--expect-no-changes"];

test("a preview that fails by --expect-no-changes has a complete report, and fails the check", async () => {
  const changing = ending("update-service", EXPECTED);
  expect(await runWith(changing, flags)).toEqual({
    status: 2,
    stdout: markdownOf(await recorded("update-service")),
    stderr: expect.stringContaining(
      'shop/production: --fail-on changes holds: the report says more than "no changes".\n',
    ),
  });
  expect(await runWith(changing, ["--fail-on", "never", ...flags])).toMatchObject({ status: 0 });
});

test("a preview with --expect-no-changes passes if it has no changes", async () => {
  expect(await runWith(ending("nothing"), flags)).toMatchObject({ status: 0, stderr: "" });
});

test.each([
  [
    "another error",
    ending("update-service", EXPECTED, "error: the plan could not be written"),
    flags,
  ],
  ["no --expect-no-changes", ending("update-service", EXPECTED), ["--", "pulumi", "preview"]],
  ["an error in its events", ending("check-failed", EXPECTED), flags],
])(
  "a preview that fails for a reason other than --expect-no-changes is a failed preview: %s",
  async (_, script, args) => {
    const stdout = expect.stringContaining("❌ **The preview failed**; this report is incomplete.");
    expect(await runWith(script, args)).toMatchObject({ status: 2, stdout });
  },
);

const URN = "urn:pulumi:production::shop::shop:index:Warehouse$clouddb:index:Service::it's";
const TARGET = `--target '${URN.replace("'", "'\\''")}' --target-dependents`;
const many = Array.from({ length: 9 }, (_, index) => ["-t", URN + index]).flat();

test.each<[string, string, string[], (string | RegExp)[]]>([
  [
    "says so, and its command to apply repeats the flags",
    "update-service",
    ["-t", URN, "--target-dependents", "--stack", "acme/shop/production"],
    [
      `🔎 This report covers only a part of the stack: ${TARGET}.`,
      `To apply: pulumi up --stack acme/shop/production ${TARGET}\n`,
    ],
  ],
  [
    "without changes says that they concern only that part",
    "nothing",
    ["--exclude", "**::orders"],
    ["shop / production: no changes in a part of the stack: --exclude '**::orders'.\n"],
  ],
  [
    "omits flags that are too long for a command",
    "update-service",
    many,
    [/up --stack production, with the flags of this preview that select resources\n$/],
  ],
  [
    "is not assumed with --replace alone",
    "update-service",
    ["--replace", "x"],
    [/^[^🔎]*To apply: pulumi up --stack production --replace x\n$/u],
  ],
])("a report of a part of the stack %s", async (_, name, flags, texts) => {
  const { stdout } = await runWith(printing(name), ["--", "pulumi", "preview", ...flags]);
  const seen = stdout.replace(/<\/?code>|\*\*/g, "").replace(ENTITY, decodeEntity);
  for (const text of texts)
    expect(seen).toEqual(
      typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text),
    );
});

test.each([
  [["pulumi", "destroy", "--preview-only"], /To apply: <code>pulumi destroy --stack production</],
  [["sh", "-c", "pulumi preview --json"], /^(?!.*To apply)(?=.*🔎 It is not known whether)/su],
  [
    ["sh", "-c", "pulumi preview --json -t a"],
    /^(?!.*To apply)(?=.*🔎 This report covers only a part)/su,
  ],
])("the command to apply matches the preview `%j`, if known", async (command, says) => {
  const { status, stdout } = await runWith(printing("update-service"), ["--", ...command]);
  expect([status, stdout]).toEqual([0, expect.stringMatching(says)]);
});

test("a destroy is applied with destroy, even if only its events are known", async () => {
  const preview = { ...(await recorded("update-service")), stackOperation: "delete" } as const;
  expect(markdownOf(preview)).toContain("To apply: <code>pulumi destroy --stack production</code>");
});

test("a script without events gets advice where to add --json", async () => {
  const { stderr } = await runWith('console.log("Previewing")', [
    "--",
    "sh",
    "-c",
    "pulumi preview",
  ]);
  expect(stderr).toMatch(
    /is not a preview: `run` adds --json only to a command of Pulumi that it sees/,
  );
  expect(stderr).not.toContain("PULUMI_ENABLE_STREAMING_JSON_PREVIEW");
});

test("a long error output shows neither the engine's log nor a secret in two parts", async () => {
  const script = `
console.error("I0102 10:00:00.000000 1 provider.go:1] " + "logged ".repeat(20_000));
const [before, after] = "error: the key schlüssel-7 is wrong".split("ü");
const umlaut = Buffer.from("ü");
process.stderr.write(Buffer.concat([Buffer.from(before), umlaut.subarray(0, 1)]));
setTimeout(() => process.stderr.write(Buffer.concat([umlaut.subarray(1), Buffer.from(after)])), 100);
process.exitCode = 1;`;
  const { stdout } = await runWith(script, ["pulumi", "preview"], { API_SECRET: "schlüssel-7" });
  expect(stdout).toContain("- error: the key &#91;secret&#93; is wrong");
  expect(stdout).not.toContain("logged");
});

test.each([
  [6, ["pulumi", "preview"], "no such stack"],
  [10, ["env", "pulumi", "preview"], "an object was not ready in time"],
])("exit code %i of the command %j is explained in the report", async (code, command, says) => {
  const { stdout } = await runWith(`process.exitCode = ${code};`, ["--", ...command]);
  expect(stdout).toContain(`- pulumi ended with exit code ${code}: ${says}.\n`);
});

test("the exit code of a script is not explained as one of Pulumi", async () => {
  const args = ["--", "sh", "-c", "pulumi preview --json"];
  expect((await runWith("process.exitCode = 6;", args)).stdout).not.toContain("exit code 6");
});

const WHOLE = "run needs the whole command after --, such as: clouddb-report run -- pulumi ";
test.each([
  ["options alone", ["--", "--stack", "x"], WHOLE],
  ["no command", [], WHOLE],
  [
    "a missing command",
    ["--", "no-pulumi"],
    "Could not run no-pulumi: install it, or add it to PATH.",
  ],
  [
    "another command",
    ["--", "pulumi", "up"],
    "the output of this command is not a preview: pass the engine events",
  ],
])("run with %s fails with one sentence and without a report", async (_, args, says) => {
  const { status, stdout, stderr } = await runWith('console.log("Updating")', args);
  expect([status, stdout, stderr]).toEqual([
    1,
    "",
    expect.stringMatching(/^clouddb-report: [^\n]+\n$/),
  ]);
  expect(stderr).toContain(says);
});

test("several signals interrupt pulumi once, and its report is still written", async () => {
  const script = `
let interrupts = 0;
process.on("SIGINT", () => {
  interrupts += 1;
  process.kill(process.ppid, "SIGTERM");
  setTimeout(() => (console.error("error: interrupted " + interrupts + " times"), process.exit(1)), 200);
});
process.kill(process.ppid, "SIGTERM");
setTimeout(() => {}, 60_000);`;
  const { status, stdout } = await runWith(script, ["--", "pulumi", "preview"]);
  expect(status).toBe(2);
  expect(stdout).toContain("❌ **The preview failed**");
  expect(stdout).toContain("- error: interrupted 1 times");
});
