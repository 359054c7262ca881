import type { PolicyPackConfig } from "@pulumi/policy";
import { policies } from "../rules";

const LEVELS = ["advisory", "mandatory", "remediate", "disabled"];

/** What is wrong with levels and settings of policies, in one sentence; nothing where they are sound. */
export function mistakeInConfig(config: PolicyPackConfig): string | undefined {
  const strange = Object.entries(config).filter(([, entry]) => typeof entry !== "string" && !isObject(entry));
  if (strange.length > 0)
    return `The policies' settings cannot be used: ${strange.map(([name]) => `${name}: use a level or settings`).join("; ")}.`;
  const given = new Map(Object.entries(config).map(([name, entry]) => [name, settingsOf(entry)]));
  const names: readonly string[] = policies.map((policy) => policy.name);
  const strangers = [...given.keys()].filter((name) => name !== "all" && !names.includes(name));
  const levels = [...given].filter(([, { enforcementLevel: level }]) => level !== undefined && !LEVELS.includes(level));
  const mistakes = [
    ...strangers.map((name) => `there is no policy ${name}; there are ${names.join(", ")}`),
    ...levels.map(([name]) => `${name}.enforcementLevel: use one of ${LEVELS.join(", ")}`),
    ...policies.flatMap((policy) => policy.mistakesIn({ ...given.get("all"), ...given.get(policy.name) })),
  ];
  return mistakes.length > 0 ? `The policies' settings cannot be used: ${mistakes.join("; ")}.` : undefined;
}

function settingsOf(entry: PolicyPackConfig[string]): { readonly enforcementLevel?: string } {
  return typeof entry === "string" ? { enforcementLevel: entry } : entry;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
