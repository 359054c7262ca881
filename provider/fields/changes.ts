import { isDeepStrictEqual } from "node:util";
import { hasUnknown, isUnknown } from "pulumi-clouddb-facts";
import { z } from "zod";
import type { Definition, Properties } from "./field";
import { knownValue, observe, wasDeclared } from "./known-values";
import {
  canonicalText,
  entriesOf,
  labelOf,
  sameEntries,
  withKeysOf,
  without,
  withoutKeys,
} from "./list";
import { editedLists, entriesAt, type FieldPath, fieldPathsOf, valueAt, withValue } from "./paths";
import { Reference } from "./references";

/* Compares the arguments of a resource with its state, and builds request bodies. */

/** Compares inputs with a state, and ignores undeclared arguments. */
export function diff(definition: Definition, state: Properties, inputs: Properties) {
  const compared = fieldPathsOf(definition.fields).filter(
    ({ field }) => field.onChange !== "ignore",
  );
  return {
    /** Arguments that differ, are newly declared, or are no longer declared. */
    changed: compared.filter((fieldPath) => isChanged(fieldPath, state, inputs)),
    /** Changed arguments that require replacement. */
    replacing: compared.filter((fieldPath) => isReplaced(fieldPath, state, inputs)),
  };
}

function isChanged(fieldPath: FieldPath, state: Properties, inputs: Properties): boolean {
  const value = valueAt(inputs, fieldPath.path);
  const isDeclared = value !== undefined;
  if (fieldPath.field.onChange === "replace") return !isUpToDate(fieldPath, state, inputs);
  if (isDeclared !== wasDeclared(state, fieldPath)) return true;
  return isDeclared && !isSame(fieldPath, knownValue(state, fieldPath, value), value);
}

/**
 * An unknown value, a value that was never known, or a secret from a server does not replace a
 * database.
 */
function isReplaced(fieldPath: FieldPath, state: Properties, inputs: Properties): boolean {
  const { field, path } = fieldPath;
  if (field.onChange !== "replace" || (field.secret && !wasDeclared(state, fieldPath)))
    return false;
  const value = valueAt(inputs, path);
  // A variable may have another value on each machine, which must not replace a database.
  if ([value, valueAt(state, path)].some((secret) => secret instanceof Reference)) return false;
  const isDecidable = knownValue(state, fieldPath, value) !== undefined && !hasUnknown(value);
  return isDecidable && !isUpToDate(fieldPath, state, inputs);
}

/** True if no request needs to carry this argument. */
export function isUpToDate(fieldPath: FieldPath, state: Properties, inputs: Properties): boolean {
  const value = valueAt(inputs, fieldPath.path);
  const known = knownValue(state, fieldPath, value);
  const rules = fieldPath.field.list;
  // Undeclared entries stay unchanged.
  if (rules?.send === "changed" && !hasUnknown(value)) {
    return without(rules, entriesOf(value), entriesOf(known)).length === 0;
  }
  return value === undefined || isSame(fieldPath, known, value);
}

/** True if both values of an argument have the same meaning. */
export function isSame({ field }: FieldPath, known: unknown, value: unknown): boolean {
  // An unknown entry equals no other entry.
  if (field.list !== undefined)
    return !isUnknown(value) && sameEntries(field.list, entriesOf(known), entriesOf(value));
  if (hasUnknown(value)) return false;
  const [before, after] = [known, value].map((text) => canonicalText(field.form, text));
  // A response may contain -0.
  return before === after || isDeepStrictEqual(before, after);
}

/** The body of a creation, with each declared argument that the operation can carry. */
export function buildCreateBody(
  definition: Definition,
  operation: string,
  inputs: Properties,
): Properties {
  let body: Properties = {};
  for (const { field, path, apiPath } of fieldPathsOf(definition.fields)) {
    if (field.sentWith.includes(operation)) body = withValue(body, apiPath, valueAt(inputs, path));
  }
  return body;
}

/** The declared arguments that an update must send. */
export function pendingFields(
  definition: Definition,
  operation: string,
  state: Properties,
  inputs: Properties,
): FieldPath[] {
  return fieldPathsOf(definition.fields).filter((fieldPath) => {
    const { onChange, sentWith } = fieldPath.field;
    return (
      onChange === "update" && sentWith.includes(operation) && !isUpToDate(fieldPath, state, inputs)
    );
  });
}

/** The smallest body of an update; undefined if the server is up to date. */
export function buildUpdateBody(
  definition: Definition,
  operation: string,
  state: Properties,
  inputs: Properties,
): Properties | undefined {
  const pending = pendingFields(definition, operation, state, inputs);
  if (pending.length === 0) return undefined;
  let body: Properties = {};
  for (const fieldPath of [...pending, ...secretsBeside(definition, pending, inputs)])
    body = withChange(body, fieldPath, state, inputs);
  for (const { field, path, apiPath } of fieldPathsOf(definition.fields)) {
    const isSentAlong = field.onChange === "ignore" && field.sentWith.includes(operation);
    const isGroupSent = valueAt(body, apiPath.slice(0, -1)) !== undefined;
    if (isSentAlong && isGroupSent) body = withValue(body, apiPath, valueAt(inputs, path));
  }
  return body;
}

/**
 * Write-only secrets of a changed connection, since a server checks only the values in a request.
 * List changes do not change a connection.
 */
export function secretsBeside(
  { fields }: Definition,
  pending: readonly FieldPath[],
  inputs: Properties,
): FieldPath[] {
  const groupOf = ({ path }: FieldPath) => path.slice(0, -1).join(".");
  const changed = pending.filter(({ field }) => field.list?.send !== "addRemove").map(groupOf);
  return fieldPathsOf(fields).filter((fieldPath) => {
    const { field, path } = fieldPath;
    const isSecret = field.secret && field.onChange === "update" && path.length > 1;
    return (
      isSecret &&
      changed.includes(groupOf(fieldPath)) &&
      !pending.includes(fieldPath) &&
      valueAt(inputs, path) !== undefined
    );
  });
}

/** Adds the change of one argument to a body. */
function withChange(
  body: Properties,
  fieldPath: FieldPath,
  state: Properties,
  inputs: Properties,
): Properties {
  const { field, path, apiPath } = fieldPath;
  const value = valueAt(inputs, path);
  const rules = field.list;
  if (rules === undefined || rules.send === "whole") return withValue(body, apiPath, value);
  const [before, after] = [entriesOf(knownValue(state, fieldPath, value)), entriesOf(value)];
  const added = without(rules, after, before);
  if (rules.send === "changed") return withValue(body, apiPath, added);
  const removed = without(rules, before, after);
  const sent = {
    add: without(rules, added, entriesToReturn(fieldPath, state, inputs)),
    remove: rules.removalKey ? removed.map(rules.removalKey) : removed,
  };
  let changed = body;
  for (const side of ["add", "remove"] as const) {
    const place = rules.bodyNames
      ? [...apiPath.slice(0, -1), rules.bodyNames[side]]
      : [...apiPath, side];
    if (sent[side].length > 0) changed = withValue(changed, place, sent[side]);
  }
  return changed;
}

/**
 * The entries that one request removes and the next must add again, in a list that changes in two
 * steps.
 */
export function entriesToReturn(
  fieldPath: FieldPath,
  state: Properties,
  inputs: Properties,
): unknown[] {
  const rules = fieldPath.field.list;
  const value = valueAt(inputs, fieldPath.path);
  if (!rules?.inTwoSteps || value === undefined) return [];
  const [before, after] = [entriesOf(knownValue(state, fieldPath, value)), entriesOf(value)];
  return withKeysOf(rules, after, without(rules, before, after));
}

/**
 * Declared numbers, flags and choices that a response contradicts. Other texts may have another
 * spelling on the server.
 */
export function contradictions(
  { fields }: Definition,
  state: Properties,
  inputs: Properties,
  response: Properties,
): FieldPath[] {
  return fieldPathsOf(fields).filter((fieldPath) => {
    const value = valueAt(inputs, fieldPath.path);
    const isExact =
      ["number", "boolean"].includes(typeof value) || fieldPath.field.schema instanceof z.ZodEnum;
    if (!isExact) return false;
    const shown = observe(fieldPath, response)?.value;
    const differs = typeof shown === typeof value && shown !== value;
    return differs && isUpToDate(fieldPath, state, inputs);
  });
}

/** Newly declared complete lists, with their known and declared entries. */
export function newLists(definition: Definition, state: Properties, inputs: Properties) {
  return editedLists(definition).flatMap(({ fieldPath, rules }) => {
    const value = valueAt(inputs, fieldPath.path);
    if (rules.unmanaged === "keep" || value === undefined || wasDeclared(state, fieldPath))
      return [];
    const before = entriesOf(knownValue(state, fieldPath, value));
    return [{ fieldPath, rules, before, after: entriesOf(value) }];
  });
}

export type NewList = ReturnType<typeof newLists>[number];

export type ChangeKind = "ADD" | "DELETE" | "UPDATE";

/**
 * Replaces a changed list by its changed entries. Removed entries have places in the state, and
 * added entries have places in the inputs.
 */
export function showEntries(
  places: Map<string, ChangeKind>,
  list: NewList,
  state: Properties,
): void {
  const { fieldPath, rules, before, after } = list;
  const { name, path, observedPath = path } = fieldPath;
  const statePath = (valueAt(state, path) === undefined ? observedPath : path).join(".");
  const [removed, added] = [
    new Set(without(rules, before, after)),
    new Set(without(rules, after, before)),
  ];
  places.delete(name);
  for (const [index, entry] of before.entries())
    if (removed.has(entry)) places.set(`${statePath}[${index}]`, "DELETE");
  for (const [index, entry] of after.entries()) {
    const place = `${name}[${index}]`;
    if (added.has(entry)) places.set(place, places.has(place) ? "UPDATE" : "ADD");
  }
}

/** The entries in a response that neither the declared list nor the state has. */
export function foreignEntries(
  definition: Definition,
  state: Properties,
  inputs: Properties,
  response: Properties,
): { readonly name: string; readonly keys: readonly string[] }[] {
  return editedLists(definition).flatMap(({ fieldPath, rules }) => {
    const { name, path } = fieldPath;
    const value = valueAt(inputs, path);
    if (rules.unmanaged === "keep" || value === undefined) return [];
    const known = [...entriesOf(value), ...entriesAt(state, path)];
    const foreign = withoutKeys(rules, entriesOf(observe(fieldPath, response)?.value), known);
    const keys = foreign.map((entry) => labelOf(rules, entry));
    return foreign.length > 0 ? [{ name, keys }] : [];
  });
}
