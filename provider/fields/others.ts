import { hasUnknown, isRecord } from "./engine-values";
import type { Field, ReadonlyProperties } from "./field";
import { entriesOf } from "./list";

/** Where outputs keep the keys of the entries in shared lists that somebody else has added, by the list's name. */
export const OTHERS = "__others";

/** Tells which entries of a list somebody else has added. */
export function isOthersIn(
  outputs: ReadonlyProperties,
  { name, field: { list } }: { readonly name: string; readonly field: Field },
): (entry: unknown) => boolean {
  const { [OTHERS]: others } = outputs;
  const keys = new Set(entriesOf(isRecord(others) ? others[name] : undefined));
  return (entry) => list?.sharedAs !== undefined && !hasUnknown(entry) && keys.has(list.key(entry));
}
