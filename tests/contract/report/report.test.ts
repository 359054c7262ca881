import { Readable } from "node:stream";
import fc from "fast-check";
import { escapeMarkdown } from "../../../facts";
import { decodeEntity, ENTITY } from "../../../facts/text";
import { analyze } from "../../../report/analyze/analyze";
import type { Preview } from "../../../report/preview";
import { readPreviews, UnreadableInput } from "../../../report/read/input";
import { blocksOf } from "../../../report/render/blocks";
import { codeSpan } from "../../../report/render/lines";
import {
  markdownOf,
  previewIn,
  previewOf,
  previewsIn,
  recorded,
  recording,
  recordingNames,
  renderReport,
  SECRET,
  stepOf,
  textOf,
} from "./support/preview";

/** Recorded previews of the real engine, and their reports. */
test.each(recordingNames)("the report of %s is unchanged", async (name) => {
  const previews = await previewsIn(recording(name));
  expect(previews.map((preview) => markdownOf(preview)).join("\n")).toMatchSnapshot();
});

test("debug events, which contain secrets, are not read", async () => {
  const debug = { diagnosticEvent: { severity: "debug", message: "canary-secret" } };
  const error = { diagnosticEvent: { severity: "error", message: "it failed" } };
  const preview = await previewIn(`${recording("update-service")}\n${textOf([debug, error])}`);
  const report = markdownOf(preview);
  expect(JSON.stringify(preview)).not.toContain("canary");
  expect(report).toContain("The preview failed");
  expect(report).toContain("- it failed");
});

test("a preview that is cut off anywhere is reported as cut off, first of all", async () => {
  const text = recording("update-service");
  for (const length of [text.length - 500, text.length - 2000, Math.floor(text.length / 2)]) {
    const report = markdownOf(await previewIn(text.slice(0, length)));
    expect(report.split("\n")[4]).toContain("The preview was cut off");
  }
});

test("several stacks in one input get one report each", async () => {
  const staging = recording("drift").replaceAll("production", "staging");
  const previews = await previewsIn(`${recording("update-service")}\n${staging}`);
  expect(previews.map(({ stack }) => stack)).toEqual(["production", "staging"]);
  const markers = previews.map((preview) => markdownOf(preview).split("\n")[0]);
  expect(new Set(markers).size).toBe(2);
});

test("other output around events is ignored and not stored", async () => {
  const text = `npm warn something\n{ not json\n${recording("update-service").replaceAll("\n", "\nnpm notice\n")}`;
  expect(markdownOf(await previewIn(text))).toBe(markdownOf(await recorded("update-service")));
});

const update = recording("update-service");
const utf16 = Buffer.from(`\ufeff${update}`, "utf16le");
test.each<[string, Buffer]>([
  ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${update}`)],
  ["UTF-16, as PowerShell redirects it", utf16],
  ["UTF-16 of the other byte order", Buffer.from(utf16).swap16()],
  ["without numbers of events", Buffer.from(update.replace(/"sequence":\d+,/g, ""))],
])("events are read as %s", async (_, bytes) => {
  const [preview] = await readPreviews(Readable.from([bytes]), "the test");
  expect(markdownOf(preview as Preview)).toBe(markdownOf(await recorded("update-service")));
});

test("policies with the same name in two packs are two rows", async () => {
  const packs = ["a", "b"].map((policyPackName) => ({
    policyAnalyzeSummaryEvent: { policyPackName, passed: ["tidy"] },
  }));
  const policyEvent = { message: "No.", policyName: "tidy", policyPackName: "a" };
  const preview = await previewIn(textOf([{ preludeEvent: {} }, ...packs, { policyEvent }]));
  expect(preview.policies.map(({ pack, result }) => [pack, result])).toEqual([
    ["a", "failed"],
    ["b", "passed"],
  ]);
  expect(markdownOf(preview)).toContain("<code>a/tidy</code> failed");
});

test("rendering 300 policies reads each policy a few times", async () => {
  let reads = 0;
  const policies = Array.from({ length: 300 }, (_, index) => ({
    ...{ pack: "a", result: "passed" as const, count: 1, findings: [] },
    get policy() {
      reads += 1;
      return `policy-${index}`;
    },
  }));
  blocksOf({ ...analyze(await recorded("nothing")), policies });
  expect(reads).toBeLessThan(10 * policies.length);
});

test("the stack's name in the command to apply is quoted for a shell", async () => {
  const preview = { ...(await recorded("update-service")), stack: "it's; id" };
  expect(markdownOf(preview).replace(ENTITY, decodeEntity)).toContain(
    String.raw`pulumi up --stack 'it'\''s; id'<`,
  );
});

const digest = { config: {}, steps: [], diagnostics: [], changeSummary: { create: 1 } };
test.each([
  "",
  "no preview",
  "{",
  "[]",
  '{"a":1}',
  '{"sequence":1,"level":"info","message":"a line of a log"}',
  ...[0, 4].map((space) => JSON.stringify(digest, undefined, space)),
  '{"sequence":1,"policyEvent":{"policyName":"x"}}',
  '{"sequence":1,"resourcePreEvent":{}}',
  '{"sequence":1,"policyEvent":{"policyName":{},"policyPackName":"x","message":"x"}}',
  '{"sequence":1,"resourcePreEvent":{"metadata":{"op":"update","urn":"a::b","type":"c","keys":[{}]}}}',
  '{"sequence":1,"summaryEvent":{"resourceChanges":{"create":[]}}}',
])("an input that is not a preview is refused: %j", async (text) => {
  await expect(previewIn(text)).rejects.toThrow(
    new UnreadableInput(
      "the test is not a preview: pass the engine events of `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json`; without that variable, it prints one object that lacks policy results and drift.",
    ),
  );
});

const change = (name: string, inputs: object) =>
  stepOf("Service", name, "create", undefined, { inputs, id: "" });

test("a report shows no secrets marked by the engine or defined in field tables", () => {
  const secret = { ...SECRET, ciphertext: "canary-1" };
  const report = markdownOf(
    previewOf(change("a", { encryptionKey: "canary-2", tags: [{ token: secret }] })),
  );
  expect(report).not.toContain("canary");
  expect(report.match(/&#91;secret&#93;/g)).toHaveLength(2);
});

test("a report shows all foreign text as plain text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      for (const output of [
        escapeMarkdown(text),
        codeSpan(text).slice("<code>".length, -"</code>".length),
      ]) {
        expect(output).not.toMatch(/[\n\r<>|`*_[\]]/);
        expect(output).not.toMatch(/[@#](?!&#8203;)(?<!&#)/);
      }
    }),
  );
});

test.each([
  "x</code></details>\n\n# ✅ **approved**",
  "| a | b |\n|---|---|",
  "@maintainers merge #1 https://evil.example www.evil.example",
  "<!-- clouddb-report shop%2Fprod -->",
  "[click](javascript:alert(1)) ![](http://evil.example/x.png)",
  "\u202eevil\u202c",
])("a report cannot be forged by a name such as %j", (name) => {
  const report = markdownOf(previewOf(change(name, { [name]: name })));
  expect(report.match(/<!--/g)).toHaveLength(1);
  expect(report).not.toMatch(/^# /m);
  expect(report).not.toMatch(/@maintainers|#1 |https:\/\/|www\.|\]\(|\u202e/);
  expect(report.match(/<\/details>/g)).toHaveLength(1);
});

const about = {
  notice: "Preview of a fork, against the simulator: <b>@maintainers</b>",
  commit: "0123456789abcdef",
  runUrl: "https://ci.example/runs/1",
  time: new Date("2026-11-21T22:44:00Z"),
};

test.each(["update-service", "nothing"])(
  "the report of %s begins with its notice and its origin",
  async (name) => {
    const lines = renderReport([await recorded(name)], "markdown", { about }).split("\n");
    const [, notice, , origin] = lines.filter((line) => line !== "");
    expect(notice).toBe(
      "> Preview of a fork, against the simulator: &#60;b&#62;@&#8203;maintainers&#60;/b&#62;",
    );
    expect(origin).toBe(
      "Commit <code>0123456789ab</code> · [run](https://ci.example/runs/1) · 2026-11-21 22:44 UTC",
    );
  },
);

test("the text format shows a link as its URL", async () => {
  const text = renderReport([await recorded("update-service")], "text", {
    about: { ...about, notice: "" },
  });
  expect(text).toContain("run: https://ci.example/runs/1");
  expect(text).toMatch(/maxReplicaMemoryGb: \d+ → \d+/);
  expect(text).not.toMatch(/[<>]|&#|\*\*/);
});

test("the JSON report has a version, its origin and one analysis for each stack", async () => {
  const previews = [await recorded("update-service"), await recorded("nothing")];
  const report = renderReport(previews, "json", { about, pricePerGbHour: 0.02 });
  expect(JSON.parse(report)).toMatchObject({
    version: 1,
    about: { ...about, time: "2026-11-21T22:44:00.000Z" },
    stacks: [
      {
        project: "shop",
        stack: "production",
        outcome: "succeeded",
        counts: { update: 1 },
        capacity: { beforeGb: expect.any(Number), monthlyCost: {} },
      },
      { project: "shop", stack: "production", counts: {}, changes: [] },
    ],
  });
  expect(report).not.toContain("4dabf18193072939515e22adb298388d");
});
