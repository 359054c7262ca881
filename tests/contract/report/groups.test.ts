import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { analyze } from "../../../report/analyze/analyze";
import type { Analysis } from "../../../report/json-report";
import { readInput } from "../../../report/read/input";
import { markerOf } from "../../../report/render/markdown";
import { render, shortId } from "../../../report/render/render";
import { temporaryFolder } from "../../support/temporary-folder";
import {
  previewIn,
  previewOf,
  previewsIn,
  recording,
  recordingFile,
  recordingNames,
  renderReport,
  runCli,
  stepOf,
  textOf,
} from "./support/preview";

/** One report of many stacks, from events and JSON reports. */

const folder = temporaryFolder("groups");
const stackOf = (name: string, stack: string) =>
  previewIn(recording(name).replaceAll("urn:pulumi:production::", `urn:pulumi:${stack}::`));

/** A file with the JSON report of a recorded preview. */
async function jsonFile(name: string, stack: string, change: (text: string) => string = String) {
  const path = join(folder, `${stack}.json`);
  writeFileSync(path, change(renderReport([await stackOf(name, stack)], "json")));
  return path;
}

const rowsIn = (report: string) => report.split("<details>")[0]?.match(/^\| <code>.*$/gm) ?? [];
const foldedIn = (report: string) =>
  [...report.matchAll(/^<details><summary><code>([^<]*)<\/code>:? ?([^\n]*)<\/summary>$/gm)].map(
    ([, name, text]) => `${name} ${text}`,
  );

test("a report of several stacks has a table, worst stack first, with each stack's report folded", async () => {
  const previews = await Promise.all([
    stackOf("nothing", "dev"),
    stackOf("update-service", "staging"),
    stackOf("policies-broken", "customer-1"),
    stackOf("provider-changed", "customer-2"),
  ]);
  const report = renderReport(previews, "markdown", { pricePerGbHour: 0.02 });
  const [marker, , , title, , counts] = report.split("\n");
  expect([marker, title]).toEqual(["<!-- clouddb-report shop%2F* -->", "### <code>shop</code>"]);
  expect(counts).toMatch(
    /^\*\*4 stacks: ❌ 1 failed, 2 to review, 1 without changes · cost up to [\d,.]+ per month \(was [\d,.]+\)\*\*$/,
  );
  expect(report).toContain(
    "| stack | changes | cannot be undone | policies | capacity | maximum cost | attention |",
  );
  expect(rowsIn(report)).toEqual([
    expect.stringMatching(/customer-1.* \| ❌ failed, .* \| {2}\| ❌ 3 failed, ⚠️ 1 warned \| /),
    expect.stringMatching(
      /staging.* \| ✏️ 1 to update \| ⚠️ 1 \| {2}\| \+288 GB \(\+150 %\) \| 7,008.00 \|/,
    ),
    expect.stringMatching(/customer-2.* \| 👀 2 \|$/),
  ]);
  expect(report).toContain("\nWithout changes: <code>dev</code>.\n");
  expect(foldedIn(report)).toEqual([
    expect.stringMatching(/^customer-1 ❌ failed, /),
    "staging ✏️ 1 to update",
    expect.stringMatching(/^customer-2 /),
  ]);
  expect(report).toContain("❌ <code>no-open-access</code> failed");
  expect(report).toContain("To apply: <code>pulumi up --stack staging</code>");
  expect(report.match(/<details>/g)?.length).toBe(report.match(/<\/details>/g)?.length);
});

test("columns that are empty for every stack are left out", async () => {
  const previews = await Promise.all([
    stackOf("update-pipe", "staging"),
    stackOf("update-pipe", "dev"),
  ]);
  expect(renderReport(previews, "markdown")).toContain("\n| stack | changes |\n|---|---|\n");
});

/** A stack with this many changes. */
const large = (stack: string, count: number): Analysis => {
  const inputs = { description: "x".repeat(500) };
  const steps = Array.from({ length: count }, (_, index) =>
    stepOf("Service", `service ${index}`, "create", undefined, { inputs, id: "" }),
  );
  return { ...analyze(previewOf(...steps)), stack };
};
const linesOf = (report: string) => report.split("\n");

test("small stacks beside a large stack keep their whole reports", () => {
  const small = ["a", "b", "c"].map((stack) => large(stack, 3));
  const alone = render(small, "markdown", {});
  const report = render([large("huge", 500), ...small], "markdown", {});
  expect(Buffer.byteLength(report)).toBeLessThanOrEqual(65_000);
  expect(Buffer.byteLength(report)).toBeGreaterThan(60_000);
  expect(report).toMatch(/_\d+ details omitted/);
  expect(linesOf(report)).toEqual(expect.arrayContaining(linesOf(alone).slice(-60)));
});

test("two large stacks get equal room", () => {
  const report = render([large("one", 500), large("two", 500)], "markdown", {});
  const [, one = "", two = ""] = report.split(/<details><summary><code>(?:one|two)/);
  expect(Math.abs(one.length - two.length)).toBeLessThan(1000);
});

test("stacks whose reports do not fit are in the table and counted", () => {
  const report = render(
    Array.from({ length: 60 }, (_, index) => large(`stack-${index}`, 50)),
    "markdown",
    {},
  );
  expect(Buffer.byteLength(report)).toBeLessThanOrEqual(65_000);
  expect(rowsIn(report)).toHaveLength(60);
  const [, count] =
    /_(\d+) more stacks to review: their reports do not fit here\._/.exec(report) ?? [];
  expect(foldedIn(report)).toHaveLength(60 - Number(count));
});

test.each(recordingNames)("the JSON report of %s is read without loss", async (name) => {
  const analyses = (await previewsIn(recording(name))).map((preview) => analyze(preview));
  const json = render(analyses, "json", {});
  const { previews, analyses: read } = await readInput(Readable.from([json]), "the test");
  expect(previews).toEqual([]);
  expect(JSON.parse(render(read, "json", {}))).toEqual(JSON.parse(json));
  expect(render(read, "markdown", {})).toBe(render(analyses, "markdown", {}));
});

const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
test.each<[string, (text: string) => string, string]>([
  ["another version", (text) => text.replace('"version": 1', '"version": 2'), "version"],
  ["no stacks", (text) => text.replace(/"stacks": [\s\S]*/, '"stacks": [] }'), "stacks"],
  ["an unknown operation", (text) => text.replaceAll('"update"', '"valueOf"'), "operation"],
  ["a list as a name", (text) => text.replace('"stack": "x"', '"stack": ["x"]'), "stack"],
  ["an infinite number", (text) => text.replace(/"afterGb": \d+/, '"afterGb": 1e999'), "afterGb"],
  ["deep values", (text) => text.replace(/"before": \d+/, `"before": ${deep}`), "too deep"],
  ["a text that is not JSON", (text) => text.slice(0, -9), "is not a preview"],
  ["too much", (text) => text + " ".repeat(10_000_000), "too large"],
])("a JSON report with %s is refused", async (_, change, says) => {
  const text = change(renderReport([await stackOf("update-service", "x")], "json"));
  const reading = readInput(Readable.from([text]), "the test");
  await expect(reading).rejects.toThrow(says);
  await expect(reading).rejects.toThrow(/^the test /);
});

/** Members with a closed list of values. */
const ENUMERATED = /^(operation|stackOperation|outcome|result)$/;
test("a JSON report cannot forge markup", async () => {
  const forged =
    "x</code></details>\n\n# ✅ **approved** @all | <!-- clouddb-report shop%2Fprod -->";
  const text = renderReport([await stackOf("update-service", "x")], "json");
  const everywhere = JSON.parse(
    text.replace(/"notCovered": [^\]]*/, '"notCovered": ['),
    (name, value) => (typeof value === "string" && !ENUMERATED.test(name) ? forged : value),
  );
  const { analyses } = await readInput(Readable.from([JSON.stringify(everywhere)]), "the test");
  const report = render([...analyses, ...analyses], "markdown", {});
  expect(report.match(/<!--/g)).toHaveLength(2);
  expect(report.replace(/<!--.*-->/, "")).not.toMatch(/^# |@all|\*\*approved/m);
  expect(report.match(/<details>/g)?.length).toBe(report.match(/<\/details>/g)?.length);
});

test("events, JSON reports and a missing file become one report with one verdict", async () => {
  const output = join(folder, "report.md");
  const staging = await jsonFile("update-service", "staging");
  const args = ["--stack", "databases", "--project", "shop", "--output", output];
  const { status, stderr } = await runCli({
    args: [
      ...[...args, "--fail-on", "capacity>+5%,replace", staging],
      ...[recordingFile("drift"), join(folder, "customer-7.json")],
    ],
  });
  expect(status).toBe(2);
  expect(stderr.split("\n")).toEqual([
    expect.stringMatching(/customer-7\.json does not exist: the preview ended before/),
    expect.stringMatching(/^clouddb-report: shop\/staging: --fail-on capacity>\+5% holds: /),
    expect.stringMatching(/^clouddb-report: shop\/customer-7: --fail-on capacity>\+5% cannot/),
    expect.stringMatching(/^clouddb-report: shop\/customer-7: --fail-on replace cannot/),
    expect.stringMatching(/^clouddb-report: shop\/customer-7: --fail-on failed holds: the preview/),
    "",
  ]);
  const report = readFileSync(output, "utf8");
  expect(linesOf(report)[0]).toBe("<!-- clouddb-report shop%2Fdatabases -->");
  expect(foldedIn(report)).toEqual([
    "customer-7 ❌ failed",
    expect.stringMatching(/^(staging|production) /),
    expect.stringMatching(/^(staging|production) /),
  ]);
});

test.each([
  ["not there", "no.json", "does not exist"],
  ["a folder", "folder.json", "folder.json cannot be read: EISDIR"],
])(
  "a file that is %s is a failed preview with a stack, and an error without a stack",
  async (_, name, says) => {
    mkdirSync(join(folder, "folder.json"), { recursive: true });
    const file = join(folder, name);
    const stderr = expect.stringContaining(says);
    const alone = ["--stack", "dev", "--project", "shop", file];
    const group = [file, await jsonFile("nothing", "a"), "--project", "shop"];
    for (const [args, marker] of [
      [alone, "shop%2Fdev"],
      [group, "shop%2F*"],
    ] as const) {
      const run = await runCli({ args });
      expect(run).toMatchObject({ status: 2, stderr });
      expect([linesOf(run.stdout)[0], run.stdout]).toEqual([
        `<!-- clouddb-report ${marker} -->`,
        stderr,
      ]);
      expect(await runCli({ args: [...args, "--fail-on", "never"] })).toMatchObject({ status: 1 });
    }
    expect(await runCli({ args: [file] })).toMatchObject({ status: 1, stdout: "", stderr });
  },
);

test("a line that is too long is refused before it is read completely", async () => {
  let chunks = 0;
  const endless = Readable.from(
    (function* () {
      for (const chunk = Buffer.alloc(5_000_000, "x"); chunks < 200; chunks += 1) yield chunk;
    })(),
  );
  await expect(readInput(endless, "the test")).rejects.toThrow(
    "the test is not a preview: it has a line of more than 100000000 characters.",
  );
  expect(chunks).toBeLessThan(50);
});

test("the command line sets names and price of a JSON report", async () => {
  const file = await jsonFile("update-service", "dev");
  const args = ["--stack", "acme/shop/dev", "--price-per-gb-hour", "0.02", file];
  const { status, stdout } = await runCli({ args });
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^<!-- clouddb-report acme%2Fshop%2Fdev -->[\s\S]*cost up to 7,008\.00/),
  ]);
});

const naming = (names: object) => (text: string) =>
  JSON.stringify(JSON.parse(text), (key, value) =>
    key === "stacks" ? [{ ...value[0], ...names }] : value,
  );
const twice = (text: string) =>
  JSON.stringify(JSON.parse(text), (key, value) =>
    key === "stacks" ? [value, value].flat() : value,
  );
const eventsOf = (name: string) => () => recording(name);

describe.each<[string, (text: string) => string, string]>([
  ["another stack", naming({ stack: "prod" }), "shop/prod"],
  ["another project", naming({ project: "network" }), "network/dev"],
  ["several stacks", twice, "2 previews"],
  ["events of another stack", eventsOf("update-service"), "shop/production"],
])("reports with %s", (_, change, content) => {
  const refusal = `dev.json has ${content} instead of the preview of shop/dev: nothing in it is used.`;

  test("a file without a preview is a failed preview of the stack that the file is named after", async () => {
    const files = [await jsonFile("nothing", "dev", change), await jsonFile("nothing", "a")];
    const { status, stdout, stderr } = await runCli({ args: ["--project", "shop", ...files] });
    expect([status, stderr]).toEqual([2, expect.stringContaining(refusal)]);
    expect(foldedIn(stdout)).toEqual(["dev ❌ failed"]);
    const replaced = ["dev", "a"].map((stack) =>
      shortId(markerOf({ organization: "", project: "shop", stack })),
    );
    expect(linesOf(stdout)[1]).toBe(`<!-- clouddb-report replaces ${replaced.join(" ")} -->`);
  });

  test("a file without a preview is a failed preview of the stack in --stack", async () => {
    const file = await jsonFile("nothing", "dev", change);
    const args = ["--stack", "dev", "--project", "shop", file];
    const { status, stdout, stderr } = await runCli({ args });
    expect([status, stderr]).toEqual([2, expect.stringContaining(refusal)]);
    expect(stdout).toMatch(/^<!-- clouddb-report shop%2Fdev -->\n[\s\S]*The preview failed/);
  });
});

test("a JSON report sets neither its organization nor its project", async () => {
  const file = await jsonFile("nothing", "dev", naming({ organization: "acme", project: "" }));
  const { status, stdout } = await runCli({ args: ["--stack", "dev", file] });
  // The folder of the command has the project file of the quickstart.
  expect([status, linesOf(stdout)[0]]).toEqual([
    0,
    "<!-- clouddb-report clouddb-quickstart%2Fdev -->",
  ]);
});

test("two previews of one stack are refused with the stack's name", async () => {
  const file = await jsonFile("nothing", "dev");
  expect(await runCli({ args: ["--project", "shop", file, file] })).toEqual({
    status: 1,
    stdout: "",
    stderr: "clouddb-report: two previews are of the stack shop/dev: pass one for each stack\n",
  });
});

test("--errors is refused with several files", async () => {
  const file = recordingFile("nothing");
  expect(await runCli({ args: ["--errors", file, file, file] })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("--errors belongs to one preview"),
  });
});

test("policies are sorted by result and severity, and policies without severity come last", async () => {
  const finding = (policyName: string, enforcementLevel: string, severity?: unknown) => ({
    policyEvent: {
      ...{ policyName, enforcementLevel, severity, policyPackName: "other" },
      message: `${policyName}.\nwrong`,
    },
  });
  const events = textOf([
    finding("a", "mandatory"),
    finding("b", "mandatory", "low"),
    finding("c", "advisory", "critical"),
    finding("d", "mandatory", "critical"),
    finding("e", "mandatory", "severe"),
    finding("f", "advisory", "medium"),
  ]);
  const report = renderReport([await previewIn(events)], "markdown");
  expect(report.match(/<code>\w<\/code> (failed|warned).*(?=:$)/gm)).toEqual([
    "<code>d</code> failed (critical)",
    "<code>b</code> failed (low)",
    "<code>a</code> failed",
    "<code>e</code> failed",
    "<code>c</code> warned (critical)",
    "<code>f</code> warned (medium)",
  ]);
});
