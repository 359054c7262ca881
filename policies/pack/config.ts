import type { PolicyPackConfig } from "@pulumi/policy";
import { isRecord } from "pulumi-clouddb-facts";
import { setExemptions } from "../policy/exemptions";
import { checkConfigurationWith, recordSecretsWith } from "../policy/pulumi-internals";
import { recordSecrets } from "../policy/secrets";
import { policies } from "../rules";
import { exemptions } from "../rules/exemptions";

const LEVELS = ["advisory", "mandatory", "disabled"];

/** The error message about levels and settings of a pack's policies; undefined if they are valid. */
export function configError(
  config: PolicyPackConfig,
  names: readonly string[] = policies.map((policy) => policy.name),
): string | undefined {
  const entries = Object.entries(config);
  const settings = new Map(
    entries.filter(([, entry]) => isEntry(entry)).map(([name, entry]) => [name, settingsOf(entry)]),
  );
  const unknownNames = [...settings.keys()].filter((name) => name !== "all" && !names.includes(name));
  const levels = [...settings].filter(
    ([, { enforcementLevel: level }]) => level !== undefined && !LEVELS.includes(level),
  );
  const errors = [
    ...entries.filter(([, entry]) => !isEntry(entry)).map(([name]) => `${name}: use a level or an object of settings`),
    ...unknownNames.map((name) => `unknown policy ${name}; use one of ${names.join(", ")}`),
    ...levels.map(([name]) => `${name}.enforcementLevel: use one of ${LEVELS.join(", ")}`),
    ...policies
      .filter(({ name }) => names.includes(name))
      .flatMap((policy) => policy.settingsErrors({ ...settings.get("all"), ...settings.get(policy.name) })),
    ...exemptionsIn(settings.get(exemptions.name))
      .filter(({ policy }) => !names.includes(policy))
      .map(({ policy }) => `${exemptions.name}: unknown policy ${policy}; use one of ${names.join(", ")}`),
  ];
  return errors.length > 0 ? `Invalid policy settings: ${errors.join("; ")}.` : undefined;
}

let isInstalled = false;

/** Rejects an invalid configuration file before anything runs, and keeps exemptions and secrets for all policies. */
export function installHooks(): void {
  if (!isInstalled) {
    recordSecretsWith(recordSecrets);
    checkConfigurationWith((config, names) => {
      const error = configError(config, names);
      if (error === undefined) setExemptions(exemptionsIn(config[exemptions.name]));
      return error;
    });
  }
  isInstalled = true;
}

/** The exemptions in the settings of their policy, which pass nothing on while it is disabled. */
function exemptionsIn({ enforcementLevel, ...settings }: { readonly enforcementLevel?: string } = {}) {
  return enforcementLevel === "disabled" ? [] : (exemptions.settings.safeParse(settings).data?.list ?? []);
}

function settingsOf(entry: PolicyPackConfig[string]): { readonly enforcementLevel?: string } {
  return typeof entry === "string" ? { enforcementLevel: entry } : entry;
}

function isEntry(entry: unknown): boolean {
  return typeof entry === "string" || isRecord(entry);
}
