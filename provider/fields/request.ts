import { agrees } from "./diff";
import type { Definition, Properties } from "./field";
import { entriesOf, without } from "./list";
import { knownValue, type Leaf, leavesOf, valueAt, withValue } from "./paths";

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
  const body = leaves.reduce<Properties>((started, leaf) => withChange(started, leaf, outputs, inputs), {});
  return leavesOf(definition.fields)
    .filter(({ field, wirePath }) => field.along && valueAt(body, wirePath.slice(0, -1)) !== undefined)
    .reduce((started, { path, wirePath }) => withValue(started, wirePath, valueAt(inputs, path)), body);
}

function withChange(
  body: Properties,
  leaf: Leaf,
  outputs: Readonly<Properties>,
  inputs: Readonly<Properties>,
): Properties {
  const { field, path, wirePath } = leaf;
  const wanted = valueAt(inputs, path);
  const rules = field.list;
  if (rules === undefined || rules.send === "whole") return withValue(body, wirePath, wanted);
  const [before, after] = [entriesOf(knownValue(outputs, leaf, wanted)), entriesOf(wanted)];
  const add = without(rules, after, before);
  if (rules.send === "changed") return withValue(body, wirePath, add);
  const gone = without(rules, before, after);
  const remove = rules.removal ? gone.map(rules.removal) : gone;
  const group = wirePath.slice(0, -1);
  const places = rules.siblings
    ? { add: [...group, rules.siblings.add], remove: [...group, rules.siblings.remove] }
    : { add: [...wirePath, "add"], remove: [...wirePath, "remove"] };
  const added = add.length > 0 ? withValue(body, places.add, add) : body;
  return remove.length > 0 ? withValue(added, places.remove, remove) : added;
}

/** True where an operation would change lists by adding and removing: sending that twice may not be the same as once. */
export function changesLists(
  definition: Definition,
  operation: string,
  outputs: Readonly<Properties>,
  inputs: Readonly<Properties>,
): boolean {
  return pending(definition, operation, outputs, inputs).some(({ field }) => field.list?.send === "addRemove");
}
