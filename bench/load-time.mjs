// How long the package takes to load, compared with an empty program and the SDK, and how long a plugin takes until it
// tells its port, with the dynamic provider and natively, in one run.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
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

const dynamicProvider = join(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js");
const plugins = {
  "Pulumi's dynamic provider": [process.execPath, dynamicProvider],
  "the same with pulumi-clouddb/runtime": [process.execPath, "--require", "pulumi-clouddb/runtime", dynamicProvider],
  "the native plugin": [join(root, "provider/native-plugin/pulumi-resource-clouddb")],
};

/** An engine's address: nobody is there, since only the start counts. */
const ENGINE = "127.0.0.1:1";

async function millisecondsToPort([command, ...args]) {
  const startedAt = performance.now();
  const plugin = spawn(command, [...args, ENGINE], { cwd: root, stdio: ["ignore", "pipe", "ignore"] });
  await once(plugin.stdout, "data");
  const elapsed = performance.now() - startedAt;
  plugin.kill("SIGKILL");
  await once(plugin, "exit");
  return elapsed;
}

const starts = Object.fromEntries(Object.keys(plugins).map((name) => [name, []]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, command] of Object.entries(plugins)) starts[name].push(await millisecondsToPort(command));
}
const dynamic = median(starts["the same with pulumi-clouddb/runtime"]);
console.log("");
printTable(
  ["start of", "time", "relative to the dynamic provider with the runtime"],
  Object.entries(starts).map(([name, values]) => [
    name,
    `${median(values).toFixed(0)} ms`,
    (median(values) / dynamic).toFixed(2),
  ]),
);
