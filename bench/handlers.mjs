// CPU time of check and diff for an unchanged resource, and for long access lists of which half changes: the built
// handlers, without engine or network. And the heap after ups of many services in one process.
import { createRequire } from "node:module";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { withSimulator } from "./support/project.mjs";
import { median, printTable } from "./support/table.mjs";

const SIZE = 1000;
const WARM_UP = 2;
const ROUNDS = 10;
const require = createRequire(import.meta.url);
const { createDynamicRuntime } = require("../provider/dist/hosts/dynamic.js");
const { service } = require("../provider/dist/resources/service/service.js");
const { buildUpdateBody } = require("../provider/dist/fields/index.js");
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

const PROVIDER = 'exports.handler=()=>require("pulumi-clouddb/runtime").service';
const PLAIN = {
  provider: "aws",
  region: "us-east-1",
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 32,
  numReplicas: 3,
};
const ADOPTED = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const entries = (count) =>
  Array.from({ length: count }, (_, index) => ({ source: `203.0.${index}.0/24`, description: `office ${index}` }));
/** The number of entries in the access list. */
const SHAPES = { "no access list": 0, "1 entry": 1, "20 entries": 20 };

/** Lists that must take ten times as long, not a hundred times. */
const LONG = [10_000, 100_000];
const addresses = (count, first = 0) =>
  Array.from({ length: count }, (_, index) => ({
    source: `10.${[16, 8, 0].map((bits) => ((first + index) >> bits) & 255).join(".")}`,
    description: `office ${first + index}`,
  }));

await withSimulator([], async ({ environment }) => {
  const handlers = createDynamicRuntime({
    environment,
    clock: { now: Date.now, sleep: (ms) => setTimeout(ms) },
    random: Math.random,
    log: () => {},
  }).providerFor(service);
  const argsOf = (number, count) => ({
    __provider: PROVIDER,
    __resourceName: `service${number}`,
    ...PLAIN,
    ...(count && { ipAccessList: entries(count) }),
  });
  const rows = [];
  for (const [shape, count] of Object.entries(SHAPES)) {
    const { inputs } = await handlers.check({}, argsOf(0, count));
    const { id, outs } = await handlers.create(inputs);
    const [checks, diffs] = [[], []];
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const check = await cpuTime(() => handlers.check(inputs, argsOf(0, count)));
      const diff = await cpuTime(async () => {
        const { changes } = await handlers.diff(id, outs, inputs);
        if (changes !== false) throw new Error("diff reported a change of an unchanged resource");
      });
      if (round < 0) continue;
      checks.push(check);
      diffs.push(diff);
    }
    const [check, diff] = [median(checks), median(diffs)];
    rows.push([shape, ...[check, diff, check + diff].map((value) => `${value.toFixed(3)} ms`)]);
  }
  printTable(["a service with", "check", "diff", "both"], rows);

  const heaps = [];
  for (let up = 1; up <= ROUNDS; up += 1) {
    for (let number = 0; number < SIZE; number += 1) {
      const { inputs } = await handlers.check({}, argsOf(number, 1));
      const { id, outs } = await handlers.create(inputs);
      await handlers.check(inputs, argsOf(number, 1));
      await handlers.diff(id, outs, inputs);
      await handlers.read(id, outs);
    }
    collectGarbage();
    heaps.push([up, up * SIZE, `${(process.memoryUsage().heapUsed / 1e6).toFixed(2)} MB`]);
  }
  console.log("");
  printTable(["ups in one process", "services created and read", "heap after collection"], heaps);

  const long = [];
  for (const count of LONG) {
    const argsWith = (ipAccessList) => ({ ...argsOf(0, 0), existingServiceId: ADOPTED, ipAccessList });
    const { inputs } = await handlers.check({}, argsWith(addresses(count)));
    const state = { ...inputs, __declared: ["ipAccessList"] };
    const news = argsWith(addresses(count, count / 2));
    const check = await cpuTime(() => handlers.check(inputs, news), 1);
    const diff = await cpuTime(() => handlers.diff(ADOPTED, state, news), 1);
    const body = await cpuTime(() => buildUpdateBody(service.definition, "updateService", state, news), 1);
    long.push([count, ...[check, diff, body].map((value) => `${value.toFixed(0)} ms`)]);
  }
  console.log("");
  printTable(["entries, half of them new", "check", "diff", "request body"], long);
});

/** Average CPU time of a call in milliseconds. */
async function cpuTime(work, calls = SIZE) {
  const start = process.cpuUsage();
  for (let number = 0; number < calls; number += 1) await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / calls;
}
