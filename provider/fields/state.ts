import { DECLARED, declaredNames } from "./declared";
import { isUpToDate } from "./diff";
import type { Definition, Properties, ReadonlyProperties } from "./field";
import { alignWithDeclared, entriesOf } from "./list";
import { reconcileList, sharesList } from "./list-changes";
import { observe, readOutputs } from "./observation";
import { type FieldPath, fieldPathsOf, valueAt, withFieldValues, withValue } from "./paths";
import { pendingFields } from "./request";
import { SECRETS } from "./secret-marks";

/*
 * What is known to be true, before a request and after each response.
 */

/** What is true after a response to an operation, which was to bring the outputs to the inputs. */
type StateAfterRequest = (
  definition: Definition,
  operation: string,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
  response: ReadonlyProperties,
) => Properties;

/**
 * What is true before any request: the arguments that need none (spellings of what the server has, values that
 * only a creation could set, values that matter to nobody any more) are stored as declared.
 */
export function recordDeclared(
  definition: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): Properties {
  const start = withValue({ ...outputs, [DECLARED]: declaredNames(definition, inputs) }, [SECRETS], inputs[SECRETS]);
  return withFieldValues(definition.fields, start, (fieldPath) => {
    const declared = valueAt(inputs, fieldPath.path);
    if (declared === undefined) return isKeptUndeclared(fieldPath) ? undefined : { value: undefined };
    const needsRequest = fieldPath.field.onChange === "update" && !isUpToDate(fieldPath, outputs, inputs);
    return needsRequest ? undefined : { value: declared };
  });
}

/**
 * What is true once the API has created the object: what was sent, and lists as the response shows them. There are no
 * others yet who could have added entries, so those that were not declared came from the server itself.
 */
export function stateAfterCreate(
  definition: Definition,
  operation: string,
  inputs: ReadonlyProperties,
  response: ReadonlyProperties,
): Properties {
  let state = withFieldValues(definition.fields, {}, (fieldPath) => {
    const { path, field } = fieldPath;
    if (!field.operations.includes(operation)) return undefined;
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

/** What is true once the API has accepted a request: what was sent, and list entries as the response shows them. */
export const stateAfterUpdate: StateAfterRequest = (definition, operation, outputs, inputs, response) => {
  const sent = pendingFields(definition, operation, outputs, inputs);
  let state: Properties = { ...outputs };
  for (const fieldPath of fieldPathsOf(definition.fields)) {
    const { path, observedPath, field } = fieldPath;
    const declared = valueAt(inputs, path);
    // Entries among those of others are ours to watch with every response, sent or not.
    const isWatched = field.list !== undefined && sharesList(field.list) && declared !== undefined;
    if (!sent.includes(fieldPath) && !isWatched) continue;
    const observed = observe(fieldPath, response);
    const entries = observed && (observed.value ?? []);
    const value = reconcileList(fieldPath, outputs, declared, entries) ?? declared;
    state = withValue(state, path, value);
    // What was shown before is old now, also where this response does not show it.
    if (observedPath && !field.secret && !field.list?.fromApi) state = withValue(state, observedPath, value);
  }
  return fillComputed(definition, state, inputs, response);
};

/** The same where nothing can be read: what the response tells of arguments that were not sent is the only sign of drift. */
export const stateAfterUnreadableUpdate: StateAfterRequest = (definition, operation, outputs, inputs, response) => {
  const sent = pendingFields(definition, operation, outputs, inputs);
  const state = stateAfterUpdate(definition, operation, outputs, inputs, response);
  return withFieldValues(definition.fields, state, (fieldPath) => {
    const { path, field } = fieldPath;
    const isDeclared = valueAt(inputs, path) !== undefined && field.onChange === "update";
    return isDeclared && !field.list && !sent.includes(fieldPath) ? observe(fieldPath, response) : undefined;
  });
};

/** What is true when a read follows a request that may or may not have been carried out. */
export const stateAfterReread: StateAfterRequest = (definition, operation, outputs, inputs, response) => {
  const sent = pendingFields(definition, operation, outputs, inputs);
  const state = withFieldValues(definition.fields, outputs, (fieldPath) => {
    const observed = sent.includes(fieldPath) ? observe(fieldPath, response) : undefined;
    // What no response shows stays as it was, and is sent again.
    if (observed === undefined) return undefined;
    const declared = valueAt(inputs, fieldPath.path);
    const reconciled = reconcileList(fieldPath, outputs, declared, observed.value ?? []);
    return { value: reconciled ?? inProgramForm(fieldPath, declared, observed.value) };
  });
  return fillComputed(definition, state, inputs, response);
};

/** What a read shows, in the program's own spelling and order where that says the same. */
export function stateAfterRead(
  definition: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
  response: ReadonlyProperties,
): Properties {
  let state = withFieldValues(definition.fields, outputs, (fieldPath) => {
    const declared = valueAt(inputs, fieldPath.path);
    const isCompared = declared === undefined ? isKeptUndeclared(fieldPath) : fieldPath.field.onChange === "update";
    const observed = isCompared ? observe(fieldPath, response) : undefined;
    return observed && { value: inProgramForm(fieldPath, declared, observed.value) };
  });
  // A read shows all that there is: an output that it lacks is gone, but for what only the creation has returned.
  for (const [name, { secret, apiName = name }] of Object.entries(definition.outputs)) {
    if (!secret && valueAt(response, [apiName]) === undefined) state = withValue(state, [name], undefined);
  }
  return { ...state, ...readOutputs(definition, response) };
}

/** An observed value in the program's own spelling and order where that says the same. A list that is absent is empty. */
function inProgramForm({ field: { list } }: FieldPath, declared: unknown, observed: unknown): unknown {
  return list ? alignWithDeclared(list, entriesOf(declared), entriesOf(observed)) : observed;
}

/** Fills in what the program leaves to the server, and the values that only the server gives. */
function fillComputed(
  definition: Definition,
  known: ReadonlyProperties,
  inputs: ReadonlyProperties,
  response: ReadonlyProperties,
): Properties {
  const state = withFieldValues(definition.fields, known, (fieldPath) => {
    if (valueAt(inputs, fieldPath.path) !== undefined || !isKeptUndeclared(fieldPath)) return undefined;
    const observed = observe(fieldPath, response);
    return observed?.value === undefined ? undefined : observed;
  });
  return { ...state, ...readOutputs(definition, response) };
}

/**
 * Whether outputs hold this argument also while the program does not declare it. Entries of others are no argument
 * of ours, a group has an output of its own for what is not declared, and a value that no response shows is soon old.
 */
function isKeptUndeclared({ field, path }: FieldPath): boolean {
  const staysTrue = field.inResponse !== undefined || field.onChange !== "update";
  return staysTrue && field.list?.unmanaged !== "keep" && path.length === 1;
}
