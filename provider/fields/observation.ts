import type { Definition, Properties } from "./field";
import { entriesOf } from "./list";
import { type FieldPath, fieldPathsOf, valueAt, withValue } from "./paths";
import { hasInvalid, isRecord } from "./unknown";

/*
 * What an answer of the API says about arguments and outputs. A member that its parent lacks is an absence; one of
 * another type than documented, or one whose parent is missing, says nothing.
 */

type Answer = Readonly<Properties>;

/** Whether answers show this argument at all. A secret that is shown is not evidence: servers mask. */
export function isObservable({ field }: FieldPath): boolean {
  return !field.secret && (field.inResponse === true || field.list?.fromApi !== undefined);
}

/** What an answer says about an argument: a value, or `undefined` for an absence; nothing where it does not say. */
export function observe(leaf: FieldPath, answer: Answer): { readonly value: unknown } | undefined {
  const parent = valueAt(answer, leaf.apiPath.slice(0, -1));
  if (!isObservable(leaf) || !isRecord(parent)) return undefined;
  const value = valueAt(answer, leaf.apiPath);
  if (hasInvalid(value)) return undefined;
  const observe = leaf.field.list?.fromApi as ((entry: unknown) => unknown) | undefined;
  return { value: observe && value !== undefined ? entriesOf(value).map(observe) : value };
}

/** The answer's values of outputs; no part of them is what arguments declare as secret. */
export function readOutputs(definition: Definition, answer: Answer): Properties {
  let shown: Properties = { ...answer };
  for (const { field, apiPath } of fieldPathsOf(definition.fields)) {
    if (field.secret) shown = withValue(shown, apiPath, undefined);
  }
  const outputs: Properties = {};
  for (const [name, { apiName = name, fromApi, secret }] of Object.entries(definition.outputs)) {
    const value = valueAt(shown, [apiName]);
    // A secret output is what the creation has answered, whatever a later answer holds under its name.
    if (value === undefined || typeof value === "symbol" || secret) continue;
    outputs[name] = fromApi && isRecord(value) ? fromApi(value) : value;
  }
  return outputs;
}

/** The places in an answer, as far as arguments and outputs are made from them, that have another type than documented. */
export function invalidFields(definition: Definition, answer: Answer, inputs: Readonly<Properties>): string[] {
  const declared = fieldPathsOf(definition.fields).filter(
    (leaf) => isObservable(leaf) && valueAt(inputs, leaf.path) !== undefined,
  );
  const outputs = Object.entries(definition.outputs).map(([name, { apiName = name }]) => [apiName]);
  const paths = [...declared.map(({ apiPath }) => apiPath), ...outputs];
  return [...new Set(paths.flatMap((path) => invalidPaths(valueAt(answer, path), path.join("."))))];
}

/** The places at and under a value that have another type than documented. */
export function invalidPaths(value: unknown, place = ""): string[] {
  if (typeof value === "symbol") return [place];
  if (Array.isArray(value)) return value.flatMap((entry, index) => invalidPaths(entry, `${place}[${index}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => invalidPaths(inner, place ? `${place}.${name}` : name));
}
