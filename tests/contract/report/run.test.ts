import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeEntities } from "../../../facts";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";
import { recorded, recordingFile } from "./support/preview";
import { markdownOf } from "./support/render";

/** `run` with a stand-in for `pulumi`; tests/programs/review/report.test.ts has the real one. */
const bin = temporaryFolder("run");
const env = { PATH: `${bin}:/usr/bin:/bin`, PULUMI_STACK: "prod" };

function install(script: string): void {
  writeFileSync(join(bin, "pulumi"), `#!${process.execPath}\n${script}\n`);
  chmodSync(join(bin, "pulumi"), 0o755);
}

/** A script that prints the events of a recorded preview. */
const printing = (name: string) =>
  `process.stdout.write(require("node:fs").readFileSync(${JSON.stringify(recordingFile(name))}));`;

function runWith(script: string, ...args: string[]) {
  install(script);
  return runCli({ args: ["run", ...args], env });
}

test("the preview is asked for events, which are read and not shown", async () => {
  const script = `
require("node:fs").writeFileSync(${JSON.stringify(join(bin, "args"))}, process.argv.slice(2).join(" "));
console.error("a warning");
if (process.env.PULUMI_ENABLE_STREAMING_JSON_PREVIEW === "true")
  ${printing("update-service")}`;
  const report = markdownOf(await recorded("update-service"));
  for (const args of ["preview --stack x", "-C . preview", "pre", "preview --json", "preview -j"]) {
    const { status, stdout, stderr } = await runWith(script, "--", "pulumi", ...args.split(" "));
    expect([status, stdout, stderr]).toEqual([0, report, "a warning\n"]);
    const sent = /-j/.test(args) ? args : args.replace(/pre(view)?/, "$& --json");
    expect(readFileSync(join(bin, "args"), "utf8")).toBe(sent);
  }
  const file = join(bin, "report.md");
  const shown = await runWith(script, "--output", file, "--", "pulumi", "preview");
  expect([shown.status, shown.stdout, shown.stderr]).toEqual([
    0,
    "",
    expect.stringContaining("maxReplicaMemoryGb: 64 → 120"),
  ]);
  expect(readFileSync(file, "utf8")).toBe(report);
});

test("a preview that fails without events is reported with its error", async () => {
  const { status, stdout } = await runWith('console.error("error: no stack"); process.exit(1)', "pulumi", "preview");
  expect(status).toBe(2);
  expect(stdout).toMatch(/❌ \*\*The preview failed\*\*[\s\S]*- error: no stack/);
});

describe("a preview with --expect-no-changes", () => {
  const EXPECTED = "error: error: no changes were expected but changes were proposed";
  const preview = (name: string, ...errors: string[]) => `
${printing(name)}
${errors.map((text) => `console.error(${JSON.stringify(text)});`).join("\n")}
process.exitCode = ${errors.length === 0 ? 0 : 255};`;
  const flags = ["--", "pulumi", "preview", "--expect-no-changes"];

  test("a preview with --expect-no-changes that has changes is a complete report, and holds the merge", async () => {
    const { status, stdout, stderr } = await runWith(preview("update-service", EXPECTED), ...flags);
    expect([status, stdout]).toEqual([2, markdownOf(await recorded("update-service"))]);
    expect(stderr).toContain('shop/production: --fail-on changes holds: the report says more than "no changes".\n');
    expect(await runWith(preview("update-service", EXPECTED), "--fail-on", "never", ...flags)).toMatchObject({
      status: 0,
    });
  });

  test("a preview with --expect-no-changes passes without changes", async () => {
    expect(await runWith(preview("nothing"), ...flags)).toMatchObject({ status: 0, stderr: "" });
  });

  test.each([
    ["another error", preview("update-service", EXPECTED, "error: the plan could not be written"), flags],
    ["no such flag", preview("update-service", EXPECTED), ["--", "pulumi", "preview"]],
    ["an error in its events", preview("check-failed", EXPECTED), flags],
  ])("a preview with --expect-no-changes is a failed one with %s", async (_, script, args) => {
    const { status, stdout } = await runWith(script, ...args);
    expect([status, stdout]).toEqual([
      2,
      expect.stringContaining("❌ **The preview failed**; this report is incomplete."),
    ]);
  });
});

describe("a preview of a part of the stack", () => {
  const URN = "urn:pulumi:production::shop::shop:index:Warehouse$clouddb:index:Service::it's";
  const run = (name: string, ...flags: string[]) => runWith(printing(name), "--", "pulumi", "preview", ...flags);

  test("a preview of a part of the stack says so, and the command to apply repeats its flags", async () => {
    const { stdout } = await run("update-service", "-t", URN, "--target-dependents", "--stack", "acme/shop/production");
    const flags = textIn(`--target '${URN.replace("'", "'\\''")}' --target-dependents`);
    expect(textIn(stdout)).toContain(`🔎 This report covers only a part of the stack: ${flags}.`);
    expect(textIn(stdout)).toContain(`To apply: pulumi up --stack acme/shop/production ${flags}\n`);
  });

  test("a preview of a part of the stack without changes says so of the part", async () => {
    const { stdout } = await run("nothing", "--exclude", "**::orders");
    expect(textIn(stdout)).toContain("shop / production: no changes in a part of the stack: --exclude '**::orders'.\n");
  });

  test("a preview of a part of the stack with flags that are too long for a command does not show a part of them", async () => {
    const { stdout } = await run(
      "update-service",
      ...Array.from({ length: 9 }, (_, index) => ["-t", URN + index]).flat(),
    );
    expect(textIn(stdout)).toMatch(/up --stack production, with the flags of this preview that select resources\n$/);
  });

  test("--replace alone is not a preview of a part of the stack", async () => {
    const { stdout } = await run("update-service", "--replace", "x");
    expect(stdout).not.toContain("🔎");
    expect(textIn(stdout)).toContain("To apply: pulumi up --stack production --replace x\n");
  });

  /** A report as a reader sees it. */
  function textIn(markdown: string): string {
    return decodeEntities(markdown.replace(/<\/?code>|\*\*/g, ""));
  }
});

test("a long error output shows neither the engine's log nor a secret that arrives in parts", async () => {
  const script = `
console.error("I0102 10:00:00.000000 1 provider.go:1] " + "logged ".repeat(20_000));
const [before, after] = "error: the key schlüssel-7 is wrong".split("ü");
const umlaut = Buffer.from("ü");
process.stderr.write(Buffer.concat([Buffer.from(before), umlaut.subarray(0, 1)]));
setTimeout(() => process.stderr.write(Buffer.concat([umlaut.subarray(1), Buffer.from(after)])), 100);
process.exitCode = 1;`;
  install(script);
  const { stdout } = await runCli({ args: ["run", "pulumi", "preview"], env: { ...env, API_SECRET: "schlüssel-7" } });
  expect(stdout).toContain("- error: the key &#91;secret&#93; is wrong");
  expect(stdout).not.toContain("logged");
});

test.each([
  [
    "options alone",
    ["--", "--stack", "x"],
    "run needs the whole command after --, such as: clouddb-report run -- pulumi ",
  ],
  ["no command", [], "run needs the whole command after --, such as: clouddb-report run -- pulumi "],
  [
    "a missing command",
    ["--", "nothing-like-pulumi"],
    "Could not run nothing-like-pulumi: install it, or add it to PATH.",
  ],
  ["another command", ["--", "pulumi", "up"], "the output of this command is not a preview: pass the engine events"],
])("%s is one sentence and no report", async (_, args, says) => {
  const { status, stdout, stderr } = await runWith('console.log("Updating")', ...args);
  expect([status, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^clouddb-report: [^\n]+\n$/)]);
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
  const { status, stdout } = await runWith(script, "--", "pulumi", "preview");
  expect(status).toBe(2);
  expect(stdout).toContain("❌ **The preview failed**");
  expect(stdout).toContain("- error: interrupted 1 times");
});
