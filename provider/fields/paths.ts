import { isRecord, UNKNOWN } from "./engine-values";
import type { Field, Group, Properties, Table } from "./field";
import { alignWithDeclared, entriesOf, withoutKeys } from "./list";
import { isOthersIn } from "./others";

/** A field with its place in the arguments. */
export interface FieldPath {
  readonly path: readonly string[];
  /** The place in requests and responses. */
  readonly apiPath: readonly string[];
  /** Where outputs hold what a response has shown for it, beside its own place. */
  readonly observedPath?: readonly string[] | undefined;
  /** The place as the user writes it: `source.kafka.iamRole`. */
  readonly name: string;
  readonly field: Field;
}

export function isGroup(entry: Field | Group): entry is Group {
  return "fields" in entry;
}

/** A table never changes, and every check and diff walks over it. */
const fieldPathsByTable = new WeakMap<Table, readonly FieldPath[]>();

/** All fields of a table, those in groups too, in the table's order. */
export function fieldPathsOf(table: Table): readonly FieldPath[] {
  const fieldPaths = fieldPathsByTable.get(table) ?? fieldPathsUnder(table, { path: [], apiPath: [] });
  fieldPathsByTable.set(table, fieldPaths);
  return fieldPaths;
}

type Place = Pick<FieldPath, "path" | "apiPath" | "observedPath">;

function fieldPathsUnder(table: Table, { path, apiPath, observedPath }: Place): FieldPath[] {
  const fieldPaths: FieldPath[] = [];
  for (const [name, entry] of Object.entries(table)) {
    const apiName = isGroup(entry) ? name : (entry.apiName ?? name);
    const place = {
      path: [...path, name],
      apiPath: [...apiPath, apiName],
      observedPath: entry.observedAs ? [entry.observedAs] : observedPath && [...observedPath, name],
    };
    if (isGroup(entry)) fieldPaths.push(...fieldPathsUnder(entry.fields, place));
    else fieldPaths.push({ ...place, name: place.path.join("."), field: forAnyEntry(entry) });
  }
  return fieldPaths;
}

/**
 * The field with list rules for entries of any shape, since an edited state or one of another release may hold anything:
 * an entry that the rules cannot read is compared and sent as it is.
 */
function forAnyEntry(field: Field): Field {
  const rules = field.list;
  if (rules === undefined) return field;
  const orItself = (read: (entry: unknown) => unknown) => (entry: unknown) => {
    try {
      return typeof rules.key(entry) === "string" ? read(entry) : entry;
    } catch {
      return entry;
    }
  };
  const key = orItself(rules.key);
  const { removalKey, fromApi, whenAbsent } = rules;
  return {
    ...field,
    list: {
      ...rules,
      key(entry) {
        const text = key(entry);
        return typeof text === "string" ? text : JSON.stringify(entry);
      },
      canonical: orItself(rules.canonical),
      ...(removalKey && { removalKey: orItself(removalKey) }),
      ...(fromApi && { fromApi: orItself(fromApi) }),
      ...(whenAbsent && { whenAbsent: orItself(whenAbsent) }),
    },
  };
}

/** The part of a declared value that is known to be on the server: as managed, or else as a response has shown it. */
export function knownValue(outputs: Readonly<Properties>, fieldPath: FieldPath, declared: unknown): unknown {
  const { path, observedPath, field } = fieldPath;
  const managed = valueAt(outputs, path);
  const observed = observedPath && valueAt(outputs, observedPath);
  const rules = field.list;
  if (rules?.sharedAs !== undefined) {
    const isOthers = isOthersIn(outputs, fieldPath);
    return [...entriesOf(managed).filter((entry) => !isOthers(entry)), ...entriesOf(declared).filter(isOthers)];
  }
  if (rules?.fromApi === undefined) return managed ?? observed;
  if (!Array.isArray(observed)) return managed;
  const others = withoutKeys(rules, entriesOf(declared), entriesOf(managed));
  return [...entriesOf(managed), ...alignWithDeclared(rules, others, observed.map(rules.fromApi))];
}

/** The value at a path; unknown where something on the way is unknown; undefined where it is absent. */
export function valueAt(properties: Readonly<Properties>, path: readonly string[]): unknown {
  let value: unknown = properties;
  for (const name of path) {
    if (value === UNKNOWN) return UNKNOWN;
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value ?? undefined;
}

/** A copy with another value at a path; undefined takes the entry away. */
export function withValue(properties: Readonly<Properties>, path: readonly string[], value: unknown): Properties {
  const [name, ...rest] = path;
  if (name === undefined) return { ...properties };
  if (rest.length === 0) {
    const { [name]: _, ...others } = properties;
    return value === undefined ? others : { ...properties, [name]: value };
  }
  const inner = properties[name];
  const changed = withValue(isRecord(inner) ? inner : {}, rest, value);
  return withValue(properties, [name], Object.keys(changed).length > 0 ? changed : undefined);
}

/** A copy in which each field has the value that is found for it; where nothing is found, it keeps the one that it has. */
export function withFieldValues(
  table: Table,
  properties: Readonly<Properties>,
  find: (fieldPath: FieldPath) => { readonly value: unknown } | undefined,
): Properties {
  let copy: Properties = { ...properties };
  for (const fieldPath of fieldPathsOf(table)) {
    const entry = find(fieldPath);
    if (entry !== undefined) copy = withValue(copy, fieldPath.path, entry.value);
  }
  return copy;
}
