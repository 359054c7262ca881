import type { Exemption } from "pulumi-clouddb-facts/exemptions";
import { isExempted, isInStack } from "./exemptions";
import { forgetRun, setExemptions } from "./run-memory";

afterEach(forgetRun);

const urn = (name: string) => `urn:pulumi:dev::program::clouddb:index:Service::${name}`;
const exemption = (resource: string, more: Partial<Exemption> = {}): Exemption => ({
  policy: "no-open-access",
  resource,
  reason: "partner",
  until: "2999-01-01",
  ...more,
});

test.each([
  ["analytics", "analytics", true],
  ["ana*", "analytics", true],
  ["analytics", "analytics2", false],
  // Names may contain what URNs consist of.
  ["team::analytics", "team::analytics", true],
  ["analytics", "team::analytics", false],
  // Project, stack and type are no part of a name.
  ["*program*", "analytics", false],
  ["*dev*", "analytics", false],
  ["*Service*", "analytics", false],
  [urn("analytics"), "analytics", true],
  ["urn:pulumi:dev::*::analytics", "analytics", true],
  [urn("orders"), "analytics", false],
])("%s exempts %s: %s", (pattern, name, expected) => {
  setExemptions([exemption(pattern)]);
  expect(isExempted("no-open-access", "dev", urn(name))).toBe(expected);
  expect(isExempted("regions-allowed", "dev", urn(name))).toBe(false);
});

test("the longest of several counts, and one that is over exempts nothing", () => {
  const over = exemption("analytics", { until: "2020-01-01" });
  setExemptions([over]);
  expect(isExempted("no-open-access", "dev", urn("analytics"))).toBe(false);
  setExemptions([over, exemption("*")]);
  expect(isExempted("no-open-access", "dev", urn("analytics"))).toBe(true);
});

test("an exemption concerns the stacks that it names, also in a URN", () => {
  expect(isInStack(exemption("analytics", { stack: ["PROD*", "live"] }), "prod-eu")).toBe(true);
  expect(isInStack(exemption("analytics", { stack: "prod" }), "dev")).toBe(false);
  expect(isInStack(exemption(urn("analytics")), "dev")).toBe(true);
  expect(isInStack(exemption(urn("analytics")), "prod")).toBe(false);
});
