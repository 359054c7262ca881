import type * as pulumi from "@pulumi/pulumi";
import { call, callOutput, type FunctionAdapter } from "./call";
import type {
  GetAlertArgs,
  GetAlertResult,
  GetDashboardsResult,
  GetPipeArgs,
  GetPipeResult,
  GetPipeSettingsResult,
  GetServiceArgs,
  GetServiceResult,
} from "./function-types";
import type { FunctionOptions } from "./provider";
import { DYNAMIC } from "./provider-option";

/** Functions that send their requests from the program. */
const adapter: FunctionAdapter = {
  ...DYNAMIC,
  run(...parameters) {
    // Loaded on demand: most programs declare resources and call no function.
    const { lookUp } = require("../hosts/lookup") as typeof import("../hosts/lookup");
    return lookUp(...parameters);
  },
};

type Inputs<Args> = { [Name in keyof Args]: pulumi.Input<NonNullable<Args[Name]>> | Extract<Args[Name], undefined> };

/**
 * Reads a service. Sends one request per run of the program for the same arguments.
 *
 * The result is not marked as a secret. If the service has an encryption key, use `getServiceOutput`, which marks it.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * const service = clouddb.getServiceOutput({ serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" });
 * export const replicas = service.numReplicas;
 * ```
 */
export function getService(args: GetServiceArgs, opts: FunctionOptions = {}): Promise<GetServiceResult> {
  return call(adapter, "getService", args, opts);
}

/**
 * `getService` with Outputs as arguments. A result that contains an encryption key is a secret.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * const service = clouddb.getServiceOutput({ serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" });
 * export const replicas = service.numReplicas;
 * ```
 */
export function getServiceOutput(
  args: Inputs<GetServiceArgs>,
  opts: FunctionOptions = {},
): pulumi.Output<GetServiceResult> {
  return callOutput(adapter, "getService", args, opts);
}

/**
 * Reads a pipe. Its settings have the same names as the arguments of a `Pipe`.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * const serviceId = "a1b2c3d4-0001-4a53-9c1e-000000000001";
 * const pipe = clouddb.getPipeOutput({ serviceId, pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001" });
 * export const state = pipe.state;
 * ```
 */
export function getPipe(args: GetPipeArgs, opts: FunctionOptions = {}): Promise<GetPipeResult> {
  return call(adapter, "getPipe", args, opts);
}

/**
 * `getPipe` with Outputs as arguments. A result that contains a connection string is a secret.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * const serviceId = "a1b2c3d4-0001-4a53-9c1e-000000000001";
 * const pipe = clouddb.getPipeOutput({ serviceId, pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001" });
 * export const state = pipe.state;
 * ```
 */
export function getPipeOutput(args: Inputs<GetPipeArgs>, opts: FunctionOptions = {}): pulumi.Output<GetPipeResult> {
  return callOutput(adapter, "getPipe", args, opts);
}

/**
 * Reads all settings of a pipe. They have the same names as the arguments of a `Pipe`.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * const serviceId = "a1b2c3d4-0001-4a53-9c1e-000000000001";
 * const settings = clouddb.getPipeSettingsOutput({ serviceId, pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001" });
 * export const threads = settings.engineMaxThreads;
 * ```
 */
export function getPipeSettings(args: GetPipeArgs, opts: FunctionOptions = {}): Promise<GetPipeSettingsResult> {
  return call(adapter, "getPipeSettings", args, opts);
}

/**
 * `getPipeSettings` with Outputs as arguments.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * const serviceId = "a1b2c3d4-0001-4a53-9c1e-000000000001";
 * const settings = clouddb.getPipeSettingsOutput({ serviceId, pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001" });
 * export const threads = settings.engineMaxThreads;
 * ```
 */
export function getPipeSettingsOutput(
  args: Inputs<GetPipeArgs>,
  opts: FunctionOptions = {},
): pulumi.Output<GetPipeSettingsResult> {
  return callOutput(adapter, "getPipeSettings", args, opts);
}

/**
 * Reads an alert of the observability API.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * export const state = clouddb.getAlertOutput({ id: "alert-errors" }).state;
 * ```
 */
export function getAlert(args: GetAlertArgs, opts: FunctionOptions = {}): Promise<GetAlertResult> {
  return call(adapter, "getAlert", args, opts);
}

/**
 * `getAlert` with Outputs as arguments.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * export const state = clouddb.getAlertOutput({ id: "alert-errors" }).state;
 * ```
 */
export function getAlertOutput(args: Inputs<GetAlertArgs>, opts: FunctionOptions = {}): pulumi.Output<GetAlertResult> {
  return callOutput(adapter, "getAlert", args, opts);
}

/**
 * Lists the dashboards of the observability API, with their tiles.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * export const names = clouddb.getDashboardsOutput().dashboards.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function getDashboards(opts: FunctionOptions = {}): Promise<GetDashboardsResult> {
  return call(adapter, "getDashboards", {}, opts);
}

/**
 * `getDashboards` as an Output.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * export const names = clouddb.getDashboardsOutput().dashboards.apply((all) => all.map(({ name }) => name));
 * ```
 */
export function getDashboardsOutput(opts: FunctionOptions = {}): pulumi.Output<GetDashboardsResult> {
  return callOutput(adapter, "getDashboards", {}, opts);
}
