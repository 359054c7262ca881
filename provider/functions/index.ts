import type * as pulumi from "@pulumi/pulumi";
import { operations } from "../api/operations";
import { inProgramNames } from "../resources/pipe/settings";
import { call } from "./call";
import { asOutput, lookUp, organizationOf } from "./lookup";
import type { FunctionOptions } from "./options";
import type {
  GetAlertArgs,
  GetAlertResult,
  GetDashboardsResult,
  GetPipeArgs,
  GetPipeResult,
  GetPipeSettingsResult,
  GetServiceArgs,
  GetServiceResult,
} from "./types";

type Inputs<Args> = { [Name in keyof Args]: pulumi.Input<NonNullable<Args[Name]>> | Extract<Args[Name], undefined> };

/**
 * Reads a service. One request in a run of the program, however often it is asked.
 *
 * The result is plain: where a service has an encryption key, `getServiceOutput` gives it as a secret.
 */
export function getService(args: GetServiceArgs, opts: FunctionOptions = {}): Promise<GetServiceResult> {
  return call("getService", args, opts, async ({ serviceId, ...given }) => {
    const organizationId = await organizationOf(given.organizationId, opts);
    const found = await lookUp(`service ${serviceId}`, operations.getService, { organizationId, serviceId }, opts);
    return found as GetServiceResult;
  });
}

/** `getService` for arguments that are outputs of resources. A result with a secret in it is a secret. */
export function getServiceOutput(
  args: Inputs<GetServiceArgs>,
  opts: FunctionOptions = {},
): pulumi.Output<GetServiceResult> {
  return asOutput(args as GetServiceArgs, opts, (known) => getService(known, opts), ["encryptionKey"]);
}

/** Reads a pipe. Its settings are named as the arguments of a Pipe are. */
export function getPipe(args: GetPipeArgs, opts: FunctionOptions = {}): Promise<GetPipeResult> {
  return call("getPipe", args, opts, async ({ pipeId, serviceId, ...given }) => {
    const organizationId = await organizationOf(given.organizationId, opts);
    const found = await lookUp(`pipe ${pipeId}`, operations.getPipe, { organizationId, serviceId, pipeId }, opts);
    return { ...found, ...(found.settings && { settings: inProgramNames(found.settings) }) } as GetPipeResult;
  });
}

/** `getPipe` for arguments that are outputs of resources. A result with a secret in it is a secret. */
export function getPipeOutput(args: Inputs<GetPipeArgs>, opts: FunctionOptions = {}): pulumi.Output<GetPipeResult> {
  return asOutput(args as GetPipeArgs, opts, (known) => getPipe(known, opts), ["connectionString"]);
}

/** Reads all settings of a pipe, declared or not. They are named as the arguments of a Pipe are. */
export function getPipeSettings(args: GetPipeArgs, opts: FunctionOptions = {}): Promise<GetPipeSettingsResult> {
  return call("getPipeSettings", args, opts, async ({ pipeId, serviceId, ...given }) => {
    const organizationId = await organizationOf(given.organizationId, opts);
    const parameters = { organizationId, serviceId, pipeId };
    const found = await lookUp(`the settings of pipe ${pipeId}`, operations.getPipeSettings, parameters, opts);
    return inProgramNames(found) as GetPipeSettingsResult;
  });
}

/** `getPipeSettings` for arguments that are outputs of resources. */
export function getPipeSettingsOutput(
  args: Inputs<GetPipeArgs>,
  opts: FunctionOptions = {},
): pulumi.Output<GetPipeSettingsResult> {
  return asOutput(args as GetPipeArgs, opts, (known) => getPipeSettings(known, opts));
}

/** Reads an alert of the observability interface. */
export function getAlert(args: GetAlertArgs, opts: FunctionOptions = {}): Promise<GetAlertResult> {
  return call("getAlert", args, opts, async ({ id }) => {
    return (await lookUp(`alert ${id}`, operations.getAlert, { id }, opts)) as GetAlertResult;
  });
}

/** `getAlert` for arguments that are outputs of resources. */
export function getAlertOutput(args: Inputs<GetAlertArgs>, opts: FunctionOptions = {}): pulumi.Output<GetAlertResult> {
  return asOutput(args as GetAlertArgs, opts, (known) => getAlert(known, opts));
}

/** Lists the dashboards of the observability interface, with their tiles. */
export function getDashboards(opts: FunctionOptions = {}): Promise<GetDashboardsResult> {
  return call("getDashboards", {}, opts, async () => {
    const dashboards = await lookUp("the dashboards", operations.getDashboards, {}, opts);
    return { dashboards } as GetDashboardsResult;
  });
}

/** `getDashboards` as an output. */
export function getDashboardsOutput(opts: FunctionOptions = {}): pulumi.Output<GetDashboardsResult> {
  return asOutput({}, opts, () => getDashboards(opts));
}
