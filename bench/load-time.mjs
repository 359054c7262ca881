// How long the package takes to load, compared with an empty program and the SDK, in one run.
import { execFileSync } from "node:child_process";
import { root } from "../scripts/setup/root.mjs";
import { median, printTable } from "./support/table.mjs";

const ROUNDS = 15;

const programs = {
  "an empty program": "",
  "the SDK alone": 'require("@pulumi/pulumi");',
  "the SDK and pulumi-clouddb": 'require("@pulumi/pulumi"); require("pulumi-clouddb");',
  "the SDK and pulumi-clouddb/native": 'require("@pulumi/pulumi"); require("pulumi-clouddb/native");',
  "the SDK and the plugin's part of pulumi-clouddb": 'require("@pulumi/pulumi"); require("pulumi-clouddb/runtime");',
};

function milliseconds(program) {
  const startedAt = performance.now();
  execFileSync(process.execPath, ["-e", program], { cwd: root });
  return performance.now() - startedAt;
}

const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, program] of Object.entries(programs)) times[name].push(milliseconds(program));
}
const sdk = median(times["the SDK alone"]);
printTable(
  ["", "time", "added to the SDK"],
  Object.entries(times).map(([name, values]) => [
    name,
    `${median(values).toFixed(0)} ms`,
    `${(median(values) - sdk).toFixed(0)} ms`,
  ]),
);
