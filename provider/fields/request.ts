import { isUpToDate } from "./diff";
import type { Definition, Properties, ReadonlyProperties } from "./field";
import { entriesOf, without } from "./list";
import { type FieldPath, fieldPathsOf, knownValue, valueAt, withValue } from "./paths";

/** The body of a creation: everything declared that the operation can carry. */
export function buildCreateBody(definition: Definition, operation: string, inputs: ReadonlyProperties): Properties {
  let body: Properties = {};
  for (const { field, path, apiPath } of fieldPathsOf(definition.fields)) {
    if (field.operations.includes(operation)) body = withValue(body, apiPath, valueAt(inputs, path));
  }
  return body;
}

/** The declared arguments that an operation has to carry to bring the server to what is declared. */
export function pendingFields(
  definition: Definition,
  operation: string,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): FieldPath[] {
  return fieldPathsOf(definition.fields).filter((fieldPath) => {
    const { onChange, operations } = fieldPath.field;
    return onChange === "update" && operations.includes(operation) && !isUpToDate(fieldPath, outputs, inputs);
  });
}

/** The smallest body that brings the server to what is declared, or nothing where it is there already. */
export function buildUpdateBody(
  definition: Definition,
  operation: string,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): Properties | undefined {
  const pending = pendingFields(definition, operation, outputs, inputs);
  if (pending.length === 0) return undefined;
  let body: Properties = {};
  for (const fieldPath of pending) body = withChange(body, fieldPath, outputs, inputs);
  for (const { field, path, apiPath } of fieldPathsOf(definition.fields)) {
    const isGroupSent = valueAt(body, apiPath.slice(0, -1)) !== undefined;
    if (field.sentAlong && isGroupSent) body = withValue(body, apiPath, valueAt(inputs, path));
  }
  return body;
}

/** The body with what brings one argument to its declared value. */
function withChange(
  body: Properties,
  fieldPath: FieldPath,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): Properties {
  const { field, path, apiPath } = fieldPath;
  const declared = valueAt(inputs, path);
  const rules = field.list;
  if (rules === undefined || rules.send === "whole") return withValue(body, apiPath, declared);
  const [before, after] = [entriesOf(knownValue(outputs, fieldPath, declared)), entriesOf(declared)];
  const added = without(rules, after, before);
  if (rules.send === "changed") return withValue(body, apiPath, added);
  const removed = without(rules, before, after);
  const sent = { add: added, remove: rules.removalKey ? removed.map(rules.removalKey) : removed };
  const group = apiPath.slice(0, -1);
  let changed = body;
  for (const side of ["add", "remove"] as const) {
    const place = rules.bodyNames ? [...group, rules.bodyNames[side]] : [...apiPath, side];
    if (sent[side].length > 0) changed = withValue(changed, place, sent[side]);
  }
  return changed;
}

/** True where an operation would change lists by adding and removing: sending that twice may not be the same as once. */
export function editsLists(
  definition: Definition,
  operation: string,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): boolean {
  return pendingFields(definition, operation, outputs, inputs).some(({ field }) => field.list?.send === "addRemove");
}
