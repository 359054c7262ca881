import type { Warning } from "./irreversible";
import { isObject, printOf, shown } from "./values";

/** Settings of policies, as in the file for --policy-pack-config; without those before, only what is off is known. */
export interface SettingsFiles {
  readonly before?: PolicySettings | undefined;
  readonly after: PolicySettings;
  /** Why they could not be read. */
  readonly problem?: string;
}

export type PolicySettings = Readonly<Record<string, unknown>>;

const ALL = "all";
const STRICTNESS: Readonly<Record<string, number>> = { disabled: 0, advisory: 1, mandatory: 2, remediate: 2 };
const DEFAULT = "its default level";

/** The policies that are disabled, and those that are weaker than before. */
export function weakenedPolicies({ before, after, problem }: SettingsFiles): Warning[] {
  if (problem !== undefined)
    return [{ urn: "", name: "all policies", reason: `their settings are unknown: ${problem}` }];
  const names = [...new Set([ALL, ...Object.keys(before ?? {}), ...Object.keys(after)])];
  return names.flatMap((name) => {
    const reasons = before ? reasonsFor(name, before, after) : disabledIn(name, after);
    return reasons.map((reason) => ({ urn: "", name: name === ALL ? "all policies" : name, reason }));
  });
}

function disabledIn(name: string, settings: PolicySettings): string[] {
  return ownLevel(settings, name) === "disabled" ? ["disabled by the policy settings"] : [];
}

function reasonsFor(name: string, before: PolicySettings, after: PolicySettings): string[] {
  return [...levelReasons(name, before, after), ...settingReasons(settingsOf(before, name), settingsOf(after, name))];
}

function levelReasons(name: string, before: PolicySettings, after: PolicySettings): string[] {
  const [was, is] = [levelOf(before, name), levelOf(after, name)];
  // What `all` says of every policy is said once.
  const isInherited = name !== ALL && ownLevel(before, name) === undefined && ownLevel(after, name) === undefined;
  if (was === is || isInherited) return [];
  // A level that is not written down may be any.
  const isStricter = (STRICTNESS[was] ?? 2) <= (STRICTNESS[is] ?? 0);
  return isStricter ? [] : [is === "disabled" ? `disabled; it was ${was}` : `lowered from ${was} to ${is}`];
}

function levelOf(settings: PolicySettings, name: string): string {
  return ownLevel(settings, name) ?? ownLevel(settings, ALL) ?? DEFAULT;
}

function ownLevel(settings: PolicySettings, name: string): string | undefined {
  const own = settings[name];
  const level = isObject(own) ? own.enforcementLevel : own;
  return typeof level === "string" ? level : undefined;
}

function settingsOf(settings: PolicySettings, name: string): PolicySettings {
  const own = settings[name];
  if (!isObject(own)) return {};
  const { enforcementLevel: _, ...others } = own;
  return others;
}

function settingReasons(before: PolicySettings, after: PolicySettings): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (printOf(was) === printOf(is) || isStricter(name, was, is)) return [];
    return [`its setting ${name} changes from ${shown(was)} to ${shown(is)}`];
  });
}

/** The settings without a default: the first bound is stricter than none. Of others, the default may have been stricter. */
const UNBOUNDED = /^(?:(?:min|max)(?:Gb)?|maxTotalGb|maxServices)$/;

/** Whether a setting surely asks for more than before; what nobody can tell is listed. */
function isStricter(name: string, was: unknown, is: unknown): boolean {
  if (typeof is === "number" && (was === undefined || typeof was === "number")) {
    if (was === undefined) return UNBOUNDED.test(name);
    if (/^max/.test(name)) return is < was;
    if (/^(?:min|widest)/.test(name)) return is > was;
  }
  if (/^allow/.test(name) && Array.isArray(was) && Array.isArray(is)) {
    const known = new Set(was.map(printOf));
    return is.every((entry) => known.has(printOf(entry)));
  }
  return false;
}
