import { isDeepStrictEqual } from "node:util";
import { wasDeclared } from "./declared";
import type { Definition, Properties } from "./field";
import { entriesOf, sameEntries, without } from "./list";
import { type FieldPath, fieldPathsOf, knownValue, valueAt } from "./paths";
import { hasUnknown } from "./unknown";

/** What the arguments of one resource ask to be done. */
export interface Difference {
  /** Arguments that differ, or that are declared or no longer declared. */
  readonly changed: readonly FieldPath[];
  /** Those among them whose new value only another object can have. */
  readonly replacing: readonly FieldPath[];
}

/** Compares what the program declares with what is stored. What it does not declare is not compared. */
export function diff(definition: Definition, outputs: Readonly<Properties>, inputs: Readonly<Properties>): Difference {
  const leaves = fieldPathsOf(definition.fields).filter(({ field }) => field.onChange !== "ignore");
  const replacing = leaves.filter((leaf) => isReplaced(leaf, outputs, inputs));
  return { changed: leaves.filter((leaf) => isChanged(leaf, outputs, inputs)), replacing };
}

function isChanged(leaf: FieldPath, outputs: Readonly<Properties>, inputs: Readonly<Properties>): boolean {
  const wanted = valueAt(inputs, leaf.path);
  if (leaf.field.onChange === "replace") return wanted !== undefined && !isUpToDate(leaf, outputs, inputs);
  if ((wanted !== undefined) !== wasDeclared(outputs, leaf)) return true;
  return wanted !== undefined && !sameValue(leaf, knownValue(outputs, leaf, wanted), wanted);
}

/** An unknown value, or one that was never known, is no reason to replace a database; nor is a secret that a server has shown. */
function isReplaced(leaf: FieldPath, outputs: Readonly<Properties>, inputs: Readonly<Properties>): boolean {
  if (leaf.field.onChange !== "replace" || (leaf.field.secret && !wasDeclared(outputs, leaf))) return false;
  const wanted = valueAt(inputs, leaf.path);
  const isDecidable = knownValue(outputs, leaf, wanted) !== undefined && !hasUnknown(wanted);
  return isDecidable && !isUpToDate(leaf, outputs, inputs);
}

/** True where the server needs to be told nothing about this argument. */
export function isUpToDate(leaf: FieldPath, outputs: Readonly<Properties>, inputs: Readonly<Properties>): boolean {
  const wanted = valueAt(inputs, leaf.path);
  const known = knownValue(outputs, leaf, wanted);
  const rules = leaf.field.list;
  // Where only changed entries are sent, one that is declared no more is left as it is.
  if (rules?.send === "changed" && !hasUnknown(wanted)) {
    return without(rules, entriesOf(wanted), entriesOf(known)).length === 0;
  }
  return wanted === undefined || sameValue(leaf, known, wanted);
}

/** Compares two values of one argument; lists with set semantics by their entries. */
function sameValue({ field }: FieldPath, one: unknown, other: unknown): boolean {
  if (hasUnknown(other)) return false;
  if (field.list === undefined) return isDeepStrictEqual(one, other);
  return sameEntries(field.list, entriesOf(one), entriesOf(other));
}
