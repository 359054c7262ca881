// Load time of the package, compared with an empty program and the SDK, and start-up time of a plugin until it prints
// its port, dynamic and native, all in one run.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { medians, untilFirstOutput } from "./support/processes.mjs";
import { printTable } from "./support/table.mjs";
import { root } from "./support/tools.mjs";

const ROUNDS = 15;

const programs = {
  "an empty program": "",
  "the SDK alone": 'require("@pulumi/pulumi");',
  "the SDK and pulumi-clouddb": 'require("@pulumi/pulumi"); require("pulumi-clouddb");',
  "the SDK and pulumi-clouddb/native": 'require("@pulumi/pulumi"); require("pulumi-clouddb/native");',
  "the SDK and the plugin's part of pulumi-clouddb": 'require("@pulumi/pulumi"); require("pulumi-clouddb/runtime");',
};
const loads = await medians(ROUNDS, programs, (program) => {
  const startedAt = performance.now();
  execFileSync(process.execPath, ["-e", program], { cwd: root });
  return performance.now() - startedAt;
});
const sdk = loads["the SDK alone"];
printTable(
  ["", "time", "added to the SDK"],
  Object.entries(loads).map(([name, time]) => [name, `${time.toFixed(0)} ms`, `${(time - sdk).toFixed(0)} ms`]),
);

const dynamicProvider = join(root, "node_modules/@pulumi/pulumi/cmd/dynamic-provider/index.js");
const plugins = {
  "Pulumi's dynamic provider": [process.execPath, dynamicProvider],
  "the same with pulumi-clouddb/runtime": [process.execPath, "--require", "pulumi-clouddb/runtime", dynamicProvider],
  "the native plugin": [join(root, "provider/native-plugin/pulumi-resource-clouddb")],
};
/** An engine's address that nothing listens on: only the start counts. */
const ENGINE = "127.0.0.1:1";
const starts = await medians(ROUNDS, plugins, (command) => untilFirstOutput([...command, ENGINE], { cwd: root }));
const dynamic = starts["the same with pulumi-clouddb/runtime"];
console.log("");
printTable(
  ["start of", "time", "relative to the dynamic provider with the runtime"],
  Object.entries(starts).map(([name, time]) => [name, `${time.toFixed(0)} ms`, (time / dynamic).toFixed(2)]),
);
