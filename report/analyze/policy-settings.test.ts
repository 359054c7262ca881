import { weakenedPolicies } from "./policy-settings";

const reasonsOf = (before: object | undefined, after: object) =>
  weakenedPolicies({ before: before as Record<string, unknown>, after: after as Record<string, unknown> }).map(
    ({ name, reason }) => `${name}: ${reason}`,
  );

test.each<[string, object, object, string[]]>([
  ["nothing", { "a-b": "mandatory" }, { "a-b": "mandatory" }, []],
  ["all is disabled", {}, { all: "disabled" }, ["all policies: disabled (was the default level)"]],
  [
    "all are disabled except one",
    { all: "mandatory" },
    { all: "disabled", "a-b": "mandatory" },
    ["all policies: disabled (was mandatory)"],
  ],
  [
    "one is disabled",
    { "a-b": { maxGb: 1 } },
    { "a-b": "disabled" },
    ["a-b: disabled (was the default level)", "a-b: setting maxGb changes from 1 to (none)"],
  ],
  [
    "one is lowered",
    { "a-b": "mandatory" },
    { "a-b": { enforcementLevel: "advisory" } },
    ["a-b: lowered from mandatory to advisory"],
  ],
  ["a level is dropped", { "a-b": "mandatory" }, {}, ["a-b: lowered from mandatory to the default level"]],
  ["a level is raised", { "a-b": "disabled" }, { "a-b": "mandatory" }, []],
  [
    "a limit is raised",
    { "a-b": { maxGb: 16 } },
    { "a-b": { maxGb: 64 } },
    ["a-b: setting maxGb changes from 16 to 64"],
  ],
  ["a limit is lowered, and one is added", { "a-b": { maxGb: 64 } }, { "a-b": { maxGb: 16, maxMonthlyCost: 100 } }, []],
  [
    "a setting is given that may be looser than its default",
    {},
    { "a-b": { widestPrefix: 0, minReplicas: 1, maxIdleTimeoutMinutes: 100_000 } },
    [
      "a-b: setting maxIdleTimeoutMinutes changes from (none) to 100000",
      "a-b: setting minReplicas changes from (none) to 1",
      "a-b: setting widestPrefix changes from (none) to 0",
    ],
  ],
  [
    "a network is allowed",
    { "a-b": { allow: ["1.2.3.4"] } },
    { "a-b": { allow: ["1.2.3.4", "::/0"] } },
    ['a-b: setting allow changes from ["1.2.3.4"] to ["1.2.3.4", "::/0"]'],
  ],
  ["a network is no longer allowed", { "a-b": { allow: ["1.2.3.4"] } }, { "a-b": { allow: [] } }, []],
  [
    "a stack has its own limits",
    {},
    { "a-b": { byStack: { "dev*": { maxGb: 512 } } } },
    ["a-b: setting byStack changes from (none) to { dev*: { maxGb: 512 } }"],
  ],
])("%s", (_, before, after, reasons) => {
  expect(reasonsOf(before, after)).toEqual(reasons);
});

test("without earlier settings, disabled policies are listed", () => {
  expect(reasonsOf(undefined, { all: "advisory", "a-b": "disabled" })).toEqual([
    "a-b: disabled by the policy settings",
  ]);
});
