import { isRecord } from "pulumi-clouddb-facts";
import type { Warning } from "../json-report";
import { ALL, levelOf, ownLevel, type PolicySettings, type SettingsFiles } from "../read/settings";
import { EXEMPTIONS, newExemptions } from "./exemptions";
import { canonicalText, formatValue } from "./values";

const STRICTNESS: Readonly<Record<string, number>> = { disabled: 0, advisory: 1, mandatory: 2, remediate: 2 };

/** The policies that are disabled or weaker than before. */
export function weakenedPolicies(files: SettingsFiles): Warning[] {
  if (files.problem !== undefined)
    return [{ urn: "", name: "all policies", reason: `settings could not be read: ${files.problem}` }];
  const [before, after] = [files.before && withoutExemptions(files.before), withoutExemptions(files.after)];
  const names = [...new Set([ALL, ...Object.keys(before ?? {}), ...Object.keys(after)])];
  const weaker = names.flatMap((name) => {
    const reasons = before ? reasonsFor(name, before, after) : disabledIn(name, after);
    return reasons.map((reason) => ({ urn: "", name: name === ALL ? "all policies" : name, reason }));
  });
  return [...weaker, ...newExemptions(files)];
}

/** Exemptions are reported one by one, and a policy is not weaker without them: only their bound is left. */
function withoutExemptions({ [EXEMPTIONS]: exemptions, ...others }: PolicySettings): PolicySettings {
  if (!isRecord(exemptions) || exemptions.maxDays === undefined) return others;
  return { ...others, [EXEMPTIONS]: { maxDays: exemptions.maxDays } };
}

function disabledIn(name: string, settings: PolicySettings): string[] {
  return ownLevel(settings, name) === "disabled" ? ["disabled by the policy settings"] : [];
}

function reasonsFor(name: string, before: PolicySettings, after: PolicySettings): string[] {
  return [...levelReasons(name, before, after), ...settingReasons(settingsOf(before, name), settingsOf(after, name))];
}

function levelReasons(name: string, before: PolicySettings, after: PolicySettings): string[] {
  const [was, is] = [levelOf(before, name), levelOf(after, name)];
  // A change of `all` is reported once.
  const isInherited = name !== ALL && ownLevel(before, name) === undefined && ownLevel(after, name) === undefined;
  if (was === is || isInherited) return [];
  // The default level may be any.
  const isStricter = (STRICTNESS[was] ?? 2) <= (STRICTNESS[is] ?? 0);
  return isStricter ? [] : [is === "disabled" ? `disabled (was ${was})` : `lowered from ${was} to ${is}`];
}

function settingsOf(settings: PolicySettings, name: string): PolicySettings {
  const own = settings[name];
  if (!isRecord(own)) return {};
  const { enforcementLevel: _, ...others } = own;
  return others;
}

function settingReasons(before: PolicySettings, after: PolicySettings): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (canonicalText(was) === canonicalText(is) || isStricter(name, was, is)) return [];
    return [`setting ${name} changes from ${formatValue(was)} to ${formatValue(is)}`];
  });
}

/** Settings without a default: any bound is stricter than none. Others may have had a stricter default. */
const UNBOUNDED = /^(?:(?:min|max)(?:Gb)?|maxTotalGb|maxMonthlyCost|maxServices)$/;

/** True if a setting is certainly stricter than before; a doubtful one is reported. */
function isStricter(name: string, was: unknown, is: unknown): boolean {
  if (typeof is === "number" && (was === undefined || typeof was === "number")) {
    if (was === undefined) return UNBOUNDED.test(name);
    if (/^max/.test(name)) return is < was;
    if (/^(?:min|widest)/.test(name)) return is > was;
  }
  if (/^allow/.test(name) && Array.isArray(was) && Array.isArray(is)) {
    const known = new Set(was.map(canonicalText));
    return is.every((entry) => known.has(canonicalText(entry)));
  }
  return false;
}
