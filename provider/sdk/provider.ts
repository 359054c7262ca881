import { coded, render } from "../errors";
import { SECRET_ORGANIZATION, unknownKeys } from "../mistakes";
import {
  DYNAMIC_PACKAGE,
  NATIVE_PACKAGE,
  pluginDownloadURL,
  settingKey,
  settingVariable,
  VARIABLE_MAPPINGS,
  version,
} from "../names";
import { assertArguments, assertKnownArguments, isGiven } from "./arguments";
import { type ProviderArgs, SECRET_SETTINGS, SETTINGS } from "./generated/provider-args";
import * as pulumi from "./pulumi";
import { isConfigSecret, programError, valueWithUnknowns } from "./pulumi-internals";

/**
 * An explicit provider, for a second account or another API address. Pass it as `provider` in the
 * options of resources and functions.
 *
 * An omitted argument defaults to the stack's configuration (`clouddb:…`), then to the environment
 * variable. If an argument is unknown in a preview, the engine neither checks nor diffs the
 * resources that use the provider.
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
  /** The settings by configuration key, for functions with this provider. */
  readonly configuration: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const settings = byConfigurationKey(explicitSettings(name, args, opts));
    super(DYNAMIC_PACKAGE, name, settings, opts);
    this.configuration = pulumi.output(settings);
    warnOfUnknownKeys();
  }
}

/** The plugin's release, equal to this package's, with the same arguments. */
export const RELEASE = { version, pluginDownloadURL };

/** An explicit provider of the native plugin. */
export class NativeProvider extends pulumi.ProviderResource {
  readonly configuration: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const settings = explicitSettings(name, args, opts);
    const { organizationId } = settings;
    // The plugin refuses a secret here, but values from the stack's configuration are passed as
    // secrets.
    if (organizationId !== undefined) settings.organizationId = pulumi.unsecret(organizationId);
    super(NATIVE_PACKAGE, name, settings, { ...RELEASE, ...opts });
    this.configuration = pulumi.output(byConfigurationKey(settings));
    // If the program also has the default provider, the plugin warns. That is known after this
    // registration.
    this.urn.apply(() => warnOfUnknownKeys());
  }
}

// Programs' compilers read this file's declarations, which therefore use no other library's types.

/** The options of a function. */
export interface FunctionOptions {
  /**
   * An explicit provider. Default: the parent's provider, then the stack's configuration and the
   * environment.
   */
  readonly provider?: pulumi.ProviderResource;
  /** The component whose provider the function uses. */
  readonly parent?: pulumi.Resource;
}

/** The options of a function's Output form. */
export interface FunctionOutputOptions extends FunctionOptions {
  /** Resources that must exist before the function reads. */
  readonly dependsOn?:
    | pulumi.Input<pulumi.Input<pulumi.Resource>[]>
    | pulumi.Input<pulumi.Resource>;
}

/**
 * The settings of an explicit provider, by configuration key. The default provider's settings are
 * unknown here.
 */
export function configurationOf({
  provider,
}: FunctionOptions): Provider["configuration"] | undefined {
  return (provider as Partial<Provider> | undefined)?.configuration;
}

/** The settings of an explicit provider once known. In a preview, they may stay unknown. */
export async function knownConfiguration(
  opts: FunctionOptions,
): Promise<Record<string, string | undefined> | undefined> {
  const configuration = configurationOf(opts);
  if (configuration === undefined) return undefined;
  const known = await valueWithUnknowns(configuration);
  if (Object.values(known).every((value) => value === undefined || typeof value === "string"))
    return known;
  const problem = "The provider has arguments that are not known yet";
  throw programError(
    coded("CDB2005", `${problem}: call the function's Output form, or make the arguments known.`),
  );
}

const memories = new WeakMap<object, Map<string, unknown>>();

/**
 * Computes a value once per key and explicit provider, or else once per run: programs in one
 * process have separate root stacks.
 */
export function memoize<Value>(
  key: string,
  compute: () => Value,
  { provider }: FunctionOptions,
): Value {
  const owner = provider ?? pulumi.getStackResource() ?? globalThis;
  const memory = memories.get(owner) ?? new Map<string, unknown>();
  memories.set(owner, memory);
  if (!memory.has(key)) memory.set(key, compute());
  return memory.get(key) as Value;
}

type Setting = pulumi.Output<string | undefined>;

/** Throws if the organization is secret. Default: checks the stack's configuration. */
export function assertPlainOrganization(
  isSecret = isConfigSecret(settingKey("organizationId")),
): void {
  if (isSecret) throw programError(SECRET_ORGANIZATION);
}

/**
 * Warns once of unknown keys in the stack's configuration, unless the default provider's plugin
 * does.
 */
export function warnOfUnknownKeys(isKnownToPlugin = false): void {
  const warn = () => {
    const keys = isKnownToPlugin ? [] : Object.keys(pulumi.allConfig());
    const names = keys.flatMap((key) => /^clouddb:(.*)/.exec(key)?.[1] ?? []);
    for (const line of unknownKeys(pulumi.getProject(), names, SETTINGS))
      void pulumi.log.warn(render(line));
  };
  memoize("unknown keys", warn, {});
}

/** The settings of an explicit provider, as text: arguments, or else the stack's configuration. */
function explicitSettings(
  name: string,
  args: ProviderArgs,
  { envVarMappings = {} }: pulumi.ResourceOptions,
): Record<string, Setting> {
  const user = `Provider "${name}"`;
  assertArguments(user, args);
  assertKnownArguments(user, args, SETTINGS);
  assertPlainOrganization();
  const config = new pulumi.Config("clouddb");
  const mapped = Object.values(envVarMappings);
  const settings: Record<string, Setting> = {};
  for (const key of SETTINGS) {
    // Pulumi passes the stack's configuration only to the default provider. A mapped variable takes
    // precedence, even if unset. A configured value is passed on as a secret, since it may be one.
    const configured = mapped.includes(settingVariable(key)) ? undefined : config.getSecret(key);
    const argument: pulumi.Output<unknown> = pulumi.output(args[key]);
    const text = isSet(args[key])
      ? argument.apply((known) => pulumi.output(isSet(known) ? String(known) : configured))
      : configured;
    if (text === undefined) continue;
    settings[key] = SECRET_SETTINGS.includes(key) ? pulumi.secret(text) : text;
    if (key === "organizationId") {
      settings[key] = pulumi.output(pulumi.isSecret(argument)).apply((isSecret) => {
        assertPlainOrganization(isSecret);
        return text;
      });
    }
  }
  if (mapped.length > 0)
    settings[VARIABLE_MAPPINGS] = pulumi.output(JSON.stringify(envVarMappings));
  return settings;
}

function byConfigurationKey(settings: Readonly<Record<string, Setting>>): Record<string, Setting> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [settingKey(key), value]),
  );
}

/**
 * True if a value is set. An empty text counts as absent, in arguments and in the configuration.
 */
function isSet(value: unknown): value is NonNullable<unknown> {
  return isGiven(value) && value !== "";
}
