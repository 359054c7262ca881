import { SECRETS } from "../names";
import { isUpToDate, pendingFields } from "./changes";
import type { Definition, Properties } from "./field";
import { alignWithDeclared, entriesOf, without } from "./list";
import { DECLARED, declaredNames, knownValue } from "./ownership";
import { entriesAt, type FieldPath, fieldPathsOf, valueAt, withFieldValues, withValue } from "./paths";
import { isObservable, type Observation, observe, readOutputs } from "./response";

/*
 * The known state, before a request and after each response.
 */

/** The state after the response to an operation that applies the inputs. */
type StateAfterRequest = (
  definition: Definition,
  operation: string,
  outputs: Properties,
  inputs: Properties,
  response: Properties,
) => Properties;

/**
 * The state before any request. It holds arguments that need no request as declared: other spellings of the server's
 * values, and values that only a creation uses.
 */
export function recordDeclared(definition: Definition, outputs: Properties, inputs: Properties): Properties {
  const start = withValue({ ...outputs, [DECLARED]: declaredNames(definition, inputs) }, [SECRETS], inputs[SECRETS]);
  return withFieldValues(definition.fields, start, (fieldPath) => {
    const declared = valueAt(inputs, fieldPath.path);
    if (declared === undefined) return isKeptUndeclared(fieldPath) ? undefined : { value: undefined };
    const needsRequest = fieldPath.field.onChange === "update" && !isUpToDate(fieldPath, outputs, inputs);
    return needsRequest ? undefined : { value: declared };
  });
}

/**
 * The state after a creation: the sent values, and lists as in the response, whose undeclared entries the server itself
 * has added.
 */
export function stateAfterCreate(
  definition: Definition,
  operation: string,
  inputs: Properties,
  response: Properties,
): Properties {
  let state = withFieldValues(definition.fields, {}, (fieldPath) => {
    const { path, field } = fieldPath;
    if (!field.sentWith.includes(operation)) return undefined;
    const declared = valueAt(inputs, path);
    const isWhole = declared !== undefined && field.list?.unmanaged === "remove";
    const observed = isWhole ? observe(fieldPath, response)?.value : undefined;
    return { value: observed ? inProgramForm(fieldPath, declared, observed) : declared };
  });
  for (const [name, { secret, apiName = name }] of Object.entries(definition.outputs)) {
    if (secret) state = withValue(state, [name], valueAt(response, [apiName]));
  }
  return recordDeclared(definition, fillComputed(definition, state, inputs, response), inputs);
}

/** The state after an accepted request: the sent values, and list entries as in the response. */
export const stateAfterUpdate: StateAfterRequest = (definition, operation, outputs, inputs, response) => {
  const sent = pendingFields(definition, operation, outputs, inputs);
  let state = outputs;
  for (const fieldPath of fieldPathsOf(definition.fields)) {
    const { path, observedPath, field } = fieldPath;
    const declared = valueAt(inputs, path);
    if (!sent.includes(fieldPath)) continue;
    const value = reconcileList(fieldPath, outputs, declared, observe(fieldPath, response)) ?? declared;
    state = withValue(state, path, value);
    // The value of an earlier response is outdated.
    if (observedPath && !field.secret && !field.list?.fromApi) state = withValue(state, observedPath, value);
  }
  return fillComputed(definition, state, inputs, response);
};

/** `stateAfterUpdate` for unreadable objects: only this response can show drift in the other arguments and entries. */
export const stateAfterUnreadableUpdate: StateAfterRequest = (definition, operation, outputs, inputs, response) => {
  const sent = pendingFields(definition, operation, outputs, inputs);
  const state = stateAfterUpdate(definition, operation, outputs, inputs, response);
  return withFieldValues(definition.fields, state, (fieldPath) => {
    const { path, field } = fieldPath;
    const observed = observe(fieldPath, response);
    if (valueAt(inputs, path) === undefined || field.onChange !== "update" || !observed) return undefined;
    if (field.list === undefined) return sent.includes(fieldPath) ? undefined : observed;
    const known = entriesAt(state, path);
    return { value: without(field.list, known, without(field.list, known, entriesOf(observed.value))) };
  });
};

/** The state after a read that follows an uncertain request. */
export const stateAfterReread: StateAfterRequest = (definition, operation, outputs, inputs, response) => {
  const sent = pendingFields(definition, operation, outputs, inputs);
  const state = withFieldValues(definition.fields, outputs, (fieldPath) => {
    const observed = sent.includes(fieldPath) ? observe(fieldPath, response) : undefined;
    // Values that no response shows stay unchanged, and are sent again.
    if (observed === undefined) return undefined;
    const declared = valueAt(inputs, fieldPath.path);
    const reconciled = reconcileList(fieldPath, outputs, declared, observed);
    return { value: reconciled ?? inProgramForm(fieldPath, declared, observed.value) };
  });
  return fillComputed(definition, state, inputs, response);
};

/** The state after a read, in the program's spelling and order where they mean the same. */
export function stateAfterRead(
  definition: Definition,
  outputs: Properties,
  inputs: Properties,
  response: Properties,
): Properties {
  let state = withFieldValues(definition.fields, outputs, (fieldPath) => {
    const declared = valueAt(inputs, fieldPath.path);
    const isCompared = declared === undefined ? isKeptUndeclared(fieldPath) : fieldPath.field.onChange === "update";
    const observed = isCompared ? observe(fieldPath, response) : undefined;
    return observed && { value: inProgramForm(fieldPath, declared, observed.value) };
  });
  // A read is complete: outputs that it lacks are gone, except those that only a creation returns.
  for (const [name, { secret, apiName = name }] of Object.entries(definition.outputs)) {
    if (!secret && valueAt(response, [apiName]) === undefined) state = withValue(state, [name], undefined);
  }
  return fillComputed(definition, state, inputs, response);
}

/** An observed value in the program's spelling and order if they mean the same. An absent list is empty. */
function inProgramForm({ field: { list } }: FieldPath, declared: unknown, observed: unknown): unknown {
  return list === undefined ? observed : alignWithDeclared(list, entriesOf(declared), entriesOf(observed));
}

/**
 * The result of a list change: the declared entries without those that the response lacks, and removed entries that it
 * still has. Entries that others have added are left to the next refresh.
 */
function reconcileList(
  fieldPath: FieldPath,
  outputs: Properties,
  declared: unknown,
  observed: Observation | undefined,
): unknown[] | undefined {
  const rules = fieldPath.field.list;
  if (rules?.send !== "addRemove" || observed === undefined) return undefined;
  const before = entriesOf(knownValue(outputs, fieldPath, declared));
  const after = entriesOf(declared);
  const now = entriesOf(observed.value);
  const missing = without(rules, without(rules, after, before), now);
  // Another owner has changed an entry that has another description now.
  const lingering = without(rules, now, without(rules, now, without(rules, before, after)));
  return [...without(rules, after, missing), ...lingering];
}

/** Fills in undeclared arguments and the outputs from a response. */
function fillComputed(definition: Definition, known: Properties, inputs: Properties, response: Properties): Properties {
  const state = withFieldValues(definition.fields, known, (fieldPath) => {
    if (valueAt(inputs, fieldPath.path) !== undefined || !isKeptUndeclared(fieldPath)) return undefined;
    const observed = observe(fieldPath, response);
    return observed?.value === undefined ? undefined : observed;
  });
  return { ...state, ...readOutputs(definition, response) };
}

/**
 * True if outputs hold this argument while the program does not declare it: not entries of other owners, nor members of
 * a group, which has an output of its own, nor values that no response keeps up to date.
 */
function isKeptUndeclared({ field, path }: FieldPath): boolean {
  const staysTrue = field.inResponse !== undefined || field.onChange !== "update";
  return staysTrue && field.list?.unmanaged !== "keep" && path.length === 1;
}

/**
 * Drops values that a request with an unknown outcome may have changed, unless a read can confirm them. Lists keep all
 * possible entries, to remove undeclared ones.
 */
export function forgetUncertain(
  { fields }: Definition,
  outputs: Properties,
  inputs: Properties,
  isUncertain: (name: string) => boolean,
  isReadable: boolean,
): Properties {
  return withFieldValues(fields, outputs, (fieldPath) => {
    const { name, path, field } = fieldPath;
    const isConfirmed = isReadable && isObservable(fieldPath);
    if (field.onChange !== "update" || !isUncertain(name) || isConfirmed) return undefined;
    return { value: field.list && without(field.list, entriesAt(outputs, path), entriesAt(inputs, path)) };
  });
}

/** Adds the sent entries, which may be on the server, to the lists after a request with an unknown outcome. */
export function assumeListsAccepted({ fields }: Definition, outputs: Properties, inputs: Properties): Properties {
  return withFieldValues(fields, outputs, ({ path, field }) => {
    if (!field.list || valueAt(inputs, path) === undefined) return undefined;
    const known = entriesAt(outputs, path);
    return { value: [...known, ...without(field.list, entriesAt(inputs, path), known)] };
  });
}
