import { writeFileSync } from "node:fs";
import { join } from "node:path";
import example from "../../examples/ci/prices.json";
import { judge, type Program, UNKNOWN } from "../../tests/support/policy";
import { temporaryFolder } from "../../tests/support/temporary-folder";
import { configError } from "../pack/config";
import { capacityBudget } from "./capacity-budget";

const PRICES = join(__dirname, "../../examples/ci/prices.json");
beforeEach(() => {
  process.env.CLOUDDB_PRICES = PRICES;
});
afterEach(() => {
  delete process.env.CLOUDDB_PRICES;
});

const VIRGINIA = { provider: "aws", region: "us-east-1" };
const size = { maxReplicaMemoryGb: 64, numReplicas: 3 };
const service = (name: string, args: object, outputs?: object) =>
  ({ type: "Service", name, args, ...(outputs && { outputs }) }) as Program["resources"][number];
const limited = (maxMonthlyCost: number, ...resources: Program["resources"]): Program => ({
  settings: { maxMonthlyCost },
  resources,
});

test.each<[string, Program, string[], string[]?]>([
  ["a sum within the budget", limited(2803.2, service("analytics", { ...VIRGINIA, ...size })), []],
  [
    "a sum above it, with its terms",
    limited(
      2800,
      service("analytics", { ...VIRGINIA, ...size }),
      service("reports", { provider: "gcp", region: "europe-west4", maxReplicaMemoryGb: 8, numReplicas: 1 }),
    ),
    [
      "The services of the stack can cost up to EUR 2,931.68 per month (analytics 64 × 3 GB: EUR 2,803.20 + reports 8 × 1 GB: EUR 128.48), more than EUR 2,800.00, the setting maxMonthlyCost; lower maxReplicaMemoryGb or numReplicas, or raise the budget.",
    ],
  ],
  [
    "a price that the file does not have",
    limited(9000, service("analytics", { provider: "azure", region: "eastus", ...size })),
    [
      'Service "analytics": the price file has no price for its provider "azure", region "eastus"; add one, because the setting maxMonthlyCost limits the sum.',
    ],
  ],
  [
    "a string that is not a known region, which is not repeated",
    limited(9000, service("analytics", { provider: "aws", region: "canary", ...size })),
    ['Service "analytics": the price file has no price for its provider "aws", region; add one'],
  ],
  [
    "an undeclared location, even of an adopted service",
    limited(9000, service("analytics", { existingServiceId: "a", provider: "aws" }, { provider: "aws", ...size })),
    [
      'Service "analytics": region is not declared and its value is not known; declare it, because the setting maxMonthly',
    ],
  ],
  [
    "a size that nothing declares",
    limited(9000, service("analytics", { ...VIRGINIA, maxReplicaMemoryGb: 64 })),
    [
      'Service "analytics": numReplicas is not declared and its value is not known; declare it, because the setting maxMo',
    ],
  ],
  [
    "a service that is only known by its scaling",
    limited(9000, { type: "ServiceScaling", name: "size", args: { serviceId: "s", ...size } }),
    [
      'ServiceScaling "size": the provider and region of its service are not known; add the service to the stack with existingServiceId, provider and region, because the setting',
    ],
  ],
  [
    "one unknown region does not hide the cost of the others",
    limited(
      2800,
      service("analytics", { ...VIRGINIA, ...size }),
      service("reports", { provider: "aws", region: UNKNOWN, ...size }),
    ),
    ["can cost up to at least EUR 2,803.20 per month (analytics 64 × 3 GB: EUR 2,803.20), more than EUR 2,800.00"],
    ['Service "reports": its cost is not counted: region is not known yet'],
  ],
  [
    "one unknown size does not either, and its known part counts",
    limited(
      3000,
      service("analytics", { ...VIRGINIA, ...size }),
      service("reports", { ...VIRGINIA, maxReplicaMemoryGb: 64, numReplicas: UNKNOWN }),
    ),
    [
      "can cost up to at least EUR 3,737.60 per month (analytics 64 × 3 GB: EUR 2,803.20 + reports 64 × 1 GB: EUR 934.40)",
    ],
    ['Service "reports": only partly counted: numReplicas is not known yet'],
  ],
  [
    "stored outputs, and the scaling of an adopted service",
    limited(900, service("analytics", { existingServiceId: "a", ...VIRGINIA }, size), {
      type: "ServiceScaling",
      name: "size",
      args: { serviceId: "a", numReplicas: 1 },
    }),
    ["EUR 934.40 per month (analytics 64 × 1 GB"],
  ],
  [
    "a budget by stack",
    {
      settings: { byStack: { dev: { maxMonthlyCost: 100 } } },
      resources: [service("analytics", { ...VIRGINIA, ...size })],
    },
    ["more than EUR 100.00, the setting maxMonthlyCost for stacks dev"],
  ],
])("%s", async (_, program, violations, unchecked = []) => {
  const result = await judge(capacityBudget, program);
  expect(result.violations).toEqual(violations.map((text) => expect.stringContaining(text)));
  expect(result.unchecked).toEqual(unchecked.map((text) => expect.stringContaining(text)));
});

test("active hours by stack and service are those of the least, and do not lower the maximum", async () => {
  const file = join(temporaryFolder("prices"), "prices.json");
  const hours = { activeHoursPerDay: 0 };
  const byStack = { dev: { ...hours, byService: { analytics: hours } } };
  writeFileSync(file, JSON.stringify({ ...example, byStack, byService: { "*": hours } }));
  process.env.CLOUDDB_PRICES = file;
  const analytics = service("analytics", { ...VIRGINIA, ...size, idleScaling: true });
  expect((await judge(capacityBudget, limited(2803.19, analytics))).violations).toHaveLength(1);
  expect((await judge(capacityBudget, limited(2803.2, analytics))).violations).toEqual([]);
});

test.each<[string, string | undefined, string]>([
  ["no price file", undefined, "set CLOUDDB_PRICES to the absolute path of a price file"],
  ["an empty name, as for a file that does not exist", "", "set CLOUDDB_PRICES to the absolute path of a price file"],
  ["a relative path", "prices.json", "CLOUDDB_PRICES must be an absolute path"],
  ["a missing file", "/nowhere/prices.json", "Could not read the price file: ENOENT"],
  ["an invalid file", __filename, `Invalid price file ${__filename}: not valid JSON`],
])("a maximum cost is refused with %s", (_, file, problem) => {
  if (file === undefined) delete process.env.CLOUDDB_PRICES;
  else process.env.CLOUDDB_PRICES = file;
  for (const settings of [{ maxMonthlyCost: 1 }, { byStack: { "prod*": { maxMonthlyCost: 1 } } }]) {
    expect(configError({ "capacity-budget": settings })).toContain(
      `capacity-budget: maxMonthlyCost needs prices: ${problem}`,
    );
  }
  expect(configError({ "capacity-budget": { maxTotalGb: 1 } })).toBeUndefined();
});
