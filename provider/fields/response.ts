import { isRecord } from "pulumi-clouddb-facts";
import type { Definition, Properties } from "./field";
import { entriesOf } from "./list";
import { type FieldPath, fieldPathsOf, valueAt } from "./paths";

/*
 * Values of arguments and outputs in a response. A symbol stands for a value of an undocumented
 * type: it is unknown.
 */

/** An argument's value in a response: `undefined` if absent. */
export interface Observation {
  readonly value: unknown;
}

/** True if responses show this argument. Secrets do not count, because servers mask them. */
export function isObservable({ field }: FieldPath): boolean {
  return !field.secret && (field.inResponse !== undefined || field.list?.fromApi !== undefined);
}

/** An argument's value in a response; undefined if its value is invalid or its parent missing. */
export function observe(fieldPath: FieldPath, response: Properties): Observation | undefined {
  const { field, apiPath } = fieldPath;
  const parent = valueAt(response, apiPath.slice(0, -1));
  if (!isObservable(fieldPath) || !isRecord(parent)) return undefined;
  const value = valueAt(response, apiPath);
  if (invalidPaths(value).length > 0) return undefined;
  const fromApi = field.list?.fromApi;
  return { value: fromApi && value !== undefined ? entriesOf(value).map(fromApi) : value };
}

/**
 * The outputs in a response, without secrets, which servers mask, and without those that only a
 * creation returns.
 */
export function readOutputs({ fields, outputs }: Definition, response: Properties): Properties {
  let values = response;
  for (const { field, apiPath } of fieldPathsOf(fields)) {
    if (field.secret) values = withoutMember(values, apiPath);
  }
  const found = Object.entries(outputs).flatMap(
    ([name, { apiName = name, fromApi, fromCreation }]) => {
      const value = valueAt(values, [apiName]);
      if (value === undefined || typeof value === "symbol" || fromCreation) return [];
      return [[name, fromApi && isRecord(value) ? fromApi(value) : value]];
    },
  );
  return Object.fromEntries(found);
}

/**
 * A copy without a member. Its parents stay, even if they are empty: they say what the object has.
 */
function withoutMember(values: Properties, [name = "", ...rest]: readonly string[]): Properties {
  const { [name]: inner, ...others } = values;
  if (rest.length === 0) return others;
  return isRecord(inner) ? { ...values, [name]: withoutMember(inner, rest) } : values;
}

/**
 * Null for each output that only a creation returns: SDKs show a missing one as unknown in every
 * preview.
 */
export function nullFromCreation({ outputs }: Definition): Properties {
  return Object.fromEntries(namesFromCreation(outputs).map((name) => [name, null]));
}

export function namesFromCreation(outputs: Definition["outputs"]): string[] {
  return Object.keys(outputs).filter((name) => outputs[name]?.fromCreation);
}

/** The places of invalid values that declared arguments and outputs are read from. */
export function invalidFields(
  definition: Definition,
  response: Properties,
  inputs: Properties,
): string[] {
  const shown = fieldPathsOf(definition.fields).filter(
    (fieldPath) => isObservable(fieldPath) && valueAt(inputs, fieldPath.path) !== undefined,
  );
  const outputs = Object.entries(definition.outputs).map(([name, { apiName = name }]) => [apiName]);
  const paths = [...shown.map(({ apiPath }) => apiPath), ...outputs];
  return [
    ...new Set(paths.flatMap((path) => invalidPaths(valueAt(response, path), path.join(".")))),
  ];
}

/** The places of invalid values in a response, or in a part of it. */
export function invalidPaths(value: unknown, place = ""): string[] {
  if (!hasSymbol(value)) return [];
  if (Array.isArray(value))
    return value.flatMap((entry, index) => invalidPaths(entry, `${place}[${index}]`));
  if (!isRecord(value)) return [place];
  return Object.entries(value).flatMap(([name, inner]) =>
    invalidPaths(inner, place ? `${place}.${name}` : name),
  );
}

/** A quick test, since most responses are valid. */
function hasSymbol(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "symbol";
  if (Array.isArray(value)) return value.some(hasSymbol);
  for (const name in value) if (hasSymbol((value as Properties)[name])) return true;
  return false;
}
