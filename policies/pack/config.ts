import type { PolicyPackConfig } from "@pulumi/policy";
import { isRecord } from "pulumi-clouddb-facts";
import { checkConfigurationWith } from "../policy/pulumi-internals";
import { policies } from "../rules";

const LEVELS = ["advisory", "mandatory", "remediate", "disabled"];

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
  ];
  return errors.length > 0 ? `Invalid policy settings: ${errors.join("; ")}.` : undefined;
}

let isInstalled = false;

/** Rejects an invalid configuration file before anything runs. */
export function installConfigHook(): void {
  if (!isInstalled) checkConfigurationWith(configError);
  isInstalled = true;
}

function settingsOf(entry: PolicyPackConfig[string]): { readonly enforcementLevel?: string } {
  return typeof entry === "string" ? { enforcementLevel: entry } : entry;
}

function isEntry(entry: unknown): boolean {
  return typeof entry === "string" || isRecord(entry);
}
