import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import prices from "../../../examples/ci/prices.json";
import { analyze } from "../../../report/analyze/analyze";
import { renderReport } from "../../../report/index";
import type { ResourceStep, State } from "../../../report/preview";
import { previewOf, recorded, recordings, stateOf, stepOf } from "./support/preview";
import { markdownOf } from "./support/render";

/** With a price file, a report has the monthly costs of the services, and names unknown ones. */
const options = { masks: [], maxBytes: 65_000, prices };

const size = { provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 64, numReplicas: 3 };
const idle = { ...size, idleScaling: true };

const state = (inputs: object, outputs: object = {}) => stateOf({ inputs, outputs });
const step = (name: string, operation: ResourceStep["operation"], before?: State, after?: State, type = "Service") =>
  stepOf(type, name, operation, before, after);

test("the report of a recorded preview", async () => {
  const report = markdownOf(await recorded("update-service"), options);
  const golden = join(recordings, "update-service-prices.md");
  if (process.env.CLOUDDB_RECORD !== undefined) writeFileSync(golden, report);
  expect(report).toBe(readFileSync(golden, "utf8"));
});

test("without prices, no report has costs", async () => {
  const { prices: _, ...plain } = options;
  expect(markdownOf(await recorded("update-service"), plain)).not.toMatch(/per month|cost/i);
});

test("costs change with the minimum, with idle scaling, and with the maximum", () => {
  const report = markdownOf(
    previewOf(
      step("awake", "update", state(idle), state({ ...idle, idleScaling: false })),
      step("grown", "update", state(idle), state({ ...idle, maxReplicaMemoryGb: 120 })),
      step("same", "same", state(idle), state(idle)),
      step("new", "create", undefined, state({ ...idle, region: "eu-central-1" })),
      step("left", "delete", { ...state(idle), isProtected: false }),
    ),
    options,
  );
  expect(report.split("\n").filter((line) => line.startsWith("|"))).toEqual([
    "| service | before | after | change | EUR per month, from … to … |",
    "|---|---|---|---|---|",
    "| <code>awake</code> | 64 GB × 3 = 192 GB | 64 GB × 3 = 192 GB | +0 GB (+0 %) | 116.80 to 2,803.20 → 350.40 to 2,803.20 |",
    "| <code>grown</code> | 64 GB × 3 = 192 GB | 120 GB × 3 = 360 GB | +168 GB (+88 %) | 116.80 to 2,803.20 → 116.80 to 5,256.00 |",
    "| <code>new</code> | - | 64 GB × 3 = 192 GB | +192 GB | - → 140.16 to 3,363.84 |",
    "| <code>left</code>, no longer managed | 64 GB × 3 = 192 GB | 64 GB × 3 = 192 GB | +0 GB (+0 %) | 116.80 to 2,803.20 |",
    "| **total** | 768 GB | 1128 GB | +360 GB (+47 %) | 467.20 to 11,212.80 → 840.96 to 17,029.44 |",
  ]);
  expect(report).toContain(" · cost up to EUR 17,029.44 per month (was EUR 11,212.80)");
});

test("a service has the active hours of its stack and name", () => {
  const created = ["etl", "web"].map((name) => step(name, "create", undefined, state(idle)));
  const byStack = { "d*": { activeHoursPerDay: 24, byService: { etl: { activeHoursPerDay: 12 } } }, "*prod": {} };
  const { rows, cost } = analyze(previewOf(...created), { masks: [], prices: { ...prices, byStack } }).capacity;
  expect(rows.map((row) => [row.name, row.cost?.after?.from])).toEqual([
    ["etl", 175.2],
    ["web", 350.4],
  ]);
  expect(cost?.after).toEqual({ from: 525.6, to: 5606.4 });
});

test("what is not known is named, and never guessed", () => {
  const { rows, cost } = analyze(
    previewOf(
      step("adopted", "create", undefined, state({ existingServiceId: "a" })),
      step("elsewhere", "update", state(idle), state({ ...idle, region: "us-west-2" })),
      step("unclear", "create", undefined, state({ ...size, numReplicas: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" })),
      step("small", "create", undefined, state({ ...idle, minReplicaMemoryGb: undefined })),
      step("known", "update", state({}, idle), state({ ...idle, numReplicas: 2 })),
      step("size", "create", undefined, state({ serviceId: "b", numReplicas: 2 }), "ServiceScaling"),
    ),
    options,
  ).capacity;
  expect(rows.map(({ name, cost }) => [name, cost?.unknown])).toEqual([
    ["adopted", ["maxReplicaMemoryGb", "numReplicas", "minReplicaMemoryGb", "idleScaling", "provider", "region"]],
    ["elsewhere", ["a price for aws/us-west-2"]],
    ["unclear", ["numReplicas", "idleScaling"]],
    ["small", ["minReplicaMemoryGb"]],
    ["known", []],
    ["size", ["maxReplicaMemoryGb", "minReplicaMemoryGb", "idleScaling", "provider", "region"]],
  ]);
  expect(rows[3]?.cost?.after).toEqual({ from: undefined, to: 2803.2 });
  // A sum over a cost that is known on one side only would look like growth.
  expect(cost).toEqual({ currency: "EUR", before: { from: 116.8, to: 2803.2 }, after: { from: 77.87, to: 4672 } });
});

test("the report names services whose cost is not known, and counts those without a known maximum as not checked", () => {
  const many = Array.from({ length: 8 }, (_, index) =>
    step(`new ${index}`, "create", undefined, state({ ...size, region: `region-${index}` })),
  );
  const report = markdownOf(previewOf(step("first", "create", undefined, state(size)), ...many), options);
  expect(report).toContain("| **total** | 0 GB | 1728 GB | +1728 GB | - → ? to 2,803.20 |");
  expect(report).toContain(
    "Cost not fully known, and missing from the total: <code>first</code> (idleScaling); <code>new 0</code> (idleScaling, a price for aws/region-0);",
  );
  expect(report).toContain("(idleScaling, a price for aws/region-3) and 4 more.");
  expect(report).toContain("- ❔ cost of new 0: not known: idleScaling, a price for aws/region-0");
  expect(report).not.toContain("cost of first");
  expect(report).toContain(" · cost up to EUR 2,803.20 per month · ");
  expect(markdownOf(previewOf(many[0] as ResourceStep), options)).toContain(" - → ? to ? |");
});

test("a mask does not hide the currency", async () => {
  const report = renderReport([await recorded("update-service")], "github", { masks: [/EUR/g], prices });
  expect(report).toContain("EUR per month");
});
