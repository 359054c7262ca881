import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import prices from "../../../examples/ci/prices.json";
import { policies } from "../../../policies/rules";
import { problemsOfExemptions } from "../../../report/analyze/exemptions";
import { analyze, readPreviews } from "../../../report/index";
import { UnreadableInput } from "../../../report/read/input";
import { hashOf } from "../../../report/render/hash";
import { renderJunit } from "../../../report/render/junit";
import { FORMATS, render } from "../../../report/render/render";
import { renderSarif } from "../../../report/render/sarif";
import { runCli } from "../../contract/report/support/cli";
import { recording, recordingNames } from "../../contract/report/support/preview";
import { CANARY, type Edit, edit, edited, junk, texts } from "./fuzz";

/** Event streams and files for the report. */

const SECRET = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify([CANARY, { [CANARY]: CANARY }]),
};
const INTERNAL = /\n\s+at |TypeError|RangeError|Cannot read propert|is not a function|call stack/;

/** Recorded events, with lines that are changed, cut off, repeated, moved, missing or something else. */
const lineEdit = fc.record({
  line: fc.nat(),
  to: fc.nat(),
  how: fc.constantFrom("change", "change", "change", "hide", "cut", "drop", "repeat", "move", "garbage"),
  edit,
  garbage: fc.oneof(
    texts,
    fc.json(),
    junk.map((value) => JSON.stringify({ sequence: 1, resourcePreEvent: value })),
    junk.map((value) => JSON.stringify({ sequence: 1, diagnosticEvent: { severity: "error", message: value } })),
    junk.map((value) => JSON.stringify({ steps: value, diagnostics: value })),
  ),
});

export const streams = fc
  .tuple(
    fc.array(fc.constantFrom(...recordingNames.filter((name) => name !== "300-resources")), {
      minLength: 1,
      maxLength: 2,
    }),
    fc.array(lineEdit, { maxLength: 5 }),
  )
  .map(([names, changes]) => {
    const lines = names.flatMap((name) => recording(name).split("\n"));
    // Last, so that the marks of secrets stay.
    const sorted = [...changes].sort((one, other) => Number(one.how === "hide") - Number(other.how === "hide"));
    for (const { line, to, how, edit, garbage } of sorted) {
      const at = line % Math.max(1, lines.length);
      const [text = "", target] = [lines[at], to % Math.max(1, lines.length)];
      if (how === "change") lines[at] = changedLine(text, edit);
      else if (how === "hide")
        lines[at] = text.replace(/"inputs":\{(?=")/g, `"inputs":{"hidden":${JSON.stringify(SECRET)},`);
      else if (how === "cut") lines[at] = text.slice(0, to % (text.length + 1));
      else if (how === "garbage") lines.splice(at, 0, garbage);
      else {
        if (how !== "repeat") lines.splice(at, 1);
        if (how !== "drop") lines.splice(target, 0, text);
      }
    }
    return lines.join("\n");
  });

function changedLine(text: string, change: Edit): string {
  try {
    return JSON.stringify(edited(JSON.parse(text), change));
  } catch {
    return text;
  }
}

/** Settings of policies with exemptions, and prices, with some of their places changed. */
const exemption = {
  policy: "no-open-access",
  resource: "a*",
  reason: "why",
  until: "2026-12-01",
  stack: ["dev*"],
  approvedBy: "b",
};
const edits = fc.array(edit, { maxLength: 3 });
const changedFile = (value: object) =>
  fc.oneof(
    { weight: 6, arbitrary: edits.map((all) => JSON.stringify(all.reduce<unknown>(edited, value))) },
    { weight: 1, arbitrary: fc.oneof(texts, fc.json()) },
  );

const settings = {
  ...Object.fromEntries(policies.map(({ name, definition }) => [name, { ...definition.bad.settings }])),
  "memory-within-bounds": { maxGb: 120, byStack: { "*dev*": { maxGb: 32 } } },
  "production-is-protected": "mandatory",
  exemptions: { maxDays: 90, list: [exemption, { ...exemption, resource: "b" }] },
};
export const settingsFiles = changedFile(settings);
export const priceFiles = changedFile({
  ...prices,
  byService: { "a*": { activeHoursPerDay: 3 } },
  byStack: { "*dev*": { activeHoursPerDay: 2, byService: { b: { activeHoursPerDay: 1 } } } },
});

/** What is wrong with the reports on a stream, in all formats. */
export async function reportProblem(stream: string): Promise<string | undefined> {
  const texts: string[] = [];
  try {
    const previews = await readPreviews(Readable.from([stream]), "the input");
    const files = { before: {}, after: settings };
    problemsOfExemptions(files);
    const analyses = previews.map((preview) => analyze(preview, { masks: [], settings: files, prices }));
    for (const format of FORMATS) texts.push(render(analyses, format, { hasDiff: true, about: {} }));
    texts.push(hashOf(analyses), renderJunit(analyses), renderSarif(analyses, { folder: "", file: "Pulumi.yaml" }));
  } catch (error) {
    if (!(error instanceof UnreadableInput)) return `${(error as Error).stack}`;
    texts.push(error.message);
  }
  const leak = texts.find((text) => text.includes(CANARY));
  return leak === undefined ? undefined : `a secret is in the report: ${around(leak, CANARY)}`;
}

const around = (text: string, part: string) => text.slice(Math.max(0, text.indexOf(part) - 200)).slice(0, 500);

export const commands = fc.record({
  input: streams,
  settings: settingsFiles,
  before: settingsFiles,
  prices: priceFiles,
  errors: texts,
  args: fc.subarray([
    ["--policies", "settings.json"],
    ["--prices", "prices.json"],
    ["--errors", "errors"],
    ["--sarif", "out.sarif", "--positions", "positions"],
    ["--junit", "out.xml"],
    ["--json", "out.json"],
    ["--output", "out", "--hash"],
    ["--diff"],
    ["--fail-on", "failed,changes,cost>+5%"],
    ["--comment-if", "changes"],
    ["--stack", "dev"],
  ]),
  hasBefore: fc.boolean(),
  isExemptions: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
});

/** What is wrong with the command, with these files in a folder. */
export async function commandProblem(
  folder: string,
  command: typeof commands extends fc.Arbitrary<infer C> ? C : never,
) {
  const { input, args, hasBefore, isExemptions, ...contents } = command;
  mkdirSync(folder, { recursive: true });
  const files = { "settings.json": contents.settings, "before.json": contents.before, "prices.json": contents.prices };
  for (const [name, text] of Object.entries({ ...files, errors: contents.errors, positions: input })) {
    writeFileSync(join(folder, name), text);
  }
  const named = args
    .flat()
    .map((arg) => (arg in { ...files, errors: 1, positions: 1 } || arg.startsWith("out") ? join(folder, arg) : arg));
  const before = hasBefore && named.includes("--policies") ? ["--policies-before", join(folder, "before.json")] : [];
  const { status, stdout, stderr } = await runCli(
    isExemptions ? { args: ["exemptions", join(folder, "settings.json")] } : { args: [...named, ...before], input },
  );
  if (![0, 1, 2].includes(status ?? -1)) return `it exits with ${status}: ${stderr}`;
  const said = `${stdout}\n${stderr}`;
  if (said.includes(CANARY)) return `a secret is printed: ${around(said, CANARY)}`;
  if (INTERNAL.test(stderr)) return stderr;
  if (stderr !== "" && !/^clouddb-report: /.test(stderr)) return `this is no sentence: ${stderr}`;
  return undefined;
}
