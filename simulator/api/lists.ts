/** Which half of a list's change is applied first. The specification leaves it open; `removeFirst` is what is common. */
export type Order = "removeFirst" | "addFirst";

export interface ListChange<Entry> {
  readonly add?: readonly Entry[];
  readonly remove?: readonly Entry[];
}

/** A list after a change. Entries with the same key are one; removing what is not there changes nothing. */
export function listAfter<Entry>(
  list: readonly Entry[],
  { add = [], remove = [] }: ListChange<Entry>,
  keyOf: (entry: Entry) => string,
  order: Order = "removeFirst",
): Entry[] {
  const gone = new Set(remove.map(keyOf));
  const without = (entries: readonly Entry[]) => entries.filter((entry) => !gone.has(keyOf(entry)));
  const wanted = order === "removeFirst" ? [...without(list), ...add] : without([...list, ...add]);
  // What is added again keeps its place and takes the new content.
  return [...new Map(wanted.map((entry) => [keyOf(entry), entry])).values()];
}
