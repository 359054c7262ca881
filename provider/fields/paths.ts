import type { Field, Group, Properties, Table } from "./field";
import { isRecord, UNKNOWN } from "./unknown";

/** A field with its place in the arguments. */
export interface Leaf {
  readonly path: readonly string[];
  /** The same place in requests and responses. */
  readonly wirePath: readonly string[];
  /** The place as the user writes it: `source.kafka.iamRole`. */
  readonly name: string;
  readonly field: Field;
}

export function isGroup(entry: Field | Group): entry is Group {
  return "fields" in entry;
}

/** All fields of a table, those in groups too, in the table's order. */
export function leavesOf(table: Table, path: readonly string[] = [], wirePath: readonly string[] = []): Leaf[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    const here = [...path, name];
    if (isGroup(entry)) return leavesOf(entry.fields, here, [...wirePath, name]);
    return [{ path: here, wirePath: [...wirePath, entry.wire ?? name], name: here.join("."), field: entry }];
  });
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
