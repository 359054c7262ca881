import type { Properties } from "pulumi-clouddb/definitions";

/*
 * The state of a pack during one preview or update, which is one process.
 */

/** Declared values by URN: a stack policy receives outputs, which do not show what was declared. */
export const declarations = new Map<string, Properties>();

/** The URNs of excluded resources: every policy sees them, and the first one reports them. */
export const reportedExclusions = new Set<string>();

/** The settings of policies, by what the engine passes. */
export const settingsByText = new Map<string, unknown>();

const shared: { forget: () => void }[] = [];

/**
 * A value that all policies compute from the same request. The engine passes each policy a copy of the request, one
 * policy after the other: a policy that asks again has received the next request.
 */
export function sharedByPolicies<Value>() {
  let last: { readonly key: string; readonly value: Value; readonly users: Set<string> } | undefined;
  shared.push({
    forget: () => {
      last = undefined;
    },
  });
  return (key: string, policy: string, compute: () => Value): Value => {
    if (last?.key !== key || last.users.has(policy)) last = { key, value: compute(), users: new Set() };
    last.users.add(policy);
    return last.value;
  };
}

/** A test judges many programs in one process. */
export function forgetRun(): void {
  declarations.clear();
  reportedExclusions.clear();
  settingsByText.clear();
  for (const { forget } of shared) forget();
}
