import type { Definition, Properties, ReadonlyProperties } from "./field";
import { entriesOf, without } from "./list";
import { isObservable } from "./observation";
import { valueAt, withFieldValues } from "./paths";

/*
 * The state after a request that may or may not have succeeded.
 */

/** Drop uncertain values that a read cannot confirm. */
export function forgetUnobservable(
  { fields }: Definition,
  outputs: ReadonlyProperties,
  isUncertain: (name: string) => boolean,
): Properties {
  return withFieldValues(fields, outputs, (fieldPath) => {
    const isForgotten =
      fieldPath.field.onChange === "update" && isUncertain(fieldPath.name) && !isObservable(fieldPath);
    return isForgotten ? { value: undefined } : undefined;
  });
}

/** Drop an unreadable object's uncertain values; lists keep all possible entries, to remove undeclared ones. */
export function forgetUncertain(
  { fields }: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
  isUncertain: (name: string) => boolean,
): Properties {
  return withFieldValues(fields, outputs, ({ name, path, field }) => {
    if (field.onChange !== "update" || !isUncertain(name)) return undefined;
    if (!field.list) return { value: undefined };
    return { value: without(field.list, entriesOf(valueAt(outputs, path)), entriesOf(valueAt(inputs, path))) };
  });
}

/**
 * Add the sent entries to the known ones of lists in which no read tells them from those of other owners: lists of an
 * unreadable object, and shared lists. Both may be on the server.
 */
export function assumeListsAccepted(
  { fields }: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
  isReadable: boolean,
): Properties {
  return withFieldValues(fields, outputs, ({ path, field }) => {
    if (!field.list || (isReadable && field.list.sharedAs === undefined)) return undefined;
    const known = entriesOf(valueAt(outputs, path));
    return { value: [...known, ...without(field.list, entriesOf(valueAt(inputs, path)), known)] };
  });
}
