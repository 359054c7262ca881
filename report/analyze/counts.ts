import type { Preview, ResourceStep } from "../preview";

export function countsOf(changes: readonly ResourceStep[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { operation } of changes) {
    if (operation !== "same") counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return counts;
}

/** Steps in the engine's summary that its events do not describe. */
export function unexplainedSteps({ changes, drift, stackOperation, summary = {}, outcome }: Preview): string[] {
  // The summary of a failed preview is incomplete.
  if (outcome !== "succeeded") return [];
  const all = [stackOperation, ...[...changes, ...drift].map(({ operation }) => operation)];
  const known = (name: string) => all.filter((operation) => (operation === "forget" ? "delete" : operation) === name);
  return Object.entries(summary).flatMap(([name, count]) => {
    const missing = COUNTED.includes(name) ? count - known(name).length : 0;
    return missing > 0 ? [`${missing} more to ${name} in the engine's summary than its events describe`] : [];
  });
}

const COUNTED: readonly string[] = ["create", "update", "replace", "delete", "read", "discard", "import"];
