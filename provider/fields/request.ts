import { agrees } from "./diff";
import type { Definition, ListRules, Properties } from "./field";
import { entriesOf, without } from "./list";
import { type Leaf, leavesOf, valueAt, withValue } from "./paths";

/** The body of a creation: everything declared that the operation can carry. */
export function creationBody(definition: Definition, operation: string, inputs: Readonly<Properties>): Properties {
  return leavesOf(definition.fields)
    .filter(({ field }) => field.via.includes(operation))
    .reduce<Properties>((body, { path, wirePath }) => withValue(body, wirePath, valueAt(inputs, path)), {});
}

/** The declared arguments that an operation has to carry to bring the server to what is wanted. */
export function pending(
  definition: Definition,
  operation: string,
  outputs: Readonly<Properties>,
  inputs: Readonly<Properties>,
): Leaf[] {
  return leavesOf(definition.fields).filter(
    (leaf) => leaf.field.onChange === "update" && leaf.field.via.includes(operation) && !agrees(leaf, outputs, inputs),
  );
}

/** The smallest body that brings the server to what is wanted, or nothing where it is there already. */
export function updateBody(
  definition: Definition,
  operation: string,
  outputs: Readonly<Properties>,
  inputs: Readonly<Properties>,
): Properties | undefined {
  const leaves = pending(definition, operation, outputs, inputs);
  if (leaves.length === 0) return undefined;
  return leaves.reduce<Properties>((body, leaf) => {
    const wanted = valueAt(inputs, leaf.path);
    const rules = leaf.field.list;
    const value = rules ? listChange(rules, entriesOf(valueAt(outputs, leaf.path)), entriesOf(wanted)) : wanted;
    return withValue(body, leaf.wirePath, value);
  }, {});
}

function listChange(rules: ListRules, current: never[], wanted: never[]): unknown {
  const add = without(rules, wanted, current);
  if (rules.send === "changed") return add;
  const remove = without(rules, current, wanted);
  return { ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) };
}

/** True where a body changes lists by `add` and `remove`: sending it twice may not be the same as once. */
export function changesLists(definition: Definition, body: Readonly<Properties>): boolean {
  return leavesOf(definition.fields).some(
    ({ field, wirePath }) => field.list?.send === "addRemove" && valueAt(body, wirePath) !== undefined,
  );
}
