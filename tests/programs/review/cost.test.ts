import { join } from "node:path";
import prices from "../../../examples/ci/prices.json";
import { expectFailure, expectOk, newStack, simulated, testHome } from "../../engine/support/stack";
import { configured, writeJson } from "./support/pack";

/** Prices in a preview: the policy that limits the cost, and the report that says it, from the same file. */
const REPORT = join(testHome(), "node_modules/.bin/clouddb-report");

const program = (memory: number, more = "") => `
  const analytics = new clouddb.Service("analytics", {
    provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: ${memory}, numReplicas: 3,
    idleScaling: true, ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
  });
  ${more}`;

/** A service whose region a preview cannot know. */
const LATER = `new clouddb.Service("later", {
  provider: "aws", region: analytics.createdAt.apply(() => "eu-central-1"), minReplicaMemoryGb: 8, maxReplicaMemoryGb: 8,
  numReplicas: 2, ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
});`;

test("capacity-budget limits the cost per month, whatever else is unknown, and needs a price file", async () => {
  const api = await simulated();
  const stack = await newStack(api, program(64, LATER));
  const pack = configured(stack, { "capacity-budget": { maxMonthlyCost: 2800 } });
  const without = await expectFailure(stack.preview(...pack));
  expect(without).toContain(
    "capacity-budget: maxMonthlyCost needs prices: set CLOUDDB_PRICES to the absolute path of a price file.",
  );
  stack.environment({ CLOUDDB_PRICES: writeJson(stack, "prices.json", { ...prices, currency: "euro", vat: 19 }) });
  const invalid = await expectFailure(stack.preview(...pack));
  expect(invalid).toMatch(
    /Invalid price file \S+: currency must be a three-letter code such as EUR; unknown key vat\./,
  );
  writeJson(stack, "prices.json", prices);
  const refused = (await expectFailure(stack.pulumi("up", "--yes", ...pack))).replace(/\s+/g, " ");
  expect(refused).toContain(
    "can cost up to at least EUR 2,803.20 per month (analytics 64 × 3 GB: EUR 2,803.20), more than EUR 2,800.00, the setting maxMonthlyCost",
  );
  expect(refused).toContain('Service "later": its cost is not counted: region is not known yet');
  expect(await api.requests()).toEqual([]);

  // Values that are unknown in the preview count at the end of the update.
  stack.program(program(32, LATER));
  writeJson(stack, "policies.json", { "capacity-budget": { maxMonthlyCost: 1500 } });
  await expectOk(stack.preview(...pack));
  const late = (await expectFailure(stack.up(...pack))).replace(/\s+/g, " ");
  expect(late).toContain("EUR 1,681.92 per month (analytics 32 × 3 GB: EUR 1,401.60 + later 8 × 2 GB: EUR 280.32)");
});

test("clouddb-report run shows what a change costs, and gives the policies the same prices", async () => {
  const stack = await newStack(await simulated(), program(64));
  await expectOk(stack.up());
  stack.program(program(120));
  writeJson(stack, "prices.json", prices);
  const pack = configured(stack, { "capacity-budget": { maxMonthlyCost: 5000 } });
  const flags = ["--", "--non-interactive", ...pack];
  // The file for the report counts, not the one in the environment.
  stack.environment({ CLOUDDB_PRICES: "/nowhere.json" });
  const { code, output } = await stack.command(REPORT, "run", "--prices", "prices.json", ...flags);
  expect(code).toBe(2);
  expect(output).toContain("cost up to EUR 5,256.00 per month (was EUR 2,803.20)");
  expect(output).toContain(
    "| <code>analytics</code> | 64 GB × 3 = 192 GB | 120 GB × 3 = 360 GB | +168 GB (+88 %) | 116.80 to 2,803.20 → 116.80 to 5,256.00 |",
  );
  expect(output).toMatch(
    /<code>capacity-budget<\/code> failed:\n.*more than EUR 5,000\.00, the setting maxMonthlyCost/,
  );

  const none = await stack.command(REPORT, "run", "--prices", "", ...flags);
  expect(none.output).toContain("maxMonthlyCost needs prices: set CLOUDDB_PRICES");
});
