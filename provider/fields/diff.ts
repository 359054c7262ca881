import { isDeepStrictEqual } from "node:util";
import { wasDeclared } from "./declared";
import { hasUnknown } from "./engine-values";
import type { Definition, ReadonlyProperties } from "./field";
import { entriesOf, sameEntries, without } from "./list";
import { type FieldPath, fieldPathsOf, knownValue, valueAt } from "./paths";

/** The changes that the arguments of one resource require. */
export interface FieldDifference {
  /** Arguments that differ, or that are declared or no longer declared. */
  readonly changed: readonly FieldPath[];
  /** Changed arguments that require replacement. */
  readonly replacing: readonly FieldPath[];
}

/** Compare declared arguments with the stored ones. Arguments that are not declared are ignored. */
export function diff(definition: Definition, outputs: ReadonlyProperties, inputs: ReadonlyProperties): FieldDifference {
  const compared = fieldPathsOf(definition.fields).filter(({ field }) => field.onChange !== "ignore");
  return {
    changed: compared.filter((fieldPath) => isChanged(fieldPath, outputs, inputs)),
    replacing: compared.filter((fieldPath) => isReplaced(fieldPath, outputs, inputs)),
  };
}

function isChanged(fieldPath: FieldPath, outputs: ReadonlyProperties, inputs: ReadonlyProperties): boolean {
  const declared = valueAt(inputs, fieldPath.path);
  const isDeclared = declared !== undefined;
  if (fieldPath.field.onChange === "replace") return isDeclared && !isUpToDate(fieldPath, outputs, inputs);
  if (isDeclared !== wasDeclared(outputs, fieldPath)) return true;
  // Declaring an entry of another owner changes the state, though nothing is sent for it.
  const isShared = fieldPath.field.list?.sharedAs !== undefined;
  const known = isShared ? valueAt(outputs, fieldPath.path) : knownValue(outputs, fieldPath, declared);
  return isDeclared && !sameValue(fieldPath, known, declared);
}

/** An unknown value, or one that was never known, is no reason to replace a database; nor is a secret that a server has shown. */
function isReplaced(fieldPath: FieldPath, outputs: ReadonlyProperties, inputs: ReadonlyProperties): boolean {
  const { field, path } = fieldPath;
  if (field.onChange !== "replace" || (field.secret && !wasDeclared(outputs, fieldPath))) return false;
  const declared = valueAt(inputs, path);
  const isDecidable = knownValue(outputs, fieldPath, declared) !== undefined && !hasUnknown(declared);
  return isDecidable && !isUpToDate(fieldPath, outputs, inputs);
}

/** True where nothing about this argument has to be sent. */
export function isUpToDate(fieldPath: FieldPath, outputs: ReadonlyProperties, inputs: ReadonlyProperties): boolean {
  const declared = valueAt(inputs, fieldPath.path);
  const known = knownValue(outputs, fieldPath, declared);
  const rules = fieldPath.field.list;
  // Where only changed entries are sent, one that is no longer declared is left as it is.
  if (rules?.send === "changed" && !hasUnknown(declared)) {
    return without(rules, entriesOf(declared), entriesOf(known)).length === 0;
  }
  return declared === undefined || sameValue(fieldPath, known, declared);
}

/** Compares a known and a declared value of one argument; lists with set semantics by their entries. */
function sameValue({ field }: FieldPath, known: unknown, declared: unknown): boolean {
  if (hasUnknown(declared)) return false;
  if (field.list === undefined) return isDeepStrictEqual(known, declared);
  return sameEntries(field.list, entriesOf(known), entriesOf(declared));
}
