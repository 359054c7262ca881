import { capitalized, toSingleLine } from "pulumi-clouddb-facts";
import { coded, type Message } from "../../errors";
import {
  DECLARED,
  displayValue,
  entriesOf,
  entriesToReturn,
  type FieldPath,
  knownValue,
  namesIn,
  type Properties,
  valueAt,
  withoutKeys,
} from "../../fields";
import { SECRETS } from "../../names";
import { describeOpener, passwordIn } from "./encrypted-password";
import type { Target } from "./resource";
import { type UserError, userError } from "./user-error";

/*
 * Messages about objects and their changes.
 */

/**
 * The name of an object in sentences: `service 3f0c… ("analytics")`. Only creatable types include
 * the name.
 */
export function describeObject({
  resource: { title, create },
  id,
  location: { name },
}: Omit<Target, "context">): string {
  return create === undefined || name === undefined
    ? `${title} ${id}`
    : `${title} ${id} (${JSON.stringify(name)})`;
}

export function describeInvalidFields(
  object: string,
  [first, ...others]: readonly string[],
): Message | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return coded(
    "CDB3011",
    `The API's response for ${object} has a value of an undocumented type`,
    `in ${first}${more}; it was ignored.`,
  );
}

const MAX_ENTRIES = 10;
const MAX_ENTRY_LENGTH = 60;

/** The number of entries, and the first entries unless the list is secret. */
export function describeEntries(keys: readonly string[], isSecret: boolean): string {
  const count = keys.length === 1 ? "1 entry" : `${keys.length} entries`;
  const shown = keys.slice(0, MAX_ENTRIES).map((key) => toSingleLine(key, MAX_ENTRY_LENGTH));
  const more = keys.length > MAX_ENTRIES ? ` and ${keys.length - MAX_ENTRIES} more` : "";
  return isSecret ? count : `${count} (${shown.join(", ")}${more})`;
}

/** Warnings about lists whose entries are removed by one request and added again by the next. */
export function describeReturning(
  object: string,
  changed: readonly FieldPath[],
  state: Properties,
  inputs: Properties,
): Message[] {
  return changed.flatMap((fieldPath) => {
    const { name, field } = fieldPath;
    const entries = entriesToReturn(fieldPath, state, inputs);
    if (field.list === undefined || entries.length === 0) return [];
    const keys = describeEntries(entries.map(field.list.key), isMarked(name, inputs));
    return coded(
      "CDB5020",
      `Changing ${keys} of ${name} of ${object} takes two requests:`,
      `one removes, the other adds again. ${field.list.inTwoSteps}`,
    );
  });
}

/** The warning about list entries that the program does not declare. */
export function describeForeignEntries(object: string, list: string, entries: string): Message {
  return coded(
    "CDB5008",
    `${list} of ${object} has ${entries} that the program does not declare.`,
    "The update did not change this:",
    "`pulumi up --refresh` removes what the program does not declare.",
  );
}

/** A change in words, such as `numReplicas from 3 to 2`, or added and removed list entries. */
export function describeChange(
  fieldPath: FieldPath,
  state: Properties,
  inputs: Properties,
): string {
  const { name, path, field } = fieldPath;
  const secret = field.secret ?? isMarked(name, inputs);
  const declared = valueAt(inputs, path);
  const known = knownValue(state, fieldPath, declared);
  const [from, to] = [known, declared].map((value) => displayValue({ secret }, value));
  if (from && to) return `${name} from ${from} to ${to}`;
  if (field.list === undefined) return name;
  const { key } = field.list;
  const [added, removed] = [
    withoutKeys(field.list, entriesOf(declared), entriesOf(known)),
    withoutKeys(field.list, entriesOf(known), entriesOf(declared)),
  ];
  const gains = added.length > 0 ? `, adding ${describeEntries(added.map(key), secret)}` : "";
  const losses =
    removed.length > 0 ? `, removing ${describeEntries(removed.map(key), secret)}` : "";
  return name + gains + losses;
}

export function isMarked(name: string, inputs: Properties): boolean {
  return namesIn(inputs, SECRETS).includes(name);
}

export const namesOf = (fields: readonly FieldPath[]) => fields.map(({ name }) => name);

/** A difference between an object and its declaration that no update can resolve. */
export function describeDifference(
  { name, path, apiPath, field }: FieldPath,
  current: Properties,
  inputs: Properties,
): string {
  const has = displayValue(field, valueAt(current, apiPath));
  const declared = displayValue(field, valueAt(inputs, path));
  return has && declared && !isMarked(name, inputs)
    ? `${name} is ${has} but the program declares ${declared}`
    : `${name} differs from what the program declares`;
}

/** The error about unresolvable differences. `advice` continues its sentence. */
export function contradictionError(operation: string, differences: string, advice = ""): UserError {
  return userError(
    "CDB4004",
    `${operation}: ${differences}. An update cannot change this${advice}. Nothing was changed.`,
  );
}

/** The message about an object that does not exist, either in the stack or in a program's read. */
export function describeGone(target: Target): Message {
  const { organizationId, [DECLARED]: inputs } = target.location;
  const object = `${capitalized(describeObject(target))} of organization ${organizationId}`;
  if (inputs === undefined) return coded("CDB5006", `${object} does not exist.`);
  const gone = `${object} no longer exists and is removed from state.`;
  const password = passwordIn(target.location);
  if (password === undefined) return coded("CDB5006", gone);
  const { passwordKeyFingerprint: opener } = password;
  return coded(
    "CDB5006",
    gone,
    `The history of the stack still holds its password${describeOpener(opener)}:`,
    "`pulumi stack export --version N --show-secrets` with Pulumi Cloud,",
    "a former version or backup of the state with another backend.",
  );
}

export function describeTaken(target: Target): Message {
  return coded(
    "CDB4011",
    `${capitalized(describeObject(target))} is the one that its replacement has taken`,
    "into the stack: it was not deleted.",
  );
}

export function undeletable(target: Target): UserError {
  const { title } = target.resource;
  return userError(
    "CDB5001",
    `Deleting ${describeObject(target)}: the API cannot delete ${title}s,`,
    "so it would keep running and costing money without being managed.",
    `The ${title} was not changed.`,
    "If it is tainted, run `pulumi state untaint`.",
    "To stop managing it, set `retainOnDelete: true` on the resource",
    "and run `pulumi up`; then remove it.",
  );
}

/** The message that a released object keeps existing. */
export function describeKept(target: Target): Message {
  const object = describeObject(target);
  return target.resource.create === undefined
    ? coded(
        "CDB5004",
        `The ${object} keeps its current settings; it is only removed from the stack.`,
      )
    : coded(
        "CDB5004",
        `${capitalized(object)} keeps running and costing money:`,
        "it was adopted, so it is only removed from the stack.",
      );
}

export function describeContradiction(target: Target, differences: readonly string[]): Message {
  return coded(
    "CDB5015",
    `The API's response for ${describeObject(target)} contradicts the program:`,
    `${differences.join("; ")}.`,
    `The next preview shows what an update can change.`,
  );
}

/** The warning about sent arguments that the response lacks. */
export function describeUnshown(target: Target, names: readonly string[]): Message {
  return coded(
    "CDB5021",
    `The API's response for ${describeObject(target)} does not show ${names.join(", ")},`,
    "which the request has set.",
    "The state keeps the declared values:",
    "a refresh cannot find drift of values that the API never shows.",
  );
}

export function notApplied(names: readonly string[]): UserError {
  return userError(
    "CDB4005",
    `the API accepted the update of ${names.join(", ")} twice,`,
    "but its response still does not show it; run `pulumi refresh` to see the current values",
  );
}
