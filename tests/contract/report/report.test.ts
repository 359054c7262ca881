import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { renderReport } from "../../../report/index";
import { UnreadableInput } from "../../../report/read/input";
import { codeSpan, escapeText } from "../../../report/render/escape";
import { arbitraryPreview } from "./support/arbitrary";
import {
  previewIn,
  previewOf,
  previewsIn,
  recorded,
  recording,
  recordingNames,
  recordings,
  stateOf,
  stepOf,
} from "./support/preview";
import { markdownOf, verdictsOn } from "./support/render";

/** Recorded previews of the real engine, and their reports. CLOUDDB_RECORD=1 rewrites the reports. */
test.each(recordingNames)("the report of %s is unchanged", async (name) => {
  const previews = await previewsIn(recording(name));
  const report = previews.map((preview) => markdownOf(preview)).join("\n");
  const golden = join(recordings, `${name}.md`);
  if (process.env.CLOUDDB_RECORD !== undefined) writeFileSync(golden, report);
  expect(report).toBe(readFileSync(golden, "utf8"));
});

describe("the input", () => {
  test("ignores debug events, which contain secrets", async () => {
    const debug = { sequence: 9, diagnosticEvent: { severity: "debug", message: "canary-secret" } };
    const error = { sequence: 10, diagnosticEvent: { severity: "error", message: "it failed" } };
    const preview = await previewIn(
      [recording("update-service"), JSON.stringify(debug), JSON.stringify(error)].join("\n"),
    );
    const report = markdownOf(preview);
    expect(JSON.stringify(preview)).not.toContain("canary");
    expect(report).toContain("The preview failed");
    expect(report).toContain("- it failed");
  });

  test("may be cut off anywhere, which the report says first", async () => {
    const text = recording("update-service");
    for (const length of [text.length - 500, text.length - 2000, Math.floor(text.length / 2)]) {
      const report = markdownOf(await previewIn(text.slice(0, length)));
      expect(report.split("\n")[4]).toContain("The preview was cut off");
    }
  });

  test("may contain several stacks, one after the other", async () => {
    const staging = recording("drift").replaceAll("production", "staging");
    const previews = await previewsIn(`${recording("update-service")}\n${staging}`);
    expect(previews.map(({ stack }) => stack)).toEqual(["production", "staging"]);
    const markers = previews.map((preview) => markdownOf(preview).split("\n")[0]);
    expect(new Set(markers).size).toBe(2);
  });

  test("may be surrounded by other output", async () => {
    const text = recording("update-service").replaceAll("\n", "\nnpm notice\n");
    expect(markdownOf(await previewIn(text))).toBe(markdownOf(await recorded("update-service")));
  });

  test("may follow other output, which is not stored", async () => {
    const text = `npm warn something\n{ not json\n${recording("update-service")}`;
    expect(markdownOf(await previewIn(text))).toBe(markdownOf(await recorded("update-service")));
  });

  test("shows resources that were deleted outside of Pulumi", async () => {
    const lines = recording("drift")
      .split("\n")
      .map((line) => {
        const event = JSON.parse(line) as {
          resOutputsEvent?: { metadata: { op: string; type: string; new: unknown; diffs?: unknown } };
        };
        const metadata = event.resOutputsEvent?.metadata;
        if (metadata?.op === "refresh" && metadata.type.includes("clouddb"))
          Object.assign(metadata, { new: null, diffs: null });
        return JSON.stringify(event);
      });
    const preview = await previewIn(lines.join("\n"));
    expect(verdictsOn(preview, "drift")).toEqual(["holds"]);
    expect(markdownOf(preview)).toContain("- <code>size</code> no longer exists");
  });

  test.each(["", "no preview", "{", "[]", '{"a":1}'])("is rejected if it is not a preview: %j", async (text) => {
    await expect(previewIn(text)).rejects.toThrow(UnreadableInput);
    await expect(previewIn(text)).rejects.toThrow("the test is not a preview: pass the events of");
  });
});

describe("a report", () => {
  const change = (name: string, inputs: object) =>
    stepOf("Service", name, "create", undefined, stateOf({ inputs, id: "" }));

  test("without changes is one line", () => {
    const report = markdownOf(previewOf());
    expect(report).toMatch(/^<!-- clouddb-report shop%2Fdev -->\n\*\*.*\*\*: no changes\.\n$/);
  });

  test("stays within its limit: details are omitted first, and counted", () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      change(`service ${index}`, { description: "x".repeat(500) }),
    );
    const report = markdownOf(previewOf(...many), { masks: [], maxBytes: 5000 });
    expect(Buffer.byteLength(report)).toBeLessThanOrEqual(5000);
    expect(report).toContain("300 to create");
    expect(report).toMatch(/_\d+ details omitted; run/);
  });

  test("shows no secrets: marked by the engine, defined in field tables, matched by a mask", () => {
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "canary-1" };
    const report = markdownOf(
      previewOf(change("a", { encryptionKey: "canary-2", tags: [{ token: secret }], note: "id canary-3 here" })),
      { masks: [/canary-\d/g] },
    );
    expect(report).not.toContain("canary");
    expect(report.match(/&#91;secret&#93;/g)).toHaveLength(3);
  });

  test("shows all foreign text as plain text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
        for (const output of [escapeText(text), codeSpan(text).slice("<code>".length, -"</code>".length)]) {
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
  ])("cannot be forged by a name such as %j", (name) => {
    const report = markdownOf(previewOf(change(name, { [name]: name })));
    expect(report.match(/<!--/g)).toHaveLength(1);
    expect(report).not.toMatch(/^# /m);
    expect(report).not.toMatch(/@maintainers|#1 |https:\/\/|www\.|\]\(|\u202e/);
    expect(report.match(/<\/details>/g)).toHaveLength(1);
  });
});

test("any report has one marker and only its own markup", () => {
  fc.assert(
    fc.property(arbitraryPreview, (item) => {
      const report = markdownOf(item, { hasDiff: true });
      expect(report.match(/<!--/g)).toHaveLength(1);
      const withoutCode = report.replace(/^(```+)(diff|mermaid)\n[\s\S]*?\n\1$/gm, "");
      const tags = withoutCode.replace(/<!--.*?-->/, "").match(/<[^>]*>/g) ?? [];
      expect(tags.filter((tag) => !/^<\/?(code|details|summary)>$|^<br>$/.test(tag))).toEqual([]);
      expect(withoutCode.match(/<details>/g)?.length).toBe(withoutCode.match(/<\/details>/g)?.length);
    }),
    { numRuns: 300 },
  );
});

describe("other formats", () => {
  test("have the same content: text without markup, and JSON", async () => {
    const update = await recorded("update-service");
    const text = renderReport([update], "text", { masks: [] });
    expect(text).toMatch(/maxReplicaMemoryGb: \d+ → \d+/);
    expect(text).not.toMatch(/[<>]|&#|\*\*/);
    const { stacks } = JSON.parse(renderReport([update], "json", { masks: [] })) as { stacks: object[] };
    const [json] = stacks;
    expect(json).toMatchObject({
      stack: "production",
      outcome: "succeeded",
      capacity: { beforeGb: expect.any(Number) },
    });
    expect(JSON.stringify(json)).not.toContain("4dabf18193072939515e22adb298388d");
  });

  test("masks apply to names, too", async () => {
    const text = recording("update-service").replaceAll("analytics", "canary-1").replaceAll("description", "canary-2");
    for (const format of ["github", "text", "json"] as const) {
      expect(renderReport([await previewIn(text)], format, { masks: [/canary-\d/g] })).not.toContain("canary");
    }
  });

  test.each(["github", "text", "json"] as const)("masks apply to every string of a %s report", async (format) => {
    const all = await Promise.all(recordingNames.map(recorded));
    const texts = ["analytics", "Pulumi program", "memory", "region", "203.0.113", "shop", "pulumi-clouddb-policies"];
    const masks = texts.map((text) => new RegExp(text.replaceAll(".", "\\."), "g"));
    const report = renderReport(all, format, { masks, maxBytes: undefined });
    const about = /"(?:memoryGb|region|capacity)":|memory-within-bounds/g;
    for (const text of texts) expect(report.replace(about, "")).not.toContain(text);
  });

  test("a mask applies to quoted values and never to the report's own words", async () => {
    const text = recording("update-service").replaceAll("partner", 'say \\"canary\\"');
    const preview = await previewIn(text);
    const masks = [/say "canary"/g, /update|create|succeeded/g];
    const { stacks } = JSON.parse(renderReport([preview], "json", { masks })) as { stacks: { counts: object }[] };
    expect(stacks).toMatchObject([{ outcome: "succeeded", counts: { update: 1 }, changes: [{ operation: "update" }] }]);
    const report = renderReport([preview], "github", { masks });
    expect(report).toContain("1 to update");
    expect(report + JSON.stringify(stacks)).not.toContain("canary");
  });

  test("masks apply to messages, too", async () => {
    const broken = await recorded("policies-broken");
    for (const format of ["github", "text", "json"] as const) {
      const report = renderReport([broken], format, { masks: [/0\.0\.0\.0\/0/g] });
      expect(report).not.toContain("0.0.0.0/0");
    }
  });

  test("the digest shows dependencies and the source of unknown values", async () => {
    const state = (inputs: object, more: object = {}) => ({ type: "clouddb:index:Service", inputs, ...more });
    const urn = (name: string) => `urn:pulumi:dev::shop::clouddb:index:Service::${name}`;
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const links = { dependencies: [urn('a"]; click')], propertyDependencies: { dataWarehouseId: [urn('a"]; click')] } };
    const digest = {
      steps: [
        { op: "create", urn: urn('a"]; click'), newState: state({}) },
        { op: "create", urn: urn("b"), newState: state({ dataWarehouseId: unknown }, links) },
      ],
      changeSummary: {},
    };
    const report = markdownOf(await previewIn(JSON.stringify(digest, undefined, 2)));
    expect(report).toContain('graph LR\n  n0["a··· click<br>create"]\n  n1["b<br>create"]\n  n0 --> n1\n');
    expect(report).toMatch(
      /dataWarehouseId<\/code>: <code>known after apply<\/code> from <code>a"&#93;; click<\/code>/,
    );
  });
});
