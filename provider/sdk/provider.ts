import { coded } from "../errors";
import { DYNAMIC_PACKAGE, NATIVE_PACKAGE, pluginDownloadURL, settingKey, version } from "../names";
import { assertArguments, isGiven } from "./arguments";
import { type ProviderArgs, SECRET_SETTINGS, SETTINGS } from "./generated/provider-args";
import * as pulumi from "./pulumi";
import { programError, valueWithUnknowns } from "./pulumi-internals";

/**
 * An explicit provider, for a second account or another API address. Pass it as `provider` in the options of
 * resources and functions.
 *
 * An omitted argument defaults to the stack's configuration (`clouddb:…`), then to the environment variable. If an
 * argument is unknown in a preview, the engine neither checks nor diffs the resources that use the provider.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import * as clouddb from "pulumi-clouddb";
 *
 * const config = new pulumi.Config();
 * const provider = new clouddb.Provider("second-account", {
 *   keyId: config.require("secondKeyId"),
 *   keySecret: config.requireSecret("secondKeySecret"),
 *   organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
 * });
 *
 * new clouddb.ServiceScaling("size", { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 3 }, { provider });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** The settings by configuration key, for functions that are called with this provider. */
  readonly configuration: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const settings = byConfigurationKey(explicitSettings(name, args));
    super(DYNAMIC_PACKAGE, name, settings, opts);
    this.configuration = pulumi.output(settings);
  }
}

/** The plugin that the engine looks for: that of the same release, which knows the same arguments. */
export const RELEASE = { version, pluginDownloadURL };

/** An explicit provider of the native plugin. */
export class NativeProvider extends pulumi.ProviderResource {
  readonly configuration: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const settings = explicitSettings(name, args);
    super(NATIVE_PACKAGE, name, settings, { ...RELEASE, ...opts });
    this.configuration = pulumi.output(byConfigurationKey(settings));
  }
}

// Programs' compilers read the declarations of this file, which therefore need no other library's types.

/** The options of a function. */
export interface FunctionOptions {
  /** An explicit provider. Defaults to the stack's configuration and the environment. */
  readonly provider?: pulumi.ProviderResource;
}

/** The settings of an explicit provider, by configuration key. Those of the default provider are unknown here. */
export function configurationOf({ provider }: FunctionOptions): Provider["configuration"] | undefined {
  return (provider as Partial<Provider> | undefined)?.configuration;
}

/** The settings of an explicit provider once they are known. In a preview, they may stay unknown. */
export async function knownConfiguration(
  opts: FunctionOptions,
): Promise<Record<string, string | undefined> | undefined> {
  const configuration = configurationOf(opts);
  if (configuration === undefined) return undefined;
  const known = await valueWithUnknowns(configuration);
  if (Object.values(known).every((value) => value === undefined || typeof value === "string")) return known;
  const problem = "The provider has arguments that are not known yet";
  throw programError(coded("CDB2005", `${problem}: call the function's Output form, or make the arguments known.`));
}

const memories = new WeakMap<object, Map<string, unknown>>();

/**
 * Computes a value once per key and explicit provider, or else per run of the program: programs in the same process have
 * separate root stacks.
 */
export function memoize<Value>(key: string, compute: () => Value, { provider }: FunctionOptions): Value {
  const owner = provider ?? pulumi.getStackResource() ?? globalThis;
  const memory = memories.get(owner) ?? new Map<string, unknown>();
  memories.set(owner, memory);
  if (!memory.has(key)) memory.set(key, compute());
  return memory.get(key) as Value;
}

type Setting = pulumi.Output<string | undefined>;

/** The settings of an explicit provider, as text: arguments, or else the stack's configuration. */
function explicitSettings(name: string, args: ProviderArgs): Record<string, Setting> {
  assertArguments(`Provider "${name}"`, args);
  const config = new pulumi.Config("clouddb");
  const settings = SETTINGS.map((key) => [key, setting(args[key], key, config)] as const);
  return Object.fromEntries(settings.filter((entry): entry is [(typeof entry)[0], Setting] => entry[1] !== undefined));
}

function byConfigurationKey(settings: Readonly<Record<string, Setting>>): Record<string, Setting> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [settingKey(key), value]));
}

/**
 * The argument, or the value in the stack's configuration, which Pulumi passes only to the default provider. The
 * configured value may be a secret, so it is passed on as one.
 */
function setting(argument: unknown, key: keyof ProviderArgs, config: pulumi.Config): Setting | undefined {
  const configured = config.getSecret(key);
  if (!isSet(argument)) return configured;
  const text = pulumi.output(argument).apply((known) => pulumi.output(isSet(known) ? String(known) : configured));
  return SECRET_SETTINGS.includes(key) ? pulumi.secret(text) : text;
}

/** True if a value is set. An empty text counts as absent, in arguments and in the configuration. */
function isSet(value: unknown): value is NonNullable<unknown> {
  return isGiven(value) && value !== "";
}
