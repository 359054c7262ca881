import * as pulumi from "@pulumi/pulumi";
import { type ReadSettings, readSettings } from "../config";
import { Provider } from "../provider";

/** Which account a function asks. */
export interface FunctionOptions {
  /** An explicit provider; by default the stack's configuration and the environment. */
  readonly provider?: pulumi.ProviderResource;
}

/** The settings that a function runs with, as a resource of the same provider would. */
export async function settingsFor({ provider }: FunctionOptions): Promise<ReadSettings> {
  if (provider === undefined) return readSettings((key) => pulumi.runtime.getConfig(key), process.env);
  if (!(provider instanceof Provider)) throw new pulumi.RunError("provider must be a clouddb.Provider.");
  const configuration = await new Promise<Record<string, string>>((resolve) => {
    provider.configuration.apply(resolve);
  });
  return readSettings((key) => configuration[key], process.env);
}
