import { coded } from "../errors";
import type { FunctionOptions, Provider } from "./provider";
import { assertProvider, type ProviderSource } from "./provider-option";
import { programError, valueWithUnknowns } from "./pulumi-internals";

type Configuration = Record<string, string | undefined>;

/** The settings of an explicit provider, by configuration key. Those of the default provider are not known here. */
export function configurationOf({ provider }: FunctionOptions): Provider["configuration"] | undefined {
  return (provider as Partial<Provider> | undefined)?.configuration;
}

/** Refuses what is not an explicit provider of the same entry. */
export function assertFunctionProvider(source: ProviderSource, name: string, opts: FunctionOptions): void {
  if (opts.provider === undefined) return;
  assertProvider(source, name, opts.provider);
  if (configurationOf(opts) === undefined)
    throw programError(coded("CDB2004", `The provider of ${name} must be a clouddb.Provider.`));
}

/** The settings once they are known; in a preview they may not be. */
export async function knownConfiguration(configuration: Provider["configuration"]): Promise<Configuration> {
  const known = await valueWithUnknowns(configuration);
  if (Object.values(known).some((value) => value !== undefined && typeof value !== "string")) {
    throw programError(
      coded(
        "CDB2005",
        "The provider has arguments that are not known yet: call the function's Output form, or make the arguments known.",
      ),
    );
  }
  return known;
}
