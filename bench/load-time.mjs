// Load time of the package, compared with an empty program and the SDK, and start-up time of a plugin until it prints
// its port, dynamic and native, and of the policy pack, all in one run.
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

/** An engine's address that nothing listens on: only the start counts. */
const ENGINE = "127.0.0.1:1";
const inSdk = (name) => join(root, "node_modules/@pulumi/pulumi/cmd", name);
const dynamicProvider = inSdk("dynamic-provider");
await printStarts("the dynamic provider with the runtime", {
  "the dynamic provider with the runtime": [process.execPath, "--require", "pulumi-clouddb/runtime", dynamicProvider],
  "Pulumi's dynamic provider": [process.execPath, dynamicProvider],
  "the native plugin": [join(root, "provider/native-plugin/pulumi-resource-clouddb")],
});
await printStarts("the policy pack, from its folder", {
  "the policy pack, from its folder": [process.execPath, inSdk("run-policy-pack"), ENGINE, join(root, "policies")],
  "the policy pack, as one file": [join(root, "policies/clouddb-policies")],
});

async function printStarts(base, commands) {
  const starts = await medians(ROUNDS, commands, (command) =>
    untilFirstOutput(command.includes(ENGINE) ? command : [...command, ENGINE], { cwd: root }),
  );
  console.log("");
  printTable(
    ["start of", "time", `relative to ${base}`],
    Object.entries(starts).map(([name, time]) => [name, `${time.toFixed(0)} ms`, (time / starts[base]).toFixed(2)]),
  );
}
