import type { PolicyPackConfig } from "@pulumi/policy";
import { isRecord } from "pulumi-clouddb-facts";
import type { Exemption } from "pulumi-clouddb-facts/exemptions";
import { checkConfigurationWith } from "../policy/pulumi-internals";
import { setExemptions } from "../policy/run-memory";
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
    ...exemptionErrors(listIn(settings.get(exemptions.name)), names),
  ];
  return errors.length > 0 ? `Invalid policy settings: ${errors.join("; ")}.` : undefined;
}

let isInstalled = false;

/** Rejects an invalid configuration file before anything runs, and keeps its exemptions for all policies. */
export function installConfigHook(): void {
  if (!isInstalled) {
    checkConfigurationWith(exemptions.name, (config, names) => {
      const error = configError(config, names);
      const { enforcementLevel, ...settings } = config[exemptions.name] ?? {};
      if (error === undefined && enforcementLevel !== "disabled") {
        setExemptions(exemptions.settings.parse(settings).list);
      }
      return error;
    });
  }
  isInstalled = true;
}

/** The list before it is known to be valid. */
function listIn(settings: object = {}): Partial<Exemption>[] {
  const { list = [] } = settings as { list?: Partial<Exemption>[] };
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function exemptionErrors(list: readonly Partial<Exemption>[], names: readonly string[]): string[] {
  if (list.length === 0) return [];
  const others = names.filter((name) => name !== exemptions.name);
  return [
    ...(names.at(-1) === exemptions.name
      ? []
      : [`${exemptions.name}: put this policy last in the pack, because it reports what the others have exempted`]),
    ...list.flatMap(({ policy }, index) =>
      typeof policy !== "string" || others.includes(policy)
        ? []
        : [`${exemptions.name}.list.${index}.policy: unknown policy ${policy}; use one of ${others.join(", ")}`],
    ),
  ];
}

function settingsOf(entry: PolicyPackConfig[string]): { readonly enforcementLevel?: string } {
  return typeof entry === "string" ? { enforcementLevel: entry } : entry;
}

function isEntry(entry: unknown): boolean {
  return typeof entry === "string" || isRecord(entry);
}
