import { isRecord, UNKNOWN } from "pulumi-clouddb-facts";
import type { Definition, Field, Group, ListRules, Properties, Table } from "./field";
import { entriesOf } from "./list";

/** A field and its path in the arguments. */
export interface FieldPath {
  readonly path: readonly string[];
  /** The path in requests and responses. */
  readonly apiPath: readonly string[];
  /** The path in outputs for values from responses, if different. */
  readonly observedPath?: readonly string[] | undefined;
  /** The path in the user's notation, such as `source.kafka.iamRole`. */
  readonly name: string;
  readonly field: Field;
}

export function isGroup(entry: Field | Group): entry is Group {
  return "fields" in entry;
}

/** Cached, because tables never change and each check and diff needs all fields. */
const fieldPathsByTable = new WeakMap<Table, readonly FieldPath[]>();

/** All fields of a table, including group members, in the table's order. */
export function fieldPathsOf(table: Table): readonly FieldPath[] {
  const fieldPaths =
    fieldPathsByTable.get(table) ?? fieldPathsUnder(table, { path: [], apiPath: [] });
  fieldPathsByTable.set(table, fieldPaths);
  return fieldPaths;
}

/** A list that requests change by adding and removing entries. */
export type EditedList = ReturnType<typeof editedLists>[number];

export function editedLists({ fields }: Pick<Definition, "fields">) {
  return fieldPathsOf(fields).flatMap((fieldPath) => {
    const { list: rules } = fieldPath.field;
    return rules?.send === "addRemove" ? [{ fieldPath, rules }] : [];
  });
}

function fieldPathsUnder(
  table: Table,
  { path, apiPath, observedPath }: Pick<FieldPath, "path" | "apiPath" | "observedPath">,
): FieldPath[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    const apiName = isGroup(entry) ? name : (entry.apiName ?? name);
    const place = {
      path: [...path, name],
      apiPath: [...apiPath, apiName],
      observedPath: entry.observedAs ? [entry.observedAs] : observedPath && [...observedPath, name],
    };
    if (isGroup(entry)) return fieldPathsUnder(entry.fields, place);
    const field = entry.list ? { ...entry, list: forAnyEntry(entry.list) } : entry;
    return { ...place, name: place.path.join("."), field };
  });
}

/** Rules for any entry, since users may edit a state. An unreadable entry is its own key. */
function forAnyEntry(rules: ListRules): ListRules {
  const attempt = (read: (entry: unknown) => unknown, entry: unknown, otherwise: unknown) => {
    try {
      return read(entry);
    } catch {
      return otherwise;
    }
  };
  const readableKey = (entry: unknown) => {
    const key = attempt(rules.key, entry, undefined);
    return typeof key === "string" ? key : undefined;
  };
  const orItself = (read: (entry: unknown) => unknown) => (entry: unknown) =>
    readableKey(entry) === undefined ? entry : attempt(read, entry, entry);
  const { removalKey, fromApi, whenAbsent } = rules;
  return {
    ...rules,
    key: (entry) =>
      readableKey(entry) ?? (typeof entry === "string" ? entry : JSON.stringify(entry)),
    canonical: orItself(rules.canonical),
    ...(removalKey && { removalKey: orItself(removalKey) }),
    ...(fromApi && { fromApi: orItself(fromApi) }),
    ...(whenAbsent && { whenAbsent: orItself(whenAbsent) }),
  };
}

/** The members of an object, or the entries of a list. */
export function membersOf(value: unknown): unknown[] {
  return isRecord(value) ? Object.values(value) : entriesOf(value);
}

/** A copy with converted members or entries. */
export function mapMembers<Value>(
  value: Value,
  convert: (inner: unknown, name: string | number) => unknown,
): Value {
  if (Array.isArray(value)) return value.map(convert) as Value;
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, convert(inner, name)]);
  return Object.fromEntries(members);
}

/** The value at a path; unknown inside an unknown value, undefined if absent. */
export function valueAt(properties: Properties, path: readonly string[]): unknown {
  let value: unknown = properties;
  for (const name of path) {
    if (value === UNKNOWN) return UNKNOWN;
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value ?? undefined;
}

/** The entries of the list at a path. */
export function entriesAt(properties: Properties, path: readonly string[]): unknown[] {
  return entriesOf(valueAt(properties, path));
}

/** A copy with a new value at a path. Undefined removes the member. */
export function withValue(
  properties: Properties,
  path: readonly string[],
  value: unknown,
): Properties {
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

/** A copy with new values for the fields that have one. */
export function withFieldValues(
  table: Table,
  properties: Properties,
  find: (fieldPath: FieldPath) => { readonly value: unknown } | undefined,
): Properties {
  let copy: Properties = { ...properties };
  for (const fieldPath of fieldPathsOf(table)) {
    const found = find(fieldPath);
    if (found !== undefined) copy = withValue(copy, fieldPath.path, found.value);
  }
  return copy;
}
