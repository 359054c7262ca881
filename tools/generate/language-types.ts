// Names and types of arguments as programs in each language write them, for readers of the reference.
import type { z } from "zod";
import { inSnakeCase } from "../../provider/names";
import { type JsonSchema, jsonSchema, withoutNull } from "./describe";
import { capital } from "./tables";

export type Language = "typescript" | "python" | "go" | "yaml";

interface Spelling {
  readonly name: (camelCase: string) => string;
  readonly scalars: Readonly<Record<string, string>>;
  readonly list: (item: string) => string;
  readonly map: string;
}

const SPELLINGS: Readonly<Record<Language, Spelling>> = {
  typescript: {
    name: (name) => name,
    scalars: { integer: "number" },
    list: (item) => `Array<${item}>`,
    map: "Record<string, unknown>",
  },
  python: {
    name: inSnakeCase,
    scalars: { string: "str", integer: "int", number: "float", boolean: "bool" },
    list: (item) => `list[${item}]`,
    map: "dict",
  },
  go: {
    name: capital,
    scalars: { integer: "int", number: "float64", boolean: "bool" },
    list: (item) => `[]${item}`,
    map: "map[string]any",
  },
  yaml: { name: (name) => name, scalars: {}, list: (item) => `list of ${item}`, map: "object" },
};

export function nameIn(language: Language, path: readonly string[]): string {
  return path.map(SPELLINGS[language].name).join(".");
}

export function typeIn(language: Language, schema: z.ZodType): string {
  return typeText(SPELLINGS[language], jsonSchema(schema));
}

/** The values that a text can have, where they are listed. */
export function valuesOf(schema: z.ZodType): readonly string[] {
  return (withoutNull(jsonSchema(schema)).enum ?? []).map(String);
}

function typeText(spelling: Spelling, schema: JsonSchema): string {
  const { type, enum: values, items, properties, required = [] } = withoutNull(schema);
  const part = (inner: unknown) => typeText(spelling, inner as JsonSchema);
  if (values !== undefined) return spelling.scalars.string ?? "string";
  if (type === "array") return spelling.list(part(items));
  if (type !== "object") return spelling.scalars[String(type)] ?? String(type ?? "unknown");
  if (properties === undefined) return spelling.map;
  const members = Object.entries(properties).map(
    ([name, member]) => `${spelling.name(name)}${required.includes(name) ? "" : "?"}: ${part(member)}`,
  );
  return members.length === 0 ? "object" : `{ ${members.join("; ")} }`;
}
