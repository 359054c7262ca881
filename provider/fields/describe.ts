import { z } from "zod";
import { settingName } from "./display";
import type { Definition, Field, OutputField } from "./field";

/** The parts of a field that documentation shows, read from its table. */
export interface Description {
  /** The type of a value, as TypeScript. */
  readonly type: string;
  /** The same where each part of it may be another resource's output. */
  readonly inputType: string;
  readonly doc: string;
  /** Bounds, unit, default, rules and what a change does, each a sentence. */
  readonly facts: readonly string[];
  readonly deprecated?: string;
}

const CHANGES: Readonly<Record<Field["onChange"], string>> = {
  update: "A change is made in place.",
  replace: "A change needs another object.",
  ignore: "A change does nothing.",
};

/** Beside listed texts: editors offer those, and a text from a configuration compiles. The check is what refuses. */
export const ANY_OTHER = "(string & {})";

export function describeField(definition: Definition, name: string, field: Field): Description {
  const rules = definition.rules.filter((rule) => rule.fields[0] === name).map((rule) => rule.doc);
  const facts = [
    ...schemaFacts(field),
    ...rules,
    field.default === undefined ? "" : `Default: ${field.default}.`,
    field.setting === undefined ? "" : `Default: ${settingName(field.setting)}.`,
    CHANGES[field.onChange],
  ];
  return {
    ...typesOf(field.schema),
    doc: field.doc,
    facts: facts.filter((fact) => fact !== ""),
    ...(field.deprecated !== undefined && { deprecated: field.deprecated }),
  };
}

/** The same for what is no argument: an output, or a setting of the provider. */
export function describeValue(value: Omit<OutputField, "apiName"> & { readonly default?: unknown }): Description {
  const standard = value.default === undefined ? [] : [`Default: ${value.default}.`];
  return { ...typesOf(value.schema), doc: value.doc, facts: [...schemaFacts(value), ...standard] };
}

function schemaFacts({ schema, unit, secret }: Pick<Field, "schema" | "unit" | "secret">): string[] {
  const { minimum, maximum, multipleOf, maxLength, format } = jsonSchema(schema);
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
  const multiple = multipleOf === undefined || multipleOf === 1 ? "" : `, a multiple of ${multipleOf}`;
  return [
    minimum === undefined ? "" : most === "" ? `At least ${minimum}${multiple}.` : `From ${minimum}${most}${multiple}.`,
    unit === undefined ? "" : `Unit: ${unit}.`,
    maxLength === undefined ? "" : `At most ${maxLength} characters.`,
    format === "uuid" || format === "guid" ? "A UUID." : "",
    secret ? "Kept secret." : "",
  ].filter((fact) => fact !== "");
}

function jsonSchema(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  return z.toJSONSchema(schema, { unrepresentable: "any", reused: "inline" });
}

/** The type of a value, as TypeScript. */
export function typeOf(schema: z.ZodType): string {
  return typeText(jsonSchema(schema), (type) => type);
}

function typesOf(schema: z.ZodType): Pick<Description, "type" | "inputType"> {
  const json = jsonSchema(schema);
  return { type: typeText(json, (type) => type), inputType: typeText(json, (type) => `pulumi.Input<${type}>`) };
}

/** A JSON schema as a TypeScript type, with something around the type of each part. */
function typeText(schema: z.core.JSONSchema.BaseSchema, around: (type: string) => string): string {
  const [only, ...more] = (schema.anyOf ?? []).filter((each) => (each as { type?: string }).type !== "null");
  if (only !== undefined && more.length === 0) return typeText(only as z.core.JSONSchema.BaseSchema, around);
  const part = (inner: unknown) => typeText(inner as z.core.JSONSchema.BaseSchema, around);
  if (schema.enum) return around([...schema.enum.map((value) => JSON.stringify(value)), ANY_OTHER].join(" | "));
  if (schema.type === "integer") return around("number");
  if (schema.type === "array") return around(`Array<${part(schema.items)}>`);
  if (schema.type !== "object") return around(String(schema.type ?? "unknown"));
  if (schema.properties === undefined) return around("Record<string, unknown>");
  const members = Object.entries(schema.properties).map(([name, member]) => {
    const optional = schema.required?.includes(name) ? "" : "?";
    return `${name}${optional}: ${part(member)}`;
  });
  return around(`{ ${members.join("; ")} }`);
}
