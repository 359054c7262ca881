import * as pulumi from "@pulumi/pulumi";
import { programError } from "../program/program-error";
import { Provider } from "../settings/provider";
import { type ReadSettings, readSettings } from "../settings/settings";
import type { FunctionOptions } from "./options";

/** The settings of a function: those that a resource with the same provider has. */
export async function settingsFor({ provider }: FunctionOptions): Promise<ReadSettings> {
  if (provider === undefined) return readSettings((key) => pulumi.runtime.getConfig(key), process.env);
  if (!(provider instanceof Provider)) throw programError("provider must be a clouddb.Provider.");
  const configuration = await settled(provider.configuration);
  if (Object.values(configuration).some((value) => value !== undefined && typeof value !== "string")) {
    throw programError(
      "The provider has arguments that are not known yet: call the function's Output form, or make the arguments known.",
    );
  }
  return readSettings((key) => configuration[key], process.env);
}

/** The value of an output, also while parts of it are unknown: `apply` would never run then. */
function settled<Value>(output: pulumi.Output<Value>): Promise<Value> {
  const { promise } = output as unknown as { promise: (withUnknowns: boolean) => Promise<Value> };
  return promise.call(output, true);
}
