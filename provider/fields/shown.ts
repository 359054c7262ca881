import type { Definition, Properties } from "./field";
import { entriesOf } from "./list";
import { type Leaf, leavesOf, valueAt, withValue } from "./paths";
import { hasUnusable, isRecord } from "./unknown";

/*
 * What an answer of the API says about arguments and outputs. A member that its parent lacks is an absence; one of
 * another type than documented, or one whose parent is missing, says nothing.
 */

type Answer = Readonly<Properties>;

/** Whether answers show this argument at all. A secret that is shown is not evidence: servers mask. */
export function isShown({ field }: Leaf): boolean {
  return !field.secret && (field.inResponse === true || field.list?.observe !== undefined);
}

/** What an answer says about an argument: a value, or `undefined` for an absence; nothing where it does not say. */
export function shownIn(leaf: Leaf, answer: Answer): { readonly value: unknown } | undefined {
  const parent = valueAt(answer, leaf.wirePath.slice(0, -1));
  if (!isShown(leaf) || !isRecord(parent)) return undefined;
  const value = valueAt(answer, leaf.wirePath);
  if (hasUnusable(value)) return undefined;
  const observe = leaf.field.list?.observe as ((entry: unknown) => unknown) | undefined;
  return { value: observe && value !== undefined ? entriesOf(value).map(observe) : value };
}

/** The answer's values of outputs; no part of them is what arguments declare as secret. */
export function outputsIn(definition: Definition, answer: Answer): Properties {
  let shown: Properties = { ...answer };
  for (const { field, wirePath } of leavesOf(definition.fields)) {
    if (field.secret) shown = withValue(shown, wirePath, undefined);
  }
  const outputs: Properties = {};
  for (const [name, { wire = name, fromShown, secret }] of Object.entries(definition.outputs)) {
    const value = valueAt(shown, [wire]);
    // A secret output is what the creation has answered, whatever a later answer holds under its name.
    if (value === undefined || typeof value === "symbol" || secret) continue;
    outputs[name] = fromShown && isRecord(value) ? fromShown(value) : value;
  }
  return outputs;
}

/** The places in an answer, as far as arguments and outputs are made from them, that have another type than documented. */
export function unusableIn(definition: Definition, answer: Answer, inputs: Readonly<Properties>): string[] {
  const declared = leavesOf(definition.fields).filter(
    (leaf) => isShown(leaf) && valueAt(inputs, leaf.path) !== undefined,
  );
  const outputs = Object.entries(definition.outputs).map(([name, { wire = name }]) => [wire]);
  const paths = [...declared.map(({ wirePath }) => wirePath), ...outputs];
  return [...new Set(paths.flatMap((path) => unusableAt(valueAt(answer, path), path.join("."))))];
}

/** The places at and under a value that have another type than documented. */
export function unusableAt(value: unknown, place = ""): string[] {
  if (typeof value === "symbol") return [place];
  if (Array.isArray(value)) return value.flatMap((entry, index) => unusableAt(entry, `${place}[${index}]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => unusableAt(inner, place ? `${place}.${name}` : name));
}
