import { isRecord } from "pulumi-clouddb-facts";
import type { Definition, Properties } from "./field";
import { alignWithDeclared, entriesOf, withoutKeys } from "./list";
import { type FieldPath, fieldPathsOf, valueAt, withFieldValues } from "./paths";

/*
 * Values of arguments and outputs in a state, and in a response. There, a symbol stands for a value
 * of an undocumented type: it is unknown.
 */

/**
 * The output with the names of the declared arguments (never their values). A read, which gets only
 * outputs, needs them to tell managed values from the server's own. Permanent.
 */
export const DECLARED = "__declared";

/** True if the program declared this argument when the outputs were stored. */
export function wasDeclared(state: Properties, { name }: FieldPath): boolean {
  return entriesOf(state[DECLARED]).includes(name);
}

/** The inputs that a program would have to declare to agree with these outputs. */
export function inputsFromState(definition: Definition, state: Properties): Properties {
  return withFieldValues(definition.fields, {}, (fieldPath) =>
    wasDeclared(state, fieldPath) ? { value: valueAt(state, fieldPath.path) } : undefined,
  );
}

/**
 * The server's known value of an argument: the managed value, or else the value in a response.
 */
export function knownValue(state: Properties, fieldPath: FieldPath, value: unknown): unknown {
  const { path, observedPath, field } = fieldPath;
  const rules = field.list;
  const managed = valueAt(state, path);
  const response = observedPath && valueAt(state, observedPath);
  if (rules?.fromApi === undefined) return managed ?? response;
  if (!Array.isArray(response)) return managed;
  const unmanaged = withoutKeys(rules, entriesOf(value), entriesOf(managed));
  return [
    ...entriesOf(managed),
    ...alignWithDeclared(rules, unmanaged, response.map(rules.fromApi)),
  ];
}

/** An argument's value in a response: `undefined` if absent. */
export interface Observation {
  readonly value: unknown;
}

/** True if responses show this argument's value. Servers mask secrets, so these do not count. */
export function isObservable({ field }: FieldPath): boolean {
  return !field.secret && (field.inResponse !== undefined || field.list?.fromApi !== undefined);
}

/** An argument's value in a response; undefined if invalid, or without its parent. */
export function observe(fieldPath: FieldPath, response: Properties): Observation | undefined {
  const { field, apiPath } = fieldPath;
  const parent = valueAt(response, apiPath.slice(0, -1));
  if (!isObservable(fieldPath) || !isRecord(parent)) return undefined;
  const value = valueAt(response, apiPath);
  if (hasSymbol(value)) return undefined;
  const fromApi = field.list?.fromApi;
  return { value: fromApi && value !== undefined ? entriesOf(value).map(fromApi) : value };
}

/** The outputs in a response, except secrets, which servers mask, and create-only outputs. */
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

/** A copy without a member. Empty parents stay, because they show the object's kind. */
function withoutMember(values: Properties, [name = "", ...rest]: readonly string[]): Properties {
  const { [name]: inner, ...others } = values;
  if (rest.length === 0) return others;
  return isRecord(inner) ? { ...values, [name]: withoutMember(inner, rest) } : values;
}

/**
 * null for each create-only output, since SDKs would show a missing output as unknown in every
 * preview.
 */
export function nullFromCreation({ outputs }: Definition): Properties {
  return Object.fromEntries(namesFromCreation(outputs).map((name) => [name, null]));
}

export function namesFromCreation(outputs: Definition["outputs"]): string[] {
  return Object.keys(outputs).filter((name) => outputs[name]?.fromCreation);
}

/** The places of invalid values behind declared arguments and outputs. */
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

/** The places of invalid values in a response or its part. */
export function invalidPaths(value: unknown, place = ""): string[] {
  if (!hasSymbol(value)) return [];
  if (Array.isArray(value))
    return value.flatMap((entry, index) => invalidPaths(entry, `${place}[${index}]`));
  if (!isRecord(value)) return [place];
  return Object.entries(value).flatMap(([name, inner]) =>
    invalidPaths(inner, place ? `${place}.${name}` : name),
  );
}

/** A fast test, since most responses are valid. */
function hasSymbol(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSymbol);
  if (!isRecord(value)) return typeof value === "symbol";
  for (const name in value) if (hasSymbol(value[name])) return true;
  return false;
}
