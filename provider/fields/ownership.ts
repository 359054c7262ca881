import { hasUnknown } from "pulumi-clouddb-facts";
import type { Definition, ListRules, Properties } from "./field";
import { alignWithDeclared, entriesOf, withoutKeys } from "./list";
import { entriesAt, type FieldPath, fieldPathsOf, valueAt, withFieldValues, withValue } from "./paths";
import { observe } from "./response";

/*
 * The arguments that the program manages, and the entries of shared lists that belong to the resource. Several
 * resources, stacks and people add entries to a shared list, and each resource sends and removes only its own.
 */

/**
 * The output with the names of the declared arguments (never their values). A read, which is given outputs only, tells
 * managed values from those of the server by it. Permanent.
 */
export const DECLARED = "__declared";

/** The output with the keys of entries in shared lists that have another owner, by the list's name. Permanent. */
export const OTHERS = "__others";

/** The names of the declared arguments, sorted. */
export function declaredNames(definition: Definition, inputs: Properties): string[] {
  return fieldPathsOf(definition.fields)
    .filter(({ path }) => valueAt(inputs, path) !== undefined)
    .map(({ name }) => name)
    .sort();
}

/** True if the program declared this argument when the outputs were stored. */
export function wasDeclared(outputs: Properties, { name }: FieldPath): boolean {
  return entriesOf(outputs[DECLARED]).includes(name);
}

/** The inputs that a program would have to declare to agree with these outputs. */
export function inputsFromState(definition: Definition, outputs: Properties): Properties {
  return withFieldValues(definition.fields, {}, (fieldPath) =>
    wasDeclared(outputs, fieldPath) ? { value: valueAt(outputs, fieldPath.path) } : undefined,
  );
}

/** The server's value of an argument as far as it is known: the managed value, or else the value in a response. */
export function knownValue(outputs: Properties, fieldPath: FieldPath, declared: unknown): unknown {
  const { path, observedPath, field } = fieldPath;
  const rules = field.list;
  const managed = valueAt(outputs, path);
  const observed = observedPath && valueAt(outputs, observedPath);
  if (rules?.sharedAs !== undefined) {
    return [...ownEntries(outputs, fieldPath, outputs), ...entriesOf(declared).filter(isOthersIn(outputs, fieldPath))];
  }
  if (rules?.fromApi === undefined) return managed ?? observed;
  if (!Array.isArray(observed)) return managed;
  const unmanaged = withoutKeys(rules, entriesOf(declared), entriesOf(managed));
  return [...entriesOf(managed), ...alignWithDeclared(rules, unmanaged, observed.map(rules.fromApi))];
}

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

/** True for a resource that adds entries to lists of an object with other owners. */
export function hasSharedLists(definition: Definition): boolean {
  return sharedFields(definition).length > 0;
}

/** Recognizes the entries of a list that have another owner. */
export function isOthersIn(outputs: Properties, { name, field }: FieldPath): (entry: unknown) => boolean {
  const keys = new Set(entriesAt(outputs, [OTHERS, name]));
  return (entry) => field.list?.sharedAs !== undefined && !hasUnknown(entry) && keys.has(field.list.key(entry));
}

/** The entries of a list in `properties` that have no other owner. */
function ownEntries(outputs: Properties, fieldPath: FieldPath, properties: Properties): unknown[] {
  const isOthers = isOthersIn(outputs, fieldPath);
  return entriesAt(properties, fieldPath.path).filter((entry) => !isOthers(entry));
}

/** Records the entries of other owners in a response: all that were neither in the state nor sent. */
export function withOthers(
  definition: Definition,
  outputs: Properties,
  response: Properties,
  sent: Properties | undefined,
): Properties {
  let state = outputs;
  for (const { fieldPath, rules } of sharedFields(definition)) {
    const observed = observe(fieldPath, response);
    // An absent list is empty in a read, and unknown in the response to an update.
    if (observed === undefined || (sent !== undefined && observed.value === undefined)) continue;
    const own = [outputs, sent ?? {}].flatMap((properties) => ownEntries(outputs, fieldPath, properties));
    const others = withoutKeys(rules, entriesOf(observed.value), own);
    state = withValue(state, [OTHERS, fieldPath.name], others.map(rules.key).sort());
  }
  return state;
}

/** Records the declared entries that have another owner, once a response has shown it. */
export function withSharedOutputs(definition: Definition, state: Properties): Properties {
  if (state[OTHERS] === undefined) return state;
  let marked = state;
  for (const { fieldPath, rules } of sharedFields(definition)) {
    const shared = entriesAt(state, fieldPath.path).filter(isOthersIn(state, fieldPath));
    marked = withValue(marked, [rules.sharedAs], shared.map(rules.key).sort());
  }
  return marked;
}

/** The observed entries. Entries of other owners get the program's spelling and description, which are not compared. */
export function describedAsDeclared(
  outputs: Properties,
  fieldPath: FieldPath,
  declared: readonly unknown[],
  observed: readonly unknown[],
): unknown[] {
  const { list } = fieldPath.field;
  if (list?.sharedAs === undefined) return [...observed];
  const shared = declared.filter(isOthersIn(outputs, fieldPath));
  const byKey = new Map(shared.map((entry) => [list.key(entry), entry]));
  return observed.map((entry) => byKey.get(list.key(entry)) ?? entry);
}

/** The own entries of each list after the arguments have been sent; undefined if no entry has to be added. */
export function entriesToOwn(definition: Definition, outputs: Properties, inputs: Properties): Properties | undefined {
  let owned: Properties = {};
  let isAdding = false;
  for (const { fieldPath, rules } of sharedFields(definition)) {
    const known = ownEntries(outputs, fieldPath, outputs);
    const added = withoutKeys(rules, ownEntries(outputs, fieldPath, inputs), known);
    isAdding ||= added.length > 0;
    owned = withValue(owned, fieldPath.path, [...known, ...added]);
  }
  return isAdding ? owned : undefined;
}

/** The state with further entries that belong to the resource. */
export function withOwnEntries(definition: Definition, outputs: Properties, entries: Properties): Properties {
  let state = outputs;
  for (const { fieldPath, rules } of sharedFields(definition)) {
    const { path, name } = fieldPath;
    const added = entriesAt(entries, path);
    if (added.length === 0) continue;
    const known = entriesAt(outputs, path);
    const keys: unknown[] = added.map(rules.key);
    const others = entriesAt(outputs, [OTHERS, name]).filter((key) => !keys.includes(String(key)));
    state = withValue(state, path, [...known, ...withoutKeys(rules, added, known)]);
    state = withValue(state, [DECLARED], [...new Set([...entriesOf(state[DECLARED]), name])].sort());
    if (outputs[OTHERS] !== undefined) state = withValue(state, [OTHERS, name], others);
  }
  return state;
}

/** The arguments with an empty list instead of each undeclared one that has entries in the state, to remove these. */
export function withEmptiedLists(definition: Definition, outputs: Properties, inputs: Properties): Properties {
  return withFieldValues(definition.fields, inputs, ({ path, field }) => {
    const hasEntries = field.list?.sharedAs !== undefined && entriesAt(outputs, path).length > 0;
    return hasEntries && valueAt(inputs, path) === undefined ? { value: [] } : undefined;
  });
}

/** The arguments with empty shared lists. */
export function withoutEntries(definition: Definition, properties: Properties): Properties {
  return withFieldValues(definition.fields, properties, ({ field }) =>
    field.list?.sharedAs === undefined ? undefined : { value: [] },
  );
}
