import { PolicyPack, type PolicyPackConfig } from "@pulumi/policy";
import { isRecord } from "pulumi-clouddb-facts";
import { exemptionsIn, setExemptions } from "./core/exemptions";
import { checkConfigurationWith, interceptResources } from "./core/pulumi-internals";
import { beginRequest, recordSecrets } from "./core/resource";
import type { CloudDbPoliciesConfig } from "./policy-settings";
import { exemptions, policies } from "./rules";

/**
 * The policies of pulumi-clouddb for a custom pack: `new CloudDbPolicies({ all: "mandatory" })` in
 * its entry point. A configuration file overrides these levels and settings. To add policies,
 * spread `policies` into a `PolicyPack` instead.
 */
export class CloudDbPolicies extends PolicyPack {
  constructor(config: CloudDbPoliciesConfig = {}) {
    const entries = Object.fromEntries(
      Object.entries(config).filter(([, value]) => value !== undefined),
    );
    const error = configError(entries);
    if (error !== undefined) {
      // Exits instead of throwing, since the engine would show a stack trace.
      console.error(error);
      process.exit(1);
    }
    installHooks();
    super("pulumi-clouddb-policies", { policies: [...policies] }, withLevels(entries));
  }
}

/**
 * The configuration with a level in each entry: @pulumi/policy 1.21 sends settings without a level
 * as advisory, also those of a mandatory policy. Settings switch on a policy that is disabled.
 */
function withLevels(config: Readonly<Record<string, unknown>>): PolicyPackConfig {
  const all = isRecord(config.all) ? config.all.enforcementLevel : config.all;
  const leveled: Record<string, unknown> = { ...config };
  for (const { name, enforcementLevel } of policies) {
    const entry = config[name];
    const own = enforcementLevel === "disabled" ? "advisory" : enforcementLevel;
    if (isRecord(entry))
      leveled[name] = { ...entry, enforcementLevel: entry.enforcementLevel ?? all ?? own };
  }
  return leveled as PolicyPackConfig;
}

const LEVELS = ["advisory", "mandatory", "disabled"];

/** The error in levels and settings of a pack's policies; undefined if they are valid. */
export function configError(
  config: Readonly<Record<string, unknown>>,
  names: readonly string[] = policies.map((policy) => policy.name),
): string | undefined {
  const errors: string[] = [];
  const settings = new Map<string, { readonly enforcementLevel?: string }>();
  const known = `use one of ${names.join(", ")}`;
  for (const [name, entry] of Object.entries(config)) {
    if (typeof entry === "string") settings.set(name, { enforcementLevel: entry });
    else if (isRecord(entry)) settings.set(name, entry);
    else errors.push(`${name}: use a level or an object of settings`);
    if (name !== "all" && !names.includes(name)) errors.push(`unknown policy ${name}; ${known}`);
  }
  const ours = policies.filter(({ name }) => names.includes(name));
  // The engine turns a file's level for all policies into each policy's level.
  const levels = ["all", ...ours.map(({ name }) => name)]
    .filter((name) => !LEVELS.includes(settings.get(name)?.enforcementLevel ?? "mandatory"))
    .map((name) => `${name}.enforcementLevel`);
  if (levels.length > 0) errors.push(`${levels.join(", ")}: use one of ${LEVELS.join(", ")}`);
  for (const policy of ours)
    errors.push(...policy.settingsErrors({ ...settings.get("all"), ...settings.get(policy.name) }));
  for (const { policy } of exemptionsIn(settings.get(exemptions.name)))
    if (!names.includes(policy))
      errors.push(`${exemptions.name}: unknown policy ${policy}; ${known}`);
  return errors.length > 0 ? `Invalid policy settings: ${errors.join("; ")}.` : undefined;
}

let isInstalled = false;

/**
 * Rejects an invalid configuration file before any policy runs, and stores exemptions and secrets
 * for all policies.
 */
export function installHooks(): void {
  if (isInstalled) return;
  isInstalled = true;
  interceptResources((resources) => {
    beginRequest();
    for (const { urn, properties } of resources) recordSecrets(urn, properties);
  });
  checkConfigurationWith((config, names) => {
    const error = configError(config, names);
    if (error === undefined) {
      setExemptions(exemptionsIn(config[exemptions.name]));
      warnOfIdleSettings(config);
    }
    return error;
  });
}

/** A file's settings do not switch on a policy that is disabled by default. */
function warnOfIdleSettings(config: Readonly<Record<string, object>>): void {
  const idle = policies.filter(({ name, enforcementLevel }) => {
    const { enforcementLevel: level, ...settings } = { enforcementLevel, ...config[name] };
    return (
      enforcementLevel === "disabled" && level === "disabled" && Object.keys(settings).length > 0
    );
  });
  if (idle.length === 0) return;
  const names = idle.map(({ name }) => name).join(", ");
  console.error(
    `${names}: the settings have no effect, because the policy is disabled; add "enforcementLevel": "mandatory" to them.`,
  );
}
