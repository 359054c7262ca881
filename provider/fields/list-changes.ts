import type { Definition, ListRules, ReadonlyProperties } from "./field";
import { common, entriesOf, withKeysOf, without, withoutKeys } from "./list";
import { observe } from "./observation";
import { type FieldPath, fieldPathsOf, knownValue, valueAt } from "./paths";
import { pendingFields } from "./request";
import { describedAsDeclared } from "./shared";

/** True if entries are added to and removed from a list that others use, too. */
export function sharesList(rules: ListRules): boolean {
  return rules.unmanaged === "keep" && rules.send === "addRemove";
}

/** True if a response lacks a list that its request has changed: the list may be empty, or just not shown. */
export function omitsChangedList(
  definition: Definition,
  operation: string,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
  response: ReadonlyProperties,
): boolean {
  return pendingFields(definition, operation, outputs, inputs).some((fieldPath) => {
    const { field, path } = fieldPath;
    if (field.list?.send !== "addRemove" || entriesOf(valueAt(inputs, path)).length === 0) return false;
    const observed = observe(fieldPath, response);
    return observed !== undefined && observed.value === undefined;
  });
}

/** The entries of declared lists that a response shows, and that neither the program nor the state has. */
export function foreignEntries(
  definition: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
  response: ReadonlyProperties,
): { readonly name: string; readonly keys: readonly string[] }[] {
  return fieldPathsOf(definition.fields).flatMap((fieldPath) => {
    const { name, path, field } = fieldPath;
    const declared = valueAt(inputs, path);
    const rules = field.list;
    if (declared === undefined || rules?.send !== "addRemove" || rules.unmanaged !== "remove") return [];
    const known = [...entriesOf(declared), ...entriesOf(valueAt(outputs, path))];
    const foreign = withoutKeys(rules, entriesOf(observe(fieldPath, response)?.value), known);
    return foreign.length > 0 ? [{ name, keys: foreign.map(rules.key) }] : [];
  });
}

/**
 * The result of a list change: the declared entries without those that the response lacks, and with removed entries
 * that it still has. Entries that others have added meanwhile are left to the next refresh.
 */
export function reconcileList(
  fieldPath: FieldPath,
  outputs: ReadonlyProperties,
  declared: unknown,
  observed: unknown,
): unknown {
  const rules = fieldPath.field.list;
  if (rules?.send !== "addRemove" || observed === undefined) return undefined;
  const before = entriesOf(knownValue(outputs, fieldPath, declared));
  const after = entriesOf(declared);
  const now = describedAsDeclared(outputs, fieldPath, after, entriesOf(observed));
  const isShared = sharesList(rules);
  const missing = without(rules, isShared ? after : without(rules, after, before), now);
  const removed = without(rules, before, after);
  // Among entries of others, ours are known by their key alone: somebody may have changed the rest of one.
  const lingering = isShared ? withoutKeys(rules, withKeysOf(rules, now, removed), after) : common(rules, now, removed);
  return [...without(rules, after, missing), ...lingering];
}
