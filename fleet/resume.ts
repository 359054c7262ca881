/** The stacks that are done, of one change. */
export interface Done {
  readonly change: string;
  readonly done: readonly string[];
}

/** What of an earlier run of the same change still counts: nothing of these stacks if all are done, to start anew. */
export function stillDone(record: Done | undefined, change: string, stacks: readonly string[]): readonly string[] {
  if (record?.change !== change) return [];
  const isComplete = stacks.every((name) => record.done.includes(name));
  return isComplete ? record.done.filter((name) => !stacks.includes(name)) : record.done;
}
