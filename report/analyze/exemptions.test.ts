import type { PolicySettings } from "../read/settings";
import { endingExemptions, exemptionTable, newExemptions, problemsOfExemptions } from "./exemptions";
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
  ["2027-03-24", ["it ends in 14 days"]],
  ["2027-03-11", ["it ends in 1 day"]],
  ["2027-03-10", ["it ends today"]],
  ["2027-03-09", ["it ended on 2027-03-09"]],
])("an exemption until %s", (until, ends) => {
  const after = settings({ ...entry, until });
  for (const before of [after, undefined]) {
    const reasons = endingExemptions({ before, after }, NOW).map(({ reason }) => reason);
    expect(reasons).toEqual(ends.map((end) => `exemption of analytics until ${until}: partner; ${end}`));
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

test("an exemption and its renewal are new once, in any order", () => {
  const over = { ...entry, until: "2027-03-09" };
  for (const list of [
    [over, entry],
    [entry, over],
  ]) {
    const after = settings(...list);
    expect(newExemptions({ before: after, after })).toEqual([]);
    expect(problemsOfExemptions({ before: after, after }, NOW)).toEqual([]);
    expect(texts(newExemptions({ before: settings(over), after }))).toHaveLength(1);
  }
  const approved = { before: settings(entry), after: settings({ ...entry, approvedBy: "security" }) };
  expect(texts(newExemptions(approved))).toEqual([
    "no-open-access: exemption of analytics until 2027-06-30: partner (approved by security); before: until 2027-06-30: partner",
  ]);
});

test("invalid exemptions are problems, all at once", () => {
  const list = [
    "analytics",
    { ...entry, reason: "" },
    { ...entry, until: "2099-01-01" },
    { ...entry, policy: "no-open-acess", until: "2027-02-30", more: 1 },
  ];
  expect(problemsOfExemptions({ after: settings(...(list as object[])) }, NOW)).toEqual([
    "exemptions.list.0: use an object with policy, resource, reason and until",
    "exemptions.list.1.reason: say why",
    "exemptions.list.2.until: 2099-01-01 is more than 180 days ahead; use 2027-09-06 or earlier",
    expect.stringMatching(/^exemptions.list.3.policy: use one of memory-within-bounds, /),
    "exemptions.list.3.until: use a date such as 2027-03-31",
    "exemptions.list.3 has no setting more",
  ]);
  expect(problemsOfExemptions({ after: { exemptions: { list: {} } } }, NOW)).toEqual([
    "exemptions.list: use a list of exemptions",
  ]);
  const wide = { exemptions: { list: [{ ...entry, until: "2027-12-31" }], maxDays: 300 } };
  expect(problemsOfExemptions({ after: wide }, NOW)).toEqual([]);
});

test("a disabled policy has no exemptions", () => {
  const enabled = settings(entry);
  const disabled = { exemptions: { enforcementLevel: "disabled", list: [entry] } };
  expect(weakenedPolicies({ before: enabled, after: disabled })).toEqual([]);
  expect(weakenedPolicies({ before: disabled, after: enabled })).toHaveLength(1);
  expect(newExemptions({ before: {}, after: { all: "disabled", ...enabled } })).toEqual([]);
});

test("the list begins with what ends first, and leaves invalid entries out", () => {
  const list = [entry, { ...entry, resource: "a|b\nc", until: "2027-03-09" }, { policy: "no-open-access" }];
  expect(
    exemptionTable(settings(...list), NOW),
  ).toBe(`| until | days left | policy | resource | stacks | reason | approved by |
| --- | --- | --- | --- | --- | --- | --- |
| 2027-03-09 | over | no-open-access | a\\|b c | * | partner |  |
| 2027-06-30 | 112 | no-open-access | analytics | * | partner |  |
`);
});
