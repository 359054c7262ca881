import {
  type Definition,
  type Field,
  fieldPathsOf,
  integerRule,
  type OutputField,
} from "../../provider/fields";
import { settingName } from "../../provider/names";
import { jsonSchema } from "./language-types";
import type { Resource } from "./tables";

/** The documentation of a field, read from its table. */
export interface Description {
  readonly description: string;
  /** Bounds, rules, default and the effect of a change, as sentences. */
  readonly facts: readonly string[];
  /** The facts that limit the value. */
  readonly limits: readonly string[];
  readonly deprecated?: string;
}

const CHANGES: Readonly<Record<Field["onChange"], string>> = {
  update: "Can be changed in place.",
  replace: "Changing this requires replacement.",
  ignore: "Changing this has no effect.",
};

export function describeField(definition: Definition, name: string, field: Field): Description {
  const rules = definition.rules
    .filter((rule) => rule.fields[0] === name)
    .map((rule) => rule.description);
  const defaultValue = field.setting === undefined ? field.default : settingName(field.setting);
  return {
    description: field.description,
    limits: [...limitsOf(field), ...rules],
    facts: [
      ...schemaFacts(field),
      ...rules,
      ...defaultFacts(defaultValue),
      CHANGES[field.onChange],
    ],
    ...(field.deprecated !== undefined && { deprecated: field.deprecated }),
  };
}

/** The facts about an output or a provider setting. */
export function factsOf(
  value: Omit<OutputField, "apiName"> & { readonly default?: unknown },
): string[] {
  return [...schemaFacts(value), ...defaultFacts(value.default)];
}

/** The outputs that are never undefined. For an unreadable object, only the id is certain. */
export function certainOutputs(definition: Resource["definition"]): ReadonlySet<string> {
  const isReadable = definition.read !== undefined;
  const fields = fieldPathsOf(definition.fields).filter(({ field, path }) => {
    const isShown = field.inResponse === true && field.list?.unmanaged !== "keep";
    return path.length === 1 && (field.required || (isReadable && isShown));
  });
  const outputs = Object.entries(definition.outputs).filter(
    ([, { fromCreation, inResponse }]) => !fromCreation && !inResponse,
  );
  return new Set([
    ...fields.map(({ name }) => name),
    ...(isReadable ? outputs.map(([name]) => name) : []),
  ]);
}

function defaultFacts(defaultValue: unknown): string[] {
  return defaultValue === undefined ? [] : [`Defaults to ${defaultValue}.`];
}

function schemaFacts(field: Pick<Field, "schema" | "unit" | "secret">): string[] {
  const { schema, unit, secret } = field;
  const isCounted = unit === undefined || jsonSchema(schema).type === "integer";
  return [
    ...(isCounted ? [] : [`In ${unit}.`]),
    ...limitsOf(field),
    ...(secret ? ["Stored as a Pulumi secret."] : []),
  ];
}

function limitsOf({ schema, unit }: Pick<Field, "schema" | "unit">): string[] {
  const { type, minimum, maximum, multipleOf, maxLength, format } = jsonSchema(schema);
  const limits: string[] = [];
  if (type === "integer") {
    const rule = integerRule({ min: minimum, max: maximum, multipleOf }).replace(/^m/, "M");
    limits.push(`${rule}${unit ? `, in ${unit}` : ""}.`);
  }
  if (maxLength !== undefined) limits.push(`At most ${maxLength} characters.`);
  if (format === "uuid" || format === "guid") limits.push("Must be a UUID.");
  return limits;
}
