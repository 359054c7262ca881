import { createDynamicRuntime } from "./dynamic/dynamic-runtime";
import { clock } from "./process/clock";
import { isEngineAlive } from "./process/engine-alive";
import { organization as organizationKind } from "./resources/organization/lifecycle";
import { pipe as pipeKind } from "./resources/pipe/lifecycle";
import { service as serviceKind } from "./resources/service/lifecycle";
import { serviceScaling as serviceScalingKind } from "./resources/service-scaling/lifecycle";

/*
 * The permanent entry: state written by any release names these exports, as in
 * `exports.handler=()=>require("pulumi-clouddb/runtime").service`. A name that was published once stays.
 */

const runtime = createDynamicRuntime({
  environment: process.env,
  clock,
  random: Math.random,
  // A line on standard output reaches the user as a line of the stack's diagnostics.
  log: (line) => console.log(line),
  // Pulumi starts the plugin with the engine's address, behind flags for logs.
  isEngineAlive: () => isEngineAlive(process.argv.at(-1)),
});

export const service = runtime.providerFor(serviceKind);
export const serviceScaling = runtime.providerFor(serviceScalingKind);
export const organization = runtime.providerFor(organizationKind);
export const pipe = runtime.providerFor(pipeKind);
