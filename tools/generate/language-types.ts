// Names and types of arguments in each language.
import { z } from "zod";
import { inSnakeCase } from "../../provider/names";
import { capital } from "./tables";

export type Language = "typescript" | "python" | "go" | "yaml";

export interface Spelling {
  readonly name: (camelCase: string) => string;
  readonly scalars: Readonly<Record<string, string>>;
  readonly list: (item: string) => string;
  readonly map: (value: string) => string;
  /** A text with listed values. Default: any text. */
  readonly listed?: (values: readonly unknown[]) => string;
  /** The members of an object. */
  readonly members?: (members: readonly Member[]) => string;
  /** The type of a schema with its own name. */
  readonly named?: (schema: JsonSchema) => string | undefined;
  /** Wraps the type of each part. */
  readonly around?: (type: string) => string;
}

/** A member of an object. */
export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly description: string | undefined;
}

export const SPELLINGS: Readonly<Record<Language, Spelling>> = {
  typescript: {
    name: (name) => name,
    scalars: { integer: "number" },
    list: (item) => `Array<${item}>`,
    map: () => "Record<string, unknown>",
  },
  python: {
    name: inSnakeCase,
    scalars: { string: "str", integer: "int", number: "float", boolean: "bool" },
    list: (item) => `list[${item}]`,
    map: () => "dict",
  },
  go: {
    name: capital,
    scalars: { integer: "int", number: "float64", boolean: "bool" },
    list: (item) => `[]${item}`,
    map: () => "map[string]any",
  },
  yaml: {
    name: (name) => name,
    scalars: {},
    list: (item) => `list of ${item}`,
    map: () => "object",
  },
};

export function nameIn(language: Language, path: readonly string[]): string {
  return path.map(SPELLINGS[language].name).join(".");
}

export function typeIn(language: Language, schema: z.ZodType): string {
  return typeText(SPELLINGS[language], jsonSchema(schema));
}

/** The listed values of a text, if any. */
export function valuesOf(schema: z.ZodType): readonly string[] {
  return (withoutNull(jsonSchema(schema)).enum ?? []).map(String);
}

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { unrepresentable: "any", reused: "inline" });
}

/** A schema without the alternative `null`. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const [only, ...more] = ((schema.anyOf ?? []) as JsonSchema[]).filter(
    ({ type }) => type !== "null",
  );
  return only !== undefined && more.length === 0 ? withoutNull(only) : schema;
}

/** A JSON schema as a type. */
export function typeText(spelling: Spelling, nullable: JsonSchema): string {
  const { around = (text) => text, named } = spelling;
  const schema = withoutNull(nullable);
  return around(named?.(schema) ?? structure(spelling, schema));
}

function structure(spelling: Spelling, schema: JsonSchema): string {
  const {
    scalars,
    list,
    map,
    listed = () => scalars.string ?? "string",
    members = onOneLine,
  } = spelling;
  const {
    type,
    anyOf,
    enum: values,
    items,
    properties,
    additionalProperties = {},
    required = [],
  } = schema;
  const part = (inner: unknown) => typeText(spelling, inner as JsonSchema);
  if (values !== undefined) return listed(values);
  if (anyOf !== undefined) return anyOf.map(part).join(" | ");
  if (type === "array") return list(part(items));
  if (type !== "object") return scalars[String(type)] ?? String(type ?? "unknown");
  if (properties === undefined) return map(part(additionalProperties));
  const entries = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  if (entries.length === 0) return "object";
  return members(
    entries.map(([name, member]) => {
      const { description } = member;
      return {
        name: spelling.name(name),
        type: part(member),
        isOptional: !required.includes(name),
        description,
      };
    }),
  );
}

function onOneLine(members: readonly Member[]): string {
  return `{ ${members.map(({ name, type, isOptional }) => `${name}${isOptional ? "?" : ""}: ${type}`).join("; ")} }`;
}
