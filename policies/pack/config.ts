import type { PolicyPackConfig } from "@pulumi/policy";
import { isRecord } from "pulumi-clouddb-facts";
import { exemption, exemptionErrors } from "pulumi-clouddb-facts/exemptions";
import type { z } from "zod";
import { checkConfigurationWith, nameUnchecked, recordSecretsWith } from "../policy/pulumi-internals";
import { setExemptions } from "../policy/run-memory";
import { recordSecrets } from "../policy/secrets";
import { policies } from "../rules";
import { exemptions } from "../rules/exemptions";

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
    ...errorsOfExemptions({ ...settings.get("all"), ...settings.get(exemptions.name) }, names),
  ];
  return errors.length > 0 ? `Invalid policy settings: ${errors.join("; ")}.` : undefined;
}

let isInstalled = false;

/** Rejects an invalid configuration file before anything runs, and keeps exemptions and secrets for all policies. */
export function installHooks(): void {
  if (!isInstalled) {
    nameUnchecked();
    recordSecretsWith(recordSecrets);
    checkConfigurationWith(exemptions.name, (config, names) => {
      const error = configError(config, names);
      const { enforcementLevel, ...settings } = config[exemptions.name] ?? {};
      if (error === undefined && enforcementLevel !== "disabled") {
        setExemptions(exemptions.settings.parse(settings).list.map((entry) => exemption.parse(entry)));
      }
      return error;
    });
  }
  isInstalled = true;
}

/** The errors in the exemptions of a pack with these policies. */
function errorsOfExemptions(
  { enforcementLevel, ...settings }: z.input<typeof exemptions.settings> & { readonly enforcementLevel?: string },
  names: readonly string[],
): string[] {
  const { list = [] } = settings;
  if (Array.isArray(list) && list.length === 0) return [];
  const isLast = names.at(-1) === exemptions.name;
  const errors = [
    ...(isLast ? [] : ["put this policy last in the pack, because it reports what the others have exempted"]),
    ...(enforcementLevel === "disabled" ? ["no exemption applies while this policy is disabled; remove the list"] : []),
    ...exemptionErrors(settings, new Date()),
  ];
  return errors.map((error) => `${exemptions.name}: ${error}`);
}

function settingsOf(entry: PolicyPackConfig[string]): { readonly enforcementLevel?: string } {
  return typeof entry === "string" ? { enforcementLevel: entry } : entry;
}

function isEntry(entry: unknown): boolean {
  return typeof entry === "string" || isRecord(entry);
}
