import exampleForCi from "../examples/ci/policies.json";
import { judge } from "../tests/support/policy";
import { configError } from "./cloud-db-policies";
import { matches, matchesStack } from "./core/settings";
import { policies, replicasWithinBounds } from "./rules";

const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const exempting = (more: object) => ({
  exemptions: {
    list: [
      {
        policy: "no-open-access",
        resource: "analytics",
        until: inDays(30),
        reason: "partner",
        ...more,
      },
    ],
  },
});

const memory = (settings: object) => ({ "memory-within-bounds": settings });
const replicas = (settings: object) => ({ "replicas-within-bounds": settings });
const pipe = (settings: object) => ({ "pipe-settings-within-bounds": settings });
const budget = (settings: object) => ({ "capacity-budget": settings });
const access = (settings: unknown) => ({ "no-open-access": settings });

test.each<[Record<string, unknown>, string]>([
  [{ "no-access": "mandatory" }, "unknown policy no-access; use one of memory-within-bounds, "],
  [access("strict"), "no-open-access.enforcementLevel: use one of advisory, mandatory"],
  [{ all: "strict" }, "all.enforcementLevel"],
  // No policy of ours changes arguments.
  [{ all: "remediate" }, "all.enforcementLevel: use one of advisory, mandatory, disabled"],
  [
    memory({ maxGB: 32 }),
    "memory-within-bounds has no setting maxGB; did you mean maxGb? Otherwise, use one of minGb, maxGb, byStack",
  ],
  [
    memory({ byStack: { dev: { top: 1 } } }),
    "-bounds.byStack.dev has no setting top; use one of minGb, maxGb.",
  ],
  [
    { "access-list-required": { min: 1 } },
    "has no setting min; remove it, because the policy has no settings",
  ],
  [pipe({ threads: {} }), "pipe-settings-within-bounds has no setting threads"],
  [
    pipe({ engineMaxThreads: { top: 1 } }),
    "-bounds.engineMaxThreads has no setting top; use one of min, max",
  ],
  [pipe({ engineMaxThreads: { min: 4, max: 2 } }), "engineMaxThreads: min is more than max"],
  [
    pipe({ streamingMaxInsertWaitMs: 3 }),
    "-bounds.streamingMaxInsertWaitMs: use an object of min and max",
  ],
  [
    memory({ byStack: "dev" }),
    "byStack: use an object keyed by the names of stacks; * matches any characters",
  ],
  [memory({ byStack: { dev: 3 } }), "memory-within-bounds.byStack.dev: use an object of settings"],
  [
    { "regions-allowed": { allowed: "aws/*" } },
    "regions-allowed.allowed: use a list of providers and regions",
  ],
  [memory({ maxGb: "32" }), "memory-within-bounds.maxGb: must be an integer from 8 to 356"],
  [memory({ maxGb: 400 }), "from 8 to 356 and a multiple of 4"],
  [memory({ minGb: 64, maxGb: 32 }), "minGb 64 is more than maxGb 32"],
  [replicas({ min: 4, byStack: { dev: { max: 2 } } }), "min 4 is more than max 2"],
  [access({ widestPrefix: 33 }), "no-open-access.widestPrefix: use a prefix length"],
  [access({ allow: ["office"] }), "no-open-access.allow.0: use a network"],
  [
    { "names-follow-convention": { pattern: "(" } },
    "convention.pattern: use a valid regular expression",
  ],
  [{ "names-follow-convention": { pattern: "" } }, "pattern: use a regular expression"],
  [{ "regions-allowed": "mandatory" }, "regions-allowed: allowed is empty"],
  [{ all: "mandatory" }, "names-follow-convention: pattern is missing"],
  [
    { ...access(true), "capacity-budget": null },
    "access: use a level or an object of settings; capacity-budget: use",
  ],
  [{ "production-is-protected": { stacks: [] } }, "production-is-protected.stacks"],
  [budget({ maxServices: 1.5 }), "capacity-budget.maxServices: use an integer"],
  [budget({ maxMonthlyCost: 100 }), "maxMonthlyCost needs pricePerGbHour"],
  [budget({ byStack: { dev: { maxMonthlyCost: 100 } } }), "maxMonthlyCost needs pricePerGbHour"],
  [{ "idle-saves-money": { maxIdleTimeoutMinutes: 1 } }, "at least 5"],
  [{ exemptions: { list: "" } }, "exemptions.list: use a list of exemptions"],
  [exempting({ reason: "" }), "exemptions.list.0.reason: say why"],
  [exempting({ resource: undefined }), "exemptions.list.0.resource: use the name"],
  [
    exempting({ stack: "prod" }),
    "list.0 has no setting stack; use one of policy, resource, type, until, reason",
  ],
  [
    exempting({ policy: "no-access" }),
    "exemptions: unknown policy no-access; use one of memory-within-bounds",
  ],
  [exempting({ until: "2027-02-30" }), "exemptions.list.0.until: use a date such as"],
  [exempting({ until: inDays(367) }), "is more than a year ahead; use 20"],
])("an error names each invalid setting: %j", (config, says) => {
  expect(configError(config)).toContain(says);
});

test.each<[string, Record<string, unknown>]>([
  ["no settings", {}],
  ["an exemption for a year", exempting({ until: inDays(365) })],
  ["an exemption that is over", exempting({ until: "2020-01-31" })],
  ["the example for CI", exampleForCi],
  [
    "levels and settings",
    { ...memory({ enforcementLevel: "advisory", maxGb: 32 }), ...access("disabled") },
  ],
  [
    "all policies advisory, with their required settings",
    {
      all: "advisory",
      "regions-allowed": { allowed: ["aws/*"] },
      "names-follow-convention": { pattern: ".+" },
    },
  ],
  ["incomplete settings of a disabled policy", { "regions-allowed": { byStack: {} } }],
])("a configuration with %s is valid", (_, config) => {
  expect(configError(config)).toBeUndefined();
});

test("overlapping patterns that contradict each other are rejected when a stack matches both", async () => {
  const settings = { byStack: { "d*": { min: 4 }, "*v": { max: 2 } } };
  const program = {
    settings,
    resources: [{ type: "Service", name: "a", args: { numReplicas: 3 } }],
  } as const;
  expect(configError({ "replicas-within-bounds": settings })).toBeUndefined();
  await expect(judge(replicasWithinBounds, { ...program, stack: "dev" })).rejects.toThrow(
    "min 4 is more than max 2",
  );
  expect((await judge(replicasWithinBounds, { ...program, stack: "test" })).violations).toEqual([]);
});

test("a custom pack reports invalid settings when a policy runs", async () => {
  const program = {
    settings: { top: 1 },
    resources: [{ type: "Service", name: "a", args: {} }],
  } as const;
  await expect(judge(replicasWithinBounds, program)).rejects.toThrow(
    "replicas-within-bounds has no setting top",
  );
});

test("a custom pack may add policies and omit some of this package", () => {
  const names = ["theirs", "no-open-access"];
  expect(configError({ theirs: { any: 1 }, "no-open-access": "advisory" }, names)).toBeUndefined();
  const error = configError(
    { "capacity-budget": "mandatory", "no-open-access": { wide: 1 } },
    names,
  );
  expect(error).toContain("unknown policy capacity-budget; use one of theirs, no-open-access");
  expect(error).toContain("no-open-access has no setting wide");
});

test("a policy of a custom pack may change arguments, but none of this package may", () => {
  const config = {
    theirs: "remediate",
    "no-open-access": "remediate",
    "capacity-budget": "remediate",
  };
  expect(configError(config, Object.keys(config))).toBe(
    "Invalid policy settings: capacity-budget.enforcementLevel, no-open-access.enforcementLevel: use one of advisory, mandatory, disabled.",
  );
});

test("all errors in settings are reported at once", () => {
  const error = configError({ "no-such": "mandatory", "no-open-access": { wide: 1, open: 2 } });
  expect(error).toMatch(/unknown policy no-such.*no setting wide.*no setting open/);
});

test("each policy has a distinct name, a level and a distinct description", () => {
  expect(policies.length).toBeGreaterThan(0);
  expect(new Set(policies.map(({ name }) => name)).size).toBe(policies.length);
  expect(new Set(policies.map(({ description }) => description)).size).toBe(policies.length);
  // The levels themselves stand in docs/policies.md, which is generated.
  for (const { enforcementLevel } of policies)
    expect(["mandatory", "advisory", "disabled"]).toContain(enforcementLevel);
});

test.each([
  ["dev", "dev", true],
  ["dev", "dev2", false],
  ["*", "", true],
  ["d*v", "dv", true],
  ["de*ev", "dev", false],
  ["*a*b*", "xaxbx", true],
  ["*a*b*", "xbxax", false],
  ["a*b*b", "ab", false],
  ["*", "a\nb", true],
  ["a.c", "abc", false],
  ["x".repeat(100_000), "x", false],
  ["*a".repeat(5000), "a".repeat(4999), false],
  [["a", "b*"] as const, "bc", true],
])("the pattern %.20j matches the text %.20j: %s", (patterns, text, expected) => {
  expect(matches(patterns, text)).toBe(expected);
});

test("patterns match stacks in any case", () => {
  expect(matchesStack("PROD*", "prod-eu")).toBe(true);
});
