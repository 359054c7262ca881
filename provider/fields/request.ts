import { isUpToDate } from "./diff";
import type { Definition, Properties } from "./field";
import { entriesOf, without } from "./list";
import { type FieldPath, fieldPathsOf, knownValue, valueAt, withValue } from "./paths";

/** The body of a creation: everything declared that the operation can carry. */
export function buildCreateBody(definition: Definition, operation: string, inputs: Readonly<Properties>): Properties {
  return fieldPathsOf(definition.fields)
    .filter(({ field }) => field.operations.includes(operation))
    .reduce<Properties>((body, { path, apiPath }) => withValue(body, apiPath, valueAt(inputs, path)), {});
}

/** The declared arguments that an operation has to carry to bring the server to what is wanted. */
export function pendingFields(
  definition: Definition,
  operation: string,
  outputs: Readonly<Properties>,
  inputs: Readonly<Properties>,
): FieldPath[] {
  return fieldPathsOf(definition.fields).filter(
    (leaf) =>
      leaf.field.onChange === "update" &&
      leaf.field.operations.includes(operation) &&
      !isUpToDate(leaf, outputs, inputs),
  );
}

/** The smallest body that brings the server to what is wanted, or nothing where it is there already. */
export function buildUpdateBody(
  definition: Definition,
  operation: string,
  outputs: Readonly<Properties>,
  inputs: Readonly<Properties>,
): Properties | undefined {
  const leaves = pendingFields(definition, operation, outputs, inputs);
  if (leaves.length === 0) return undefined;
  const body = leaves.reduce<Properties>((started, leaf) => addChange(started, leaf, outputs, inputs), {});
  return fieldPathsOf(definition.fields)
    .filter(({ field, apiPath }) => field.sentAlong && valueAt(body, apiPath.slice(0, -1)) !== undefined)
    .reduce((started, { path, apiPath }) => withValue(started, apiPath, valueAt(inputs, path)), body);
}

function addChange(
  body: Properties,
  leaf: FieldPath,
  outputs: Readonly<Properties>,
  inputs: Readonly<Properties>,
): Properties {
  const { field, path, apiPath } = leaf;
  const wanted = valueAt(inputs, path);
  const rules = field.list;
  if (rules === undefined || rules.send === "whole") return withValue(body, apiPath, wanted);
  const [before, after] = [entriesOf(knownValue(outputs, leaf, wanted)), entriesOf(wanted)];
  const add = without(rules, after, before);
  if (rules.send === "changed") return withValue(body, apiPath, add);
  const gone = without(rules, before, after);
  const remove = rules.removalKey ? gone.map(rules.removalKey) : gone;
  const group = apiPath.slice(0, -1);
  const places = rules.bodyNames
    ? { add: [...group, rules.bodyNames.add], remove: [...group, rules.bodyNames.remove] }
    : { add: [...apiPath, "add"], remove: [...apiPath, "remove"] };
  const added = add.length > 0 ? withValue(body, places.add, add) : body;
  return remove.length > 0 ? withValue(added, places.remove, remove) : added;
}

/** True where an operation would change lists by adding and removing: sending that twice may not be the same as once. */
export function editsLists(
  definition: Definition,
  operation: string,
  outputs: Readonly<Properties>,
  inputs: Readonly<Properties>,
): boolean {
  return pendingFields(definition, operation, outputs, inputs).some(({ field }) => field.list?.send === "addRemove");
}
