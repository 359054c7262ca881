import type { Properties } from "pulumi-clouddb/definitions";

/*
 * The state of a pack during one preview or update, which is one process.
 */

/** Declared values by URN: a stack policy receives only outputs. */
export const declarations = new Map<string, Properties>();

/** The places that the program marks as secret, by URN. */
export const secretPlaces = new Map<string, ReadonlySet<string>>();

/** The URNs of excluded resources: every policy sees them, and the first one reports them. */
export const reportedExclusions = new Set<string>();

/** Forget everything: a test judges many programs in one process. */
export function forgetRun(): void {
  declarations.clear();
  secretPlaces.clear();
  reportedExclusions.clear();
}
