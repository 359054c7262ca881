import type { Definition, Properties } from "./field";
import { alignWithDeclared, entriesOf, withoutKeys } from "./list";
import { type FieldPath, fieldPathsOf, valueAt, withFieldValues } from "./paths";

/* Finds the arguments that the program manages. */

/**
 * The output with the names (not values) of declared arguments. A read gets only outputs, and needs
 * the names to distinguish managed values from the server's. Permanent.
 */
export const DECLARED = "__declared";

/** The names of the declared arguments, sorted. */
export function declaredNames(definition: Definition, inputs: Properties): string[] {
  return fieldPathsOf(definition.fields)
    .filter(({ path }) => valueAt(inputs, path) !== undefined)
    .map(({ name }) => name)
    .sort();
}

/** True if the program declared this argument when the outputs were stored. */
export function wasDeclared(state: Properties, { name }: FieldPath): boolean {
  return entriesOf(state[DECLARED]).includes(name);
}

/** The inputs of a program that matches these outputs. */
export function inputsFromState(definition: Definition, state: Properties): Properties {
  return withFieldValues(definition.fields, {}, (fieldPath) =>
    wasDeclared(state, fieldPath) ? { value: valueAt(state, fieldPath.path) } : undefined,
  );
}

/** An argument's last known value: the managed value, or else the value in a response. */
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
