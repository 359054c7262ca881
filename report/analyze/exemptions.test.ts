import type { PolicySettings } from "../read/settings";
import { endingExemptions, exemptionRows, newExemptions, problemsOfExemptions } from "./exemptions";
import { weakenedPolicies } from "./policy-settings";

const NOW = new Date("2027-03-10T23:00:00Z");
const entry = { policy: "no-open-access", resource: "analytics", reason: "partner", until: "2027-06-30" };
const settings = (...list: object[]): PolicySettings => ({ exemptions: { list } });
const texts = (warnings: readonly { name: string; reason: string }[]) =>
  warnings.map(({ name, reason }) => `${name}: ${reason}`);

test("new and changed exemptions weaken a policy, removed ones do not", () => {
  const other = { ...entry, resource: "orders", stack: ["prod*", "live"], approvedBy: "security" };
  const files = {
    before: settings(entry, { ...entry, resource: "gone" }),
    after: settings({ ...entry, until: "2027-07-31" }, other),
  };
  expect(texts(newExemptions(files))).toEqual([
    "no-open-access: exemption of analytics until 2027-07-31: partner; before: until 2027-06-30: partner",
    "no-open-access: new exemption of orders in prod*, live until 2027-06-30: partner (approved by security)",
  ]);
  expect(weakenedPolicies(files)).toHaveLength(2);
  expect(weakenedPolicies({ before: {}, after: settings(entry) })).toHaveLength(1);
  expect(weakenedPolicies({ before: files.after, after: files.after })).toEqual([]);
  expect(newExemptions({ after: files.after })).toEqual([]);
  const longer = { before: settings(entry), after: { exemptions: { list: [entry], maxDays: 365 } } };
  expect(texts(weakenedPolicies(longer))).toEqual(["exemptions: setting maxDays changes from (none) to 365"]);
});

test.each([
  ["2027-03-25", []],
  ["2027-03-24", ["It ends in 14 days."]],
  ["2027-03-11", ["It ends in 1 day."]],
  ["2027-03-10", ["It ends today."]],
  ["2027-03-09", ["It ended on 2027-03-09."]],
])("an exemption until %s", (until, ends) => {
  const after = settings({ ...entry, until });
  for (const before of [after, undefined]) {
    const reasons = endingExemptions({ before, after }, NOW).map(({ reason }) => reason);
    expect(reasons).toEqual(ends.map((end) => `exemption of analytics until ${until}: partner. ${end}`));
  }
  // A new one is reported as such.
  expect(endingExemptions({ before: {}, after }, NOW)).toEqual([]);
});

test("an exemption that is over when it is written is a problem, and one that becomes so is not", () => {
  const after = settings({ ...entry, until: "2027-03-09" }, entry);
  expect(problemsOfExemptions({ before: settings(entry), after }, NOW)).toEqual([
    "the exemption of analytics until 2027-03-09: partner is over already",
  ]);
  expect(problemsOfExemptions({ before: after, after }, NOW)).toEqual([]);
});

test("the list begins with what ends first, and leaves invalid entries to the pack", () => {
  const list = [entry, { ...entry, resource: "orders", until: "2027-03-09" }, { policy: "no-open-access" }];
  expect(exemptionRows(settings(...list), NOW)).toEqual([
    ["2027-03-09", "over", "no-open-access", "orders", "*", "partner", ""],
    ["2027-06-30", "112", "no-open-access", "analytics", "*", "partner", ""],
  ]);
  expect(exemptionRows({ exemptions: "advisory" }, NOW)).toEqual([]);
});
