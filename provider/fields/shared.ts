import { DECLARED, wasDeclared } from "./declared";
import type { Definition, ListRules, Properties, ReadonlyProperties } from "./field";
import { entriesOf, withoutKeys } from "./list";
import { observe } from "./observation";
import { isOthersIn, OTHERS } from "./others";
import { type FieldPath, fieldPathsOf, valueAt, withFieldValues, withValue } from "./paths";

/*
 * Lists to which several resources, stacks or people add entries. Each resource sends and removes its own ones alone.
 */

interface SharedField {
  readonly fieldPath: FieldPath;
  readonly rules: ListRules & { readonly sharedAs: string };
}

/** The shared lists of a resource. */
export function sharedFields({ fields }: Definition): SharedField[] {
  return fieldPathsOf(fields).flatMap((fieldPath) => {
    const { list } = fieldPath.field;
    return list?.sharedAs === undefined ? [] : [{ fieldPath, rules: { ...list, sharedAs: list.sharedAs } }];
  });
}

/** Records the entries of other owners that a response shows: all but those that were in the state or have been sent. */
export function withOthers(
  definition: Definition,
  outputs: ReadonlyProperties,
  response: ReadonlyProperties,
  sent: ReadonlyProperties | undefined,
): Properties {
  let state = { ...outputs };
  for (const { fieldPath, rules } of sharedFields(definition)) {
    const observed = observe(fieldPath, response);
    // The response to an update may leave a list out; a read that does shows an empty one.
    if (observed === undefined || (sent !== undefined && observed.value === undefined)) continue;
    const isOthers = isOthersIn(outputs, fieldPath);
    const known = [outputs, sent ?? {}].flatMap((values) => entriesOf(valueAt(values, fieldPath.path)));
    const own = known.filter((entry) => !isOthers(entry));
    const others = withoutKeys(rules, entriesOf(observed.value), own);
    state = withValue(state, [OTHERS, fieldPath.name], others.map((entry) => rules.key(entry)).sort());
  }
  return state;
}

/** Records which declared entries have another owner, once a response has shown it. */
export function withSharedOutputs(definition: Definition, state: ReadonlyProperties): Properties {
  if (state[OTHERS] === undefined) return { ...state };
  let marked = { ...state };
  for (const { fieldPath, rules } of sharedFields(definition)) {
    const shared = entriesOf(valueAt(state, fieldPath.path)).filter(isOthersIn(state, fieldPath));
    marked = withValue(marked, [rules.sharedAs], shared.map((entry) => rules.key(entry)).sort());
  }
  return marked;
}

/** Observed entries, those of other owners with the program's spelling and description, which are not compared. */
export function describedAsDeclared(
  outputs: ReadonlyProperties,
  fieldPath: FieldPath,
  declared: readonly unknown[],
  observed: readonly unknown[],
): unknown[] {
  const { list } = fieldPath.field;
  if (list?.sharedAs === undefined) return [...observed];
  const isOthers = isOthersIn(outputs, fieldPath);
  const byKey = new Map(declared.filter(isOthers).map((entry) => [list.key(entry), entry]));
  return observed.map((entry) => byKey.get(list.key(entry)) ?? entry);
}

/**
 * The entries that the resource owns once its arguments have been sent, by the lists' names; undefined if none of them
 * is to be added.
 */
export function entriesToOwn(
  definition: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): Properties | undefined {
  let owned: Properties = {};
  let isAdding = false;
  for (const { fieldPath, rules } of sharedFields(definition)) {
    const isOthers = isOthersIn(outputs, fieldPath);
    const [known, wanted] = [outputs, inputs].map((values) =>
      entriesOf(valueAt(values, fieldPath.path)).filter((entry) => !isOthers(entry)),
    ) as [unknown[], unknown[]];
    const added = withoutKeys(rules, wanted, known);
    isAdding ||= added.length > 0;
    owned = withValue(owned, fieldPath.path, [...known, ...added]);
  }
  return isAdding ? owned : undefined;
}

/** The state with entries that the resource may own. */
export function withOwnEntries(
  definition: Definition,
  outputs: ReadonlyProperties,
  entries: ReadonlyProperties,
): Properties {
  let state: Properties = { ...outputs };
  for (const { fieldPath, rules } of sharedFields(definition)) {
    const { path, name } = fieldPath;
    const listed = entriesOf(valueAt(entries, path));
    if (listed.length === 0) continue;
    const known = entriesOf(valueAt(outputs, path));
    const keys = new Set(listed.map((entry) => rules.key(entry)));
    const others = entriesOf(valueAt(outputs, [OTHERS, name])).filter((key) => !keys.has(String(key)));
    state = withValue(state, path, [...known, ...withoutKeys(rules, listed, known)]);
    if (outputs[OTHERS] !== undefined) state = withValue(state, [OTHERS, name], others);
    if (!wasDeclared(outputs, fieldPath))
      state = { ...state, [DECLARED]: [...entriesOf(state[DECLARED]), name].sort() };
  }
  return state;
}

/** The arguments with an empty list for each that is not declared and has own entries: they are to be removed. */
export function withEmptiedLists(
  definition: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): Properties {
  return withFieldValues(definition.fields, inputs, ({ path, field }) => {
    const isOpen = field.list?.sharedAs !== undefined && entriesOf(valueAt(outputs, path)).length > 0;
    return isOpen && valueAt(inputs, path) === undefined ? { value: [] } : undefined;
  });
}

/** The arguments of a resource that wants none of its entries any more. */
export function withoutEntries(definition: Definition, properties: ReadonlyProperties): Properties {
  return withFieldValues(definition.fields, properties, ({ field }) =>
    field.list?.sharedAs === undefined ? undefined : { value: [] },
  );
}
