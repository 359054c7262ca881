/** JSON Schema, and short ways to write the parts of it that the API's tables need. */

export type JsonSchema = Readonly<Record<string, unknown>>;

export const TEXT = { type: "string" } as const;
export const NUMBER = { type: "number" } as const;
export const BOOLEAN = { type: "boolean" } as const;
export const UUID = { type: "string", format: "uuid" } as const;
export const DATE_TIME = { type: "string", format: "date-time" } as const;
export const NON_EMPTY_TEXT = { type: "string", minLength: 1 } as const;

/** The type of the values that a schema of a single value allows. */
export type ValueOf<Schema> = Schema extends { type: "string" }
  ? string
  : Schema extends { type: "number" | "integer" }
    ? number
    : Schema extends { type: "boolean" }
      ? boolean
      : unknown;

export function listOf(items: JsonSchema) {
  return { type: "array", items } as const;
}

/** An object with these members and no others. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>, ...required: readonly string[]) {
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  } as const;
}

/** The change of a list in an update. */
export function listChangeOf(items: JsonSchema) {
  return objectOf({ add: listOf(items), remove: listOf(items) });
}

export function schemaRef(name: string) {
  return { $ref: `#/components/schemas/${name}` } as const;
}

/** A table of a resource's fields: a row for each field, with a schema for each body that contains it. */
type Table<Column extends string> = Readonly<Record<string, { readonly [Name in Column]?: JsonSchema }>>;

/** The body that a column of a table describes. */
export function bodyOf<Column extends string>(table: Table<Column>, column: Column, ...required: readonly string[]) {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, field] of Object.entries(table)) {
    const schema = field[column];
    if (schema !== undefined) properties[name] = schema;
  }
  return objectOf(properties, ...required);
}
