import type { Definition, Properties, ReadonlyProperties } from "./field";
import { entriesOf, without } from "./list";
import { isObservable } from "./observation";
import { valueAt, withFieldValues } from "./paths";

/*
 * What is left to rely on after a request that may or may not have been carried out.
 */

/** What stays known of an object that is read after it: of arguments that no response shows, nothing. */
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

/** The same where nothing can be read: of lists all that may be there is kept, so that what is not declared is removed. */
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

/** What may be there where nothing can be read: of lists, what was there and what was sent. */
export function assumeListsAccepted(
  { fields }: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): Properties {
  return withFieldValues(fields, outputs, ({ path, field }) => {
    if (!field.list) return undefined;
    const known = entriesOf(valueAt(outputs, path));
    return { value: [...known, ...without(field.list, entriesOf(valueAt(inputs, path)), known)] };
  });
}
