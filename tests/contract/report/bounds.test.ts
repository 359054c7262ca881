import fc from "fast-check";
import type { Preview } from "../../../report/preview";
import { arbitraryPreview } from "./support/arbitrary";
import { previewIn, recorded, recording, textOf } from "./support/preview";
import { renderReport } from "./support/render";

/** A comment that is too long cannot be posted, so the limit holds for every input. */

/** 300 services, each of which violates eight policies. */
async function allBroken(): Promise<Preview> {
  const violations = Array.from({ length: 300 }, (_, index) => `service ${index}`).flatMap((name) =>
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
  const service = lines.filter((line) => line.includes("::analytics"));
  const services = Array.from({ length: 300 }, (_, index) =>
    service.join("\n").replaceAll("analytics", `service ${index}`),
  );
  return previewIn([...lines.slice(0, 3), ...services, textOf(violations), ...lines.slice(-3)].join("\n"));
}

test("random previews, formats and limits: no report exceeds its limit", () => {
  const bounds = fc.oneof(fc.constant(3000), fc.integer({ min: 3000, max: 70_000 }));
  fc.assert(
    fc.property(
      fc.array(arbitraryPreview, { minLength: 1, maxLength: 9 }),
      fc.constantFrom("markdown", "text" as const),
      bounds,
      fc.nat(100),
      (previews, format, maxBytes, notices) => {
        const about = {
          notice: "from a fork <b>".repeat(notices),
          commit: "abc",
          runUrl: `https://ci.example/${"r".repeat(notices)}`,
        };
        const report = renderReport(previews, format, { maxBytes, about, pricePerGbHour: 0.02 });
        expect(Buffer.byteLength(report)).toBeLessThanOrEqual(maxBytes);
        expect(report.trim()).not.toBe("");
        if (notices > 0) expect(report).toMatch(/from a fork/);
      },
    ),
    { numRuns: 100 },
  );
});

test.each([5000, 20_000, undefined])("300 services with all policies broken fit into %s", async (maxBytes) => {
  const report = renderReport([await allBroken()], "markdown", { maxBytes });
  expect(Buffer.byteLength(report)).toBeLessThanOrEqual(maxBytes ?? 65_000);
  expect(report).toContain("❌ 2400 policy violations");
  for (let number = 0; number < 8; number += 1) {
    expect(report).toContain(`- ❌ <code>policy-${number}</code> failed, 300 times:`);
  }
});

test("a finding that many resources share is listed once, before their names", async () => {
  const report = renderReport([await allBroken()], "markdown");
  expect(report.match(/maxReplicaMemoryGb 32 is above the setting maxGb, 16/g)).toHaveLength(8);
  expect(report).toMatch(/maxGb, 16; lower it.* \(<code>service 0<\/code>, .* and 295 more\)/);
});

test("many stacks share the limit; if there is no room for a report of each, each gets a line", async () => {
  const [failed, update] = [await allBroken(), await recorded("update-service")];
  const many = [...Array.from({ length: 200 }, () => update), failed];
  for (const maxBytes of [3000, 10_000, 65_000]) {
    const report = renderReport(many, "markdown", { maxBytes });
    expect(Buffer.byteLength(report)).toBeLessThanOrEqual(maxBytes);
    expect(report.split("\n")[2]).toContain("❌ 2400 policy violations");
  }
  const two = renderReport([update, failed], "markdown");
  expect(two).toContain("- ❌ <code>policy-7</code> failed, 300 times:");
});

test.each([1, 200])("the shortest form has notice, commit and run: %s times", async (times) => {
  const update = await recorded("update-service");
  const about = { notice: "from a fork ".repeat(times), commit: "0123456789abcdef", runUrl: "https://ci.example/1" };
  for (const maxBytes of [3000, 10_000]) {
    const report = renderReport(Array(200).fill(update), "markdown", { maxBytes, about });
    expect(Buffer.byteLength(report)).toBeLessThanOrEqual(maxBytes);
    expect(report.split("\n")[2]).toMatch(/^> from a fork/);
    expect(report).toContain("Commit <code>0123456789ab</code> · [run](https://ci.example/1)");
    expect(report).toMatch(/… and \d+ more stacks/);
  }
});

test("a value of 70 KB hides no later details, and its difference is visible", async () => {
  const long = "x".repeat(70_000);
  const text = recording("update-service").replaceAll('"description":"partner"', `"description":"${long}"`);
  const report = renderReport([await previewIn(text)], "markdown");
  expect(report).toMatch(/x… \(700\d\d characters\)/);
  expect(report).toContain("<code>numReplicas</code>: <code>3</code> → <code>4</code>");
});
