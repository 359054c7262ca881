/**
 * The order of additions and removals, which the specification leaves open. `removeFirst` is
 * common.
 */
export type ListOrder = "removeFirst" | "addFirst";

export interface ListChange<Entry> {
  readonly add?: readonly Entry[] | undefined;
  readonly remove?: readonly Entry[] | undefined;
}

/**
 * Applies a change to a list. Entries with equal keys are merged. Removing an absent entry has no
 * effect.
 */
export function updateList<Entry>(
  list: readonly Entry[],
  { add = [], remove = [] }: ListChange<Entry>,
  keyOf: (entry: Entry) => string,
  order: ListOrder = "removeFirst",
): Entry[] {
  const removed = new Set(remove.map(keyOf));
  const withoutRemoved = (entries: readonly Entry[]) =>
    entries.filter((entry) => !removed.has(keyOf(entry)));
  const result =
    order === "removeFirst" ? [...withoutRemoved(list), ...add] : withoutRemoved([...list, ...add]);
  // An entry that is added again keeps its position with the new content.
  return [...new Map(result.map((entry) => [keyOf(entry), entry])).values()];
}

/** Adds default values to added entries. */
export function withDefaults<Entry>({ add = [], ...change }: ListChange<Entry>, defaults: object) {
  return { ...change, add: add.map((entry) => ({ ...defaults, ...entry })) };
}
