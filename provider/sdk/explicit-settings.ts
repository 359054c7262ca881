import { settingKey } from "../names";
import { assertArguments, isGiven } from "./arguments";
import { type ProviderArgs, SECRET_SETTINGS, SETTINGS } from "./provider-args";
import * as pulumi from "./pulumi";

type Setting = pulumi.Output<string | undefined>;

/** The settings of an explicit provider, as text: an argument, or what the stack's configuration has for it. */
export function explicitSettings(name: string, args: ProviderArgs): Record<string, Setting> {
  assertArguments(`Provider "${name}"`, args);
  const config = new pulumi.Config("clouddb");
  const settings: Record<string, Setting> = {};
  for (const key of SETTINGS) {
    const value = setting(args[key], key, config);
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}

/** Explicit settings by configuration key. */
export function byConfigurationKey(settings: Readonly<Record<string, Setting>>): Record<string, Setting> {
  return Object.fromEntries(Object.entries(settings).map(([key, value]) => [settingKey(key), value]));
}

/**
 * The argument, or the value in the stack's configuration, which Pulumi passes only to the default provider. Any
 * configuration value may be stored as a secret, so such a value stays one.
 */
function setting(argument: unknown, key: keyof ProviderArgs, config: pulumi.Config): Setting | undefined {
  const configured = config.getSecret(key);
  if (!isSet(argument)) return configured;
  const text = pulumi.output(argument).apply((known) => pulumi.output(isSet(known) ? String(known) : configured));
  return SECRET_SETTINGS.includes(key) ? pulumi.secret(text) : text;
}

/** True if a value is a setting: an empty text is none, at any level. */
function isSet(value: unknown): value is NonNullable<unknown> {
  return isGiven(value) && value !== "";
}
