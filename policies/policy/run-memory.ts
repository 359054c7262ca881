import type { Properties } from "pulumi-clouddb/definitions";

/*
 * The state of a pack during one preview or update, which is one process.
 */

/** Declared values by URN: a stack policy receives outputs, which do not show what was declared. */
export const declarations = new Map<string, Properties>();

/** The URNs of excluded resources: every policy sees them, and the first one reports them. */
export const reportedExclusions = new Set<string>();

/** A test judges many programs in one process. */
export function forgetRun(): void {
  declarations.clear();
  reportedExclusions.clear();
}
