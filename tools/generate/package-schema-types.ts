// Converts zod schemas to types of a Pulumi package schema.
import { nativeType } from "../../provider/names";
import { type JsonSchema, withoutNull } from "./language-types";
import { capital } from "./tables";

/** A type in a package schema. */
export type Type = Readonly<Record<string, unknown>>;

/** The types of a package by token. */
export type Types = Record<string, Type>;

/** The members of an object. */
export interface ObjectType extends Type {
  readonly properties: Readonly<Record<string, Type>>;
  readonly required?: readonly string[];
}

/** The place of a value, from which its type gets its name. */
export interface Place {
  readonly name: string;
  readonly path: string;
  readonly of: string;
  readonly isEntry?: boolean;
}

/**
 * Integers in .NET and Java have 32 bits, which is 2 GiB. This project's generator reads the types
 * for Go and Python here.
 */
const WIDE_INTEGER = {
  type: "number",
  language: { go: { type: "integer" }, python: { type: "integer" } },
};

/**
 * The type of a value. Objects become named types of the package: `source.kafka` of a Pipe becomes
 * `PipeSourceKafka`.
 */
export function typeOf(nullable: JsonSchema, place: Place, types: Types): Type {
  const schema = withoutNull(nullable);
  const { name, path, of, isEntry = false } = place;
  if (schema.type === "array") {
    const entry = { ...place, name: singular(name), isEntry: true };
    return { type: "array", items: typeOf(schema.items as JsonSchema, entry, types) };
  }
  if (schema.type === "object" && schema.properties) {
    const description = `${isEntry ? "An entry of " : ""}\`${path}\` ${of}.`;
    return named(name, objectOf(schema, place, types), description, types);
  }
  if (schema.type === "object")
    return { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } };
  if (schema.enum) return openEnum(schema.enum, place, types);
  if (name.endsWith("Bytes")) return WIDE_INTEGER;
  return schema.type === undefined ? { $ref: "pulumi.json#/Any" } : { type: schema.type };
}

export function objectOf(schema: JsonSchema, { name, path, of }: Place, types: Types): ObjectType {
  const members = mapEntries(
    (schema.properties ?? {}) as Record<string, JsonSchema>,
    (member, inner) => [
      member,
      typeOf(
        inner,
        { name: name + capital(member), path: path ? `${path}.${member}` : member, of },
        types,
      ),
    ],
  );
  const required = [...(schema.required ?? [])].sort();
  return { properties: members, ...(required.length > 0 && { required }) };
}

/** Adds an object's type to the package and returns a reference to it. */
export function named(name: string, object: ObjectType, description: string, types: Types): Type {
  return reference(name, { type: "object", description, ...object }, types);
}

/**
 * Listed values, which SDKs name and editors offer. Other texts are allowed, because the lists
 * grow.
 */
function openEnum(values: readonly unknown[], { name, path, of }: Place, types: Types): Type {
  const listed = values.map((value) => ({ name: memberName(String(value)), value }));
  const description = `The values of \`${path}\` ${of} that this version knows.`;
  const known = reference(name, { type: "string", description, enum: listed }, types);
  return { type: "string", oneOf: [{ type: "string" }, known] };
}

/** `us-east-1` becomes `UsEast_1`. Without the underscore, `us-east1` would get the same name. */
function memberName(value: string): string {
  return value
    .split(/[-_]/)
    .map(capital)
    .join("_")
    .replaceAll(/_(?=[A-Z])/g, "");
}

function reference(name: string, type: Type, types: Types): Type {
  types[nativeType(name)] = type;
  return { $ref: `#/types/${nativeType(name)}` };
}

/** The name of a list's entry. */
function singular(name: string): string {
  return name.endsWith("s") && !name.endsWith("eries") ? name.slice(0, -1) : `${name}Entry`;
}

export function mapEntries<Value, Changed>(
  object: Readonly<Record<string, Value>>,
  change: (name: string, value: Value) => readonly [string, Changed],
): Record<string, Changed> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => change(name, value)));
}
