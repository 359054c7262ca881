import type { Properties } from "pulumi-clouddb/definitions";
import type { Exemption } from "pulumi-clouddb-facts/exemptions";

/*
 * The state of a pack during one preview or update, which is one process.
 */

/** Declared values by URN: a stack policy receives only outputs. */
export const declarations = new Map<string, Properties>();

/** The places that the program marks as secret, by URN. */
export const secretPlaces = new Map<string, ReadonlySet<string>>();

/** The URNs of excluded resources: every policy sees them, and the first one reports them. */
export const reportedExclusions = new Set<string>();

/** The settings of policies, by the engine's text of them. */
export const settingsByText = new Map<string, unknown>();

/** A violation that a policy does not report, because of an exemption. */
interface ExemptedViolation {
  readonly exemption: Exemption;
  readonly message: string;
  readonly urn: string | undefined;
}

/** Since the policy `exemptions` has last reported them. */
export const exemptedViolations: ExemptedViolation[] = [];

/** The keys of those that have matched a violation. */
export const usedExemptions = new Set<string>();

/** The names of policies that could not check everything. */
export const incompletePolicies = new Set<string>();

let currentExemptions: readonly Exemption[] = [];
export const exemptions = (): readonly Exemption[] => currentExemptions;
export function setExemptions(list: readonly Exemption[]): void {
  currentExemptions = list;
}

const forgetters: (() => void)[] = [];

/**
 * Compute a value once for all policies. The engine passes each policy a copy of the same request, one policy after the
 * other: a policy that asks again has received the next request.
 */
export function sharedByPolicies<Args, Value>(compute: (args: Args) => Value) {
  let last: { readonly key: string; readonly value: Value; readonly users: Set<string> } | undefined;
  forgetters.push(() => {
    last = undefined;
  });
  return (key: string, policy: string, args: Args): Value => {
    if (last?.key !== key || last.users.has(policy)) last = { key, value: compute(args), users: new Set() };
    last.users.add(policy);
    return last.value;
  };
}

/** Forget everything: a test judges many programs in one process. */
export function forgetRun(): void {
  declarations.clear();
  secretPlaces.clear();
  reportedExclusions.clear();
  settingsByText.clear();
  exemptedViolations.length = 0;
  usedExemptions.clear();
  incompletePolicies.clear();
  setExemptions([]);
  for (const forget of forgetters) forget();
}
