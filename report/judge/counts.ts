import type { Change, Operation, Preview } from "../preview";

export type Counts = Readonly<Partial<Record<Operation, number>>>;

export function countsOf(changes: readonly Change[]): Counts {
  const counts: Partial<Record<Operation, number>> = {};
  for (const { operation } of changes) {
    if (operation !== "same") counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return counts;
}

/** The engine's steps that the report has no change for: what it calls otherwise is counted as the engine does. */
export function unexplainedSteps({ changes, drift, stackOperation, summary = {}, outcome }: Preview): string[] {
  // What failed was summed up before it was through.
  if (outcome !== "succeeded") return [];
  const all = [stackOperation, ...[...changes, ...drift].map(({ operation }) => operation)];
  const known = (name: string) => all.filter((operation) => (operation === "forget" ? "delete" : operation) === name);
  return Object.entries(summary).flatMap(([name, count]) => {
    const missing = COUNTED.includes(name) ? count - known(name).length : 0;
    return missing > 0 ? [`the engine counts ${missing} more to ${name} than the preview describes`] : [];
  });
}

const COUNTED: readonly string[] = ["create", "update", "replace", "delete", "read", "discard", "import"];
