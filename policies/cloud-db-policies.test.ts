import exampleForCi from "../examples/ci/policies.json";
import { judge } from "../tests/support/policy";
import { configError } from "./cloud-db-policies";
import { policies, replicasWithinBounds } from "./rules";

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const exempting = (more: object) => ({
  exemptions: {
    list: [{ policy: "no-open-access", resource: "analytics", until: inDays(30), reason: "partner", ...more }],
  },
});

test.each<[string, Record<string, unknown>, string]>([
  ["an unknown policy", { "no-access": "mandatory" }, "unknown policy no-access; use one of memory-within-bounds, "],
  [
    "an unknown level",
    { "no-open-access": "strict" },
    "no-open-access.enforcementLevel: use one of advisory, mandatory",
  ],
  ["an unknown level for all", { all: "strict" }, "all.enforcementLevel"],
  [
    "a level that changes arguments",
    { all: "remediate" },
    "all.enforcementLevel: use one of advisory, mandatory, disabled",
  ],
  [
    "an unknown setting",
    { "memory-within-bounds": { maxGB: 32 } },
    "memory-within-bounds has no setting maxGB; use one of minGb, maxGb, byStack",
  ],
  [
    "one under a stack",
    { "memory-within-bounds": { byStack: { dev: { top: 1 } } } },
    "memory-within-bounds.byStack.dev has no setting top; use one of minGb, maxGb.",
  ],
  [
    "one of a policy without settings",
    { "access-list-required": { min: 1 } },
    "access-list-required has no setting min; remove it, because the policy has no settings",
  ],
  [
    "an unknown bound of a pipe",
    { "pipe-settings-within-bounds": { engineMaxThreads: { top: 1 } } },
    "pipe-settings-within-bounds.engineMaxThreads has no setting top; use one of min, max",
  ],
  [
    "stacks of a wrong type",
    { "memory-within-bounds": { byStack: "dev" } },
    "memory-within-bounds.byStack: use an object keyed by the names of stacks; * matches any characters",
  ],
  [
    "settings of a stack of a wrong type",
    { "memory-within-bounds": { byStack: { dev: 3 } } },
    "memory-within-bounds.byStack.dev: use an object of settings",
  ],
  [
    "bounds of a wrong type",
    { "pipe-settings-within-bounds": { streamingMaxInsertWaitMs: 3 } },
    "pipe-settings-within-bounds.streamingMaxInsertWaitMs: use an object of min and max",
  ],
  [
    "regions of a wrong type",
    { "regions-allowed": { allowed: "aws/eu-*" } },
    "regions-allowed.allowed: use a list of providers and regions",
  ],
  [
    "a wrong type",
    { "memory-within-bounds": { maxGb: "32" } },
    "memory-within-bounds.maxGb: must be an integer from 8 to 356",
  ],
  [
    "a limit outside the specification",
    { "memory-within-bounds": { maxGb: 400 } },
    "from 8 to 356 and a multiple of 4",
  ],
  ["contradictory limits", { "memory-within-bounds": { minGb: 64, maxGb: 32 } }, "minGb 64 is more than maxGb 32"],
  [
    "the same under a stack",
    { "replicas-within-bounds": { min: 4, byStack: { dev: { max: 2 } } } },
    "min 4 is more than max 2",
  ],
  [
    "the same for a pipe",
    { "pipe-settings-within-bounds": { engineMaxThreads: { min: 4, max: 2 } } },
    "engineMaxThreads: min is more than max",
  ],
  [
    "an unknown pipe setting",
    { "pipe-settings-within-bounds": { threads: {} } },
    "pipe-settings-within-bounds has no setting threads",
  ],
  [
    "an invalid prefix length",
    { "no-open-access": { widestPrefix: 33 } },
    "no-open-access.widestPrefix: use a prefix length",
  ],
  ["an invalid network", { "no-open-access": { allow: ["office"] } }, "no-open-access.allow.0: use a network"],
  [
    "an invalid regular expression",
    { "names-follow-convention": { pattern: "(" } },
    "names-follow-convention.pattern: use a valid regular expression",
  ],
  ["what a policy needs to be on", { "regions-allowed": "mandatory" }, "regions-allowed: allowed is empty"],
  ["what it needs when all are on", { all: "mandatory" }, "names-follow-convention: pattern is missing"],
  [
    "a value that is neither a level nor settings",
    { "no-open-access": true, "capacity-budget": null },
    "no-open-access: use a level or an object of settings; capacity-budget: use",
  ],
  ["an empty list of stacks", { "production-is-protected": { stacks: [] } }, "production-is-protected.stacks"],
  [
    "a fraction of a service",
    { "capacity-budget": { maxServices: 1.5 } },
    "capacity-budget.maxServices: use an integer",
  ],
  ["a timeout outside the specification", { "idle-saves-money": { maxIdleTimeoutMinutes: 1 } }, "at least 5"],
  ["an empty text as a list", { exemptions: { list: "" } }, "exemptions.list: use a list of exemptions"],
  ["a cost without a price", { "capacity-budget": { maxMonthlyCost: 100 } }, "maxMonthlyCost needs pricePerGbHour"],
  [
    "the same under a stack",
    { "capacity-budget": { byStack: { dev: { maxMonthlyCost: 100 } } } },
    "maxMonthlyCost needs pricePerGbHour",
  ],
  ["an exemption without a reason", exempting({ reason: "" }), "exemptions.list.0.reason: say why"],
  ["an exemption without a resource", exempting({ resource: undefined }), "exemptions.list.0.resource: use the name"],
  [
    "an exemption with another member",
    exempting({ stack: "prod" }),
    "exemptions.list.0 has no setting stack; use one of policy, resource, until, reason",
  ],
  [
    "an exemption from an unknown policy",
    exempting({ policy: "no-access" }),
    "exemptions: unknown policy no-access; use one of memory-within-bounds",
  ],
  ["an exemption until no day", exempting({ until: "2027-02-30" }), "exemptions.list.0.until: use a date such as"],
  ["an exemption for more than a year", exempting({ until: inDays(367) }), "is more than a year ahead; use 20"],
  ["an empty pattern", { "names-follow-convention": { pattern: "" } }, "pattern: use a regular expression"],
])("%s is named", (_, config, says) => {
  expect(configError(config)).toContain(says);
});

test.each<[string, Record<string, unknown>]>([
  ["nothing", {}],
  ["an exemption for a year", exempting({ until: inDays(365) })],
  ["an exemption that is over", exempting({ until: "2020-01-31" })],
  ["the example for CI", exampleForCi],
  [
    "levels and settings",
    { "memory-within-bounds": { enforcementLevel: "advisory", maxGb: 32 }, "no-open-access": "disabled" },
  ],
  [
    "all advisory, with the settings that they need",
    { all: "advisory", "regions-allowed": { allowed: ["aws/*"] }, "names-follow-convention": { pattern: ".+" } },
  ],
  ["what a disabled policy would need", { "regions-allowed": { byStack: {} } }],
])("%s is sound", (_, config) => {
  expect(configError(config)).toBeUndefined();
});

test("overlapping patterns that contradict each other are rejected when a stack matches both", async () => {
  const settings = { byStack: { "d*": { min: 4 }, "*v": { max: 2 } } };
  const program = { settings, resources: [{ type: "Service", name: "a", args: { numReplicas: 3 } }] } as const;
  expect(configError({ "replicas-within-bounds": settings })).toBeUndefined();
  await expect(judge(replicasWithinBounds, { ...program, stack: "dev" })).rejects.toThrow("min 4 is more than max 2");
  expect((await judge(replicasWithinBounds, { ...program, stack: "test" })).violations).toEqual([]);
});

test("a custom pack reports invalid settings when a policy runs", async () => {
  const program = { settings: { top: 1 }, resources: [{ type: "Service", name: "a", args: {} }] } as const;
  await expect(judge(replicasWithinBounds, program)).rejects.toThrow("replicas-within-bounds has no setting top");
});

test("a custom pack may add policies and omit some of ours", () => {
  const names = ["theirs", "no-open-access"];
  expect(configError({ theirs: { any: 1 }, "no-open-access": "advisory" }, names)).toBeUndefined();
  const error = configError({ "capacity-budget": "mandatory", "no-open-access": { wide: 1 } }, names);
  expect(error).toContain("unknown policy capacity-budget; use one of theirs, no-open-access");
  expect(error).toContain("no-open-access has no setting wide");
});

test("only policies of a custom pack that are not ours may change arguments", () => {
  const config = { theirs: "remediate", "no-open-access": "remediate", "capacity-budget": "remediate" };
  expect(configError(config, Object.keys(config))).toBe(
    "Invalid policy settings: capacity-budget.enforcementLevel, no-open-access.enforcementLevel: use one of advisory, mandatory, disabled.",
  );
});

test("all errors are reported at once", () => {
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
