import { hasInvalid, isRecord } from "./engine-values";
import type { Definition, Properties } from "./field";
import { entriesOf } from "./list";
import { type FieldPath, fieldPathsOf, valueAt, withValue } from "./paths";

/*
 * Values of arguments and outputs in a response of the API. A member that its parent lacks is absent; nothing is known
 * of a member with an undocumented type or a missing parent.
 */

type Response = Readonly<Properties>;

/** An argument's value in a response: `undefined` if absent. */
export interface Observation {
  readonly value: unknown;
}

/** True if responses show this argument. Secrets do not count, because servers mask them. */
export function isObservable({ field }: FieldPath): boolean {
  return !field.secret && (field.inResponse !== undefined || field.list?.fromApi !== undefined);
}

/** An argument's value in a response; undefined if the response does not tell. */
export function observe(fieldPath: FieldPath, response: Response): Observation | undefined {
  const { field, apiPath } = fieldPath;
  const parent = valueAt(response, apiPath.slice(0, -1));
  if (!isObservable(fieldPath) || !isRecord(parent)) return undefined;
  const value = valueAt(response, apiPath);
  if (hasInvalid(value)) return undefined;
  const fromApi = field.list?.fromApi;
  return { value: fromApi && value !== undefined ? entriesOf(value).map(fromApi) : value };
}

/** The response's values of outputs; no part of them is what arguments declare as secret. */
export function readOutputs(definition: Definition, response: Response): Properties {
  let values: Properties = { ...response };
  for (const { field, apiPath } of fieldPathsOf(definition.fields)) {
    if (field.secret) values = withValue(values, apiPath, undefined);
  }
  const outputs: Properties = {};
  for (const [name, { apiName = name, fromApi, secret }] of Object.entries(definition.outputs)) {
    const value = valueAt(values, [apiName]);
    // A secret output is what the creation has returned, whatever a later response holds under its name.
    if (value === undefined || typeof value === "symbol" || secret) continue;
    outputs[name] = fromApi && isRecord(value) ? fromApi(value) : value;
  }
  return outputs;
}

/** The places in a response, as far as arguments and outputs are made from them, that have another type than documented. */
export function invalidFields(definition: Definition, response: Response, inputs: Readonly<Properties>): string[] {
  const declared = fieldPathsOf(definition.fields).filter(
    (fieldPath) => isObservable(fieldPath) && valueAt(inputs, fieldPath.path) !== undefined,
  );
  const outputs = Object.entries(definition.outputs).map(([name, { apiName = name }]) => [apiName]);
  const invalid = new Set<string>();
  for (const path of [...declared.map(({ apiPath }) => apiPath), ...outputs]) {
    for (const place of invalidPaths(valueAt(response, path), path.join("."))) invalid.add(place);
  }
  return [...invalid];
}

/** The places at and under a value that have another type than documented. */
export function invalidPaths(value: unknown, place = ""): string[] {
  if (typeof value === "symbol") return [place];
  if (Array.isArray(value)) return value.flatMap((entry, index) => invalidPaths(entry, `${place}[${index}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => invalidPaths(inner, place ? `${place}.${name}` : name));
}
