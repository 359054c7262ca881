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
    .filter((leaf) => valueAt(inputs, leaf.path) !== undefined)
    .map((leaf) => leaf.name)
    .sort();
}

/** Whether the program declared this argument when the outputs were stored. */
export function wasDeclared(outputs: Readonly<Properties>, leaf: FieldPath): boolean {
  const names = outputs[DECLARED];
  return Array.isArray(names) && names.includes(leaf.name);
}

/** The inputs that a program would have to declare to agree with these outputs. */
export function inputsFromState(definition: Definition, outputs: Readonly<Properties>): Properties {
  return fieldPathsOf(definition.fields)
    .filter((leaf) => wasDeclared(outputs, leaf))
    .reduce<Properties>((inputs, leaf) => withValue(inputs, leaf.path, valueAt(outputs, leaf.path)), {});
}
