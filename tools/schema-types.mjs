// The types of a Pulumi package schema, made from zod's.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { z } = require("zod");
const { nativeType } = require("../provider/dist/names.js");

/**
 * A value's type. Objects become types of the package, named after where they stand: `name` is what is called
 * `path` `of`, such as `PipeSourceKafka`, `source.kafka` and "of a Pipe".
 */
export function typeOf(schema, place, types) {
  const { name, path, of, isEntry = false } = place;
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== "null");
  if (only !== undefined && more.length === 0) return typeOf(only, place, types);
  if (schema.type === "array") {
    return { type: "array", items: typeOf(schema.items, { ...place, name: singular(name), isEntry: true }, types) };
  }
  if (schema.type === "object" && schema.properties) {
    const description = `${isEntry ? "An entry of " : ""}\`${path}\` ${of}.`;
    return named(name, objectOf(schema, place, types), description, types);
  }
  if (schema.type === "object") return { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } };
  return schema.type === undefined ? { $ref: "pulumi.json#/Any" } : { type: schema.type };
}

export function objectOf(schema, { name, path, of }, types) {
  const members = mapEntries(schema.properties, (member, inner) => [
    member,
    typeOf(inner, { name: name + capital(member), path: path ? `${path}.${member}` : member, of }, types),
  ]);
  return { properties: members, ...(schema.required?.length > 0 && { required: [...schema.required].sort() }) };
}

/** Adds an object's type to those of the package, and refers to it. */
export function named(name, object, description, types) {
  types[nativeType(name)] = { type: "object", description, ...object };
  return { $ref: `#/types/${nativeType(name)}` };
}

/** The name of an entry of a list. */
function singular(name) {
  return name.endsWith("s") && !name.endsWith("eries") ? name.slice(0, -1) : `${name}Entry`;
}

export function jsonSchema(schema) {
  return z.toJSONSchema(schema, { unrepresentable: "any", reused: "inline" });
}

export function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function mapEntries(object, change) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => change(name, value)));
}
