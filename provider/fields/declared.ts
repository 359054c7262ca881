import type { Definition, Properties } from "./field";
import { type FieldPath, fieldPathsOf, valueAt, withValue } from "./paths";

/**
 * Where outputs keep the names of the arguments that the program declares (never their values).
 * A read is given outputs only; this is how it tells what is managed from what the server filled in.
 */
export const DECLARED = "__declared";

/** The names of the declared arguments, sorted, as they are stored. */
export function declaredNames(definition: Definition, inputs: Readonly<Properties>): string[] {
  return fieldPathsOf(definition.fields)
    .filter(({ path }) => valueAt(inputs, path) !== undefined)
    .map(({ name }) => name)
    .sort();
}

/** True if the program declared this argument when the outputs were stored. */
export function wasDeclared(outputs: Readonly<Properties>, { name }: FieldPath): boolean {
  const names = outputs[DECLARED];
  return Array.isArray(names) && names.includes(name);
}

/** The inputs that a program would have to declare to agree with these outputs. */
export function inputsFromState(definition: Definition, outputs: Readonly<Properties>): Properties {
  let inputs: Properties = {};
  for (const fieldPath of fieldPathsOf(definition.fields)) {
    const { path } = fieldPath;
    if (wasDeclared(outputs, fieldPath)) inputs = withValue(inputs, path, valueAt(outputs, path));
  }
  return inputs;
}
