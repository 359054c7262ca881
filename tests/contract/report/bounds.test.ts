import fc from "fast-check";
import { OPERATIONS } from "../../../report/json-report";
import type { Preview } from "../../../report/preview";
import { fitLines } from "../../../report/render/fit";
import { shortenPair } from "../../../report/render/lines";
import {
  markdownOf,
  previewIn,
  previewOf,
  recorded,
  recording,
  renderReport,
  stepOf,
  textOf,
} from "./support/preview";

/** A comment that is too long cannot be posted, so the limit holds for every input. */

const short = fc.string({ unit: "grapheme", maxLength: 30 });
const long = short.map((part) => `${part || "x"}@<$`.repeat(1000));
const text = fc.oneof({ weight: 6, arbitrary: short }, { weight: 1, arbitrary: long });
/** Also the names of members that every object has. */
const name = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom("valueOf", "toString") },
);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  text,
  fc.array(text),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** Up to `most` entries, sometimes repeated: a report must work for large stacks as well. */
function listOf<T>(arbitrary: fc.Arbitrary<T>, most: number): fc.Arbitrary<T[]> {
  const times = fc.oneof(
    { weight: 4, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 30 }) },
  );
  return fc
    .tuple(fc.array(arbitrary, { maxLength: most }), times)
    .map(([list, times]) => Array(times).fill(list).flat());
}

const state = fc.record({
  id: text,
  inputs: fc.dictionary(name, value),
  outputs: fc.constant({}),
  isProtected: fc.boolean(),
  isRetained: fc.boolean(),
  isPendingDeletion: fc.boolean(),
  provider: text,
});
const operation = fc.constantFrom(...OPERATIONS);
const step = fc.record({
  urn: text,
  type: fc.oneof(
    text,
    fc.constantFrom("clouddb:index:Service", "clouddb:index:Pipe", "pulumi:providers:aws"),
  ),
  name: text,
  operation,
  before: optional(state),
  after: optional(state),
  differing: fc.array(text, { maxLength: 3 }),
  replacing: fc.array(text, { maxLength: 2 }),
  parent: text,
});
const policy = fc.record({
  policy: text,
  pack: text,
  result: fc.constantFrom("failed", "warned", "not checked", "remediated", "passed" as const),
  urn: text,
  message: text,
});
const properties = fc.dictionary(short, text);
const diagnostic = fc.record({ severity: fc.constant("error" as const), urn: text, message: text });

/** Random previews: foreign names, values and messages, some of them very long. */
const anyPreview = fc.record({
  organization: text,
  project: text,
  stack: text,
  command: fc.constantFrom("up", "destroy", "not known", undefined),
  selection: fc.array(fc.oneof(fc.constant("--target"), text), { maxLength: 4 }),
  stackOperation: operation,
  changes: listOf(step, 5),
  drift: fc.array(step, { maxLength: 2 }),
  policies: listOf(policy, 4),
  packs: fc.array(text, { maxLength: 2 }),
  outputs: optional(fc.record({ before: properties, after: properties })),
  summary: optional(fc.dictionary(fc.constantFrom("create", "update", "delete"), fc.nat(9))),
  brokenLines: fc.nat(3),
  notCovered: fc.subarray(["policies", "drift"] as const),
  diagnostics: fc.array(diagnostic, { maxLength: 2 }),
  outcome: fc.constantFrom("succeeded", "failed", "cut off" as const),
}) as fc.Arbitrary<Preview>;

/** 300 services, each of which violates eight policies. */
async function allBroken(): Promise<Preview> {
  const names = Array.from({ length: 300 }, (_, index) => `service ${index}`);
  const violations = names.flatMap((name) =>
    Array.from({ length: 8 }, (_, number) => ({
      policyEvent: {
        resourceUrn: `urn:pulumi:production::shop::pulumi-nodejs:dynamic/clouddb:Service::${name}`,
        message: `Policy ${number}.\nService "${name}": maxReplicaMemoryGb 32 is above the setting maxGb, 16; lower it, or raise the setting for this stack after a review of its cost.\n`,
        policyName: `policy-${number}`,
        policyPackName: "pack",
        enforcementLevel: "mandatory",
      },
    })),
  );
  const lines = recording("create").split("\n");
  const service = lines.filter((line) => line.includes("::analytics")).join("\n");
  const services = names.map((name) => service.replaceAll("analytics", name));
  return previewIn(
    [...lines.slice(0, 3), ...services, textOf(violations), ...lines.slice(-3)].join("\n"),
  );
}

const bytesIn = (report: string) => Buffer.byteLength(report);

test("no report of random previews exceeds its limit, in any format", () => {
  const bounds = fc.oneof(fc.constant(3000), fc.integer({ min: 3000, max: 70_000 }));
  const previews = fc.array(anyPreview, { minLength: 1, maxLength: 9 });
  const formats = fc.constantFrom("markdown", "text" as const);
  fc.assert(
    fc.property(previews, formats, bounds, fc.nat(100), (previews, format, maxBytes, notices) => {
      const notice = "from a fork <b>".repeat(notices);
      const about = { notice, commit: "abc", runUrl: `https://ci.example/${"r".repeat(notices)}` };
      const report = renderReport(previews, format, { maxBytes, about, pricePerGbHour: 0.02 });
      expect(bytesIn(report)).toBeLessThanOrEqual(maxBytes);
      expect(report.trim()).not.toBe("");
      if (notices > 0) expect(report).toMatch(/from a fork/);
    }),
    { numRuns: 100 },
  );
});

test("any report has one marker and only its own markup", () => {
  fc.assert(
    fc.property(anyPreview, (preview) => {
      const report = markdownOf(preview);
      expect(report.match(/<!--/g)).toHaveLength(1);
      const tags = report.replace(/<!--.*?-->/, "").match(/<[^>]*>/g) ?? [];
      expect(tags.filter((tag) => !/^<\/?(code|details|summary)>$/.test(tag))).toEqual([]);
      expect(report.match(/<details>/g)?.length).toBe(report.match(/<\/details>/g)?.length);
    }),
    { numRuns: 300 },
  );
});

test.each([5000, 20_000, undefined])(
  "a report of 300 services that break all policies fits into its limit: %s",
  async (maxBytes) => {
    const report = renderReport([await allBroken()], "markdown", { maxBytes });
    expect(bytesIn(report)).toBeLessThanOrEqual(maxBytes ?? 65_000);
    expect(report).toContain("❌ 2400 policy violations");
    for (let number = 0; number < 8; number += 1)
      expect(report).toContain(`- ❌ <code>policy-${number}</code> failed, 300 times:`);
    if (maxBytes !== undefined) return;
    // A finding that many resources share is listed once, before their names.
    expect(report.match(/maxReplicaMemoryGb 32 is above the setting maxGb, 16/g)).toHaveLength(8);
    expect(report).toMatch(/maxGb, 16; lower it.* \(<code>service 0<\/code>, .* and 295 more\)/);
  },
);

test("many stacks share the limit, and the table keeps the worst stacks if reports do not fit", async () => {
  const [failed, update] = [await allBroken(), await recorded("update-service")];
  const many = [...Array.from({ length: 200 }, () => update), failed];
  for (const maxBytes of [3000, 10_000, 65_000]) {
    const report = renderReport(many, "markdown", { maxBytes });
    expect(bytesIn(report)).toBeLessThanOrEqual(maxBytes);
    expect(report).toMatch(/\|---\|\n\|.*❌ 2400 failed/);
  }
  const two = renderReport([update, failed], "markdown");
  expect(two).toContain("- ❌ <code>policy-7</code> failed, 300 times:");
});

test.each([1, 200])(
  "the shortest report keeps notice, commit and run if the notice repeats %s times",
  async (times) => {
    const update = await recorded("update-service");
    const about = {
      notice: "from a fork ".repeat(times),
      commit: "0123456789abcdef",
      runUrl: "https://ci.example/1",
    };
    for (const maxBytes of [3000, 10_000]) {
      const report = renderReport(Array(200).fill(update), "markdown", { maxBytes, about });
      expect(bytesIn(report)).toBeLessThanOrEqual(maxBytes);
      expect(report.split("\n")[2]).toMatch(/^> from a fork/);
      expect(report).toContain("Commit <code>0123456789ab</code> · [run](https://ci.example/1)");
      expect(report).toMatch(/… and \d+ more stacks/);
    }
  },
);

test("details are omitted first, with their number", () => {
  const inputs = { description: "x".repeat(500) };
  const many = Array.from({ length: 300 }, (_, index) =>
    stepOf("Service", `service ${index}`, "create", undefined, { inputs }),
  );
  const report = markdownOf(previewOf(...many), { maxBytes: 5000 });
  expect(bytesIn(report)).toBeLessThanOrEqual(5000);
  expect(report).toContain("300 to create");
  expect(report).toMatch(/_\d+ details omitted; run/);
});

test("a comment stays within its limit, even if nothing can be omitted", () => {
  const many = Array.from({ length: 700 }, (_, index) =>
    stepOf("Service", `${index}${"x".repeat(100)}`, "delete", {}),
  );
  const report = markdownOf(previewOf(...many));
  expect(bytesIn(report)).toBeLessThan(65_000);
  expect(report).toContain("- … and 660 more");
  const diagnostics = [{ severity: "error" as const, urn: "", message: "y".repeat(100_000) }];
  expect(bytesIn(markdownOf({ ...previewOf(), diagnostics, outcome: "failed" }))).toBeLessThan(
    2000,
  );
});

test("a value of 70 KB hides no later details, and its difference is visible", async () => {
  const long = "x".repeat(70_000);
  const text = recording("update-service").replaceAll(
    '"description":"partner"',
    `"description":"${long}"`,
  );
  const report = renderReport([await previewIn(text)], "markdown");
  expect(report).toMatch(/x… \(700\d\d characters\)/);
  expect(report).toContain("<code>numReplicas</code>: <code>3</code> → <code>4</code>");
  const shortened = shortenPair(`${long}a${long}`, `${long}b${long}`).map((text) =>
    text.slice(0, 43),
  );
  expect(shortened).toEqual([`…${"x".repeat(40)}ax`, `…${"x".repeat(40)}bx`]);
});

test("a line that is too long does not displace later lines", () => {
  const lines = ["- one", `- ${"x".repeat(500)}`, "- two"];
  expect(fitLines({ lines }, 60)).toEqual(["- one", "- two", "- … and 1 more"]);
  expect(fitLines({ lines }, 1000)).toEqual(lines);
});
