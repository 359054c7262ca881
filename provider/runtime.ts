import { render } from "./errors";
import { createDynamicRuntime } from "./hosts/dynamic";
import { clock, isEngineAlive, onEngineGone } from "./hosts/process";
import { engineAddress, engineCancellation, logDebug, printFailuresOnce } from "./hosts/pulumi-internals";
import { resources } from "./resources";

/*
 * The permanent entry points: the state of every release refers to these exports, as in
 * `exports.handler=()=>require("pulumi-clouddb/runtime").service`. Never rename or remove one.
 */

printFailuresOnce();
const { providerFor, isIdle } = createDynamicRuntime({
  environment: process.env,
  clock,
  random: Math.random,
  // The engine shows lines on standard output in the stack's diagnostics.
  log: (line) => console.log(render(line)),
  debug: logDebug,
  isEngineAlive: () => isEngineAlive(engineAddress),
  cancellation: engineCancellation(),
});
onEngineGone(engineAddress, () => {
  if (isIdle()) process.exit();
});

export const service = providerFor(resources.Service.type);
export const serviceScaling = providerFor(resources.ServiceScaling.type);
export const serviceAccess = providerFor(resources.ServiceAccess.type);
export const organization = providerFor(resources.Organization.type);
export const pipe = providerFor(resources.Pipe.type);
