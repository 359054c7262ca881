import { hasUnknown, isRecord } from "./engine-values";
import type { Field, ReadonlyProperties } from "./field";
import { entriesOf } from "./list";

/** Where outputs keep the keys of the entries in shared lists that have another owner, by the list's name. Permanent. */
export const OTHERS = "__others";

/** Recognizes the entries of a list that have another owner. */
export function isOthersIn(
  outputs: ReadonlyProperties,
  { name, field: { list } }: { readonly name: string; readonly field: Field },
): (entry: unknown) => boolean {
  const { [OTHERS]: others } = outputs;
  const keys = new Set(entriesOf(isRecord(others) ? others[name] : undefined));
  return (entry) => list?.sharedAs !== undefined && !hasUnknown(entry) && keys.has(list.key(entry));
}
