import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { z } from "zod";
import prices from "../../../examples/ci/prices.json";
import { renderReport } from "../../../report/index";
import { VERSION } from "../../../report/json-report";
import type { Preview } from "../../../report/preview";
import { root } from "../../support/root";
import { arbitraryPreview } from "./support/arbitrary";
import { previewsIn, recorded, recording, recordingNames } from "./support/preview";

/** The JSON report matches its published schema, without undocumented fields. */
const schema = JSON.parse(readFileSync(join(root, "report/report.schema.json"), "utf8")) as object;
const strict = z.fromJSONSchema(closed(schema) as Parameters<typeof z.fromJSONSchema>[0]);

function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const inner = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]));
  const isOpen = "properties" in inner && inner.type === "object" && !("additionalProperties" in inner);
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

function check(previews: readonly Preview[]): void {
  const about = { notice: "from a fork", commit: "abc", runUrl: "https://ci.example/1", time: new Date(0) };
  const json: unknown = JSON.parse(
    renderReport(previews, "json", { masks: [], about, settings: { after: {} }, prices }),
  );
  expect(strict.safeParse(json).error?.issues ?? []).toEqual([]);
  expect(json).toMatchObject({ version: VERSION, about: { time: "1970-01-01T00:00:00.000Z" } });
}

test.each(recordingNames)("%s", async (name) => {
  check(await previewsIn(recording(name)));
});

test("random previews", () => {
  fc.assert(fc.property(fc.array(arbitraryPreview, { minLength: 1, maxLength: 2 }), check), { numRuns: 50 });
});

test("the schema rejects another version, and a report without stacks", () => {
  expect(strict.safeParse({ version: VERSION + 1, about: {}, stacks: [] }).success).toBe(false);
  expect(strict.safeParse({ version: VERSION, about: {} }).success).toBe(false);
  expect(strict.safeParse({ version: VERSION, about: {}, stacks: [] }).success).toBe(true);
});

test.each([
  ["nothing", ["no-changes"]],
  ["replace", ["replace", "irreversible", "failed"]],
  ["drift", ["update", "irreversible", "drift"]],
  ["retained", ["attention"]],
])("%s has the labels %j", async (name, labels) => {
  const json = renderReport([await recorded(name)], "json", { masks: [] });
  const { stacks } = JSON.parse(json) as { stacks: { labels: string[] }[] };
  expect(stacks[0]?.labels).toEqual(labels);
});
