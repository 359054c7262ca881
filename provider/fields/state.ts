import { SECRETS } from "../names";
import { DECLARED, declaredNames } from "./declared";
import { isUpToDate } from "./diff";
import type { Definition, Properties, ReadonlyProperties } from "./field";
import { alignWithDeclared, entriesOf } from "./list";
import { reconcileList, sharesList } from "./list-changes";
import { observe, readOutputs } from "./observation";
import { type FieldPath, fieldPathsOf, valueAt, withFieldValues, withValue } from "./paths";
import { pendingFields } from "./request";
import { describedAsDeclared, withOthers, withSharedOutputs } from "./shared";

/*
 * The known state, before a request and after each response.
 */

/** The state after the response to an operation that brings the outputs to the inputs. */
type StateAfterRequest = (
  definition: Definition,
  operation: string,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
  response: ReadonlyProperties,
) => Properties;

/**
 * The state before any request. Arguments that need none are stored as declared: other spellings of the server's
 * values, and values that only a creation uses.
 */
export function recordDeclared(
  definition: Definition,
  outputs: ReadonlyProperties,
  inputs: ReadonlyProperties,
): Properties {
  const start = withValue({ ...outputs, [DECLARED]: declaredNames(definition, inputs) }, [SECRETS], inputs[SECRETS]);
  const state = withFieldValues(definition.fields, start, (fieldPath) => {
    const declared = valueAt(inputs, fieldPath.path);
    if (declared === undefined) return isKeptUndeclared(fieldPath) ? undefined : { value: undefined };
    const needsRequest = fieldPath.field.onChange === "update" && !isUpToDate(fieldPath, outputs, inputs);
    return needsRequest ? undefined : { value: declared };
  });
  return withSharedOutputs(definition, state);
}

/**
 * The state after a creation: the sent values, and lists as the response shows them. Nobody else can have added
 * entries yet, so undeclared ones come from the server itself.
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

/** The state after an accepted request: the sent values, and list entries as the response shows them. */
export const stateAfterUpdate: StateAfterRequest = (definition, operation, before, inputs, response) => {
  const outputs = withOthers(definition, before, response, inputs);
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
    // The value shown before is outdated, even if this response does not show it.
    if (observedPath && !field.secret && !field.list?.fromApi) state = withValue(state, observedPath, value);
  }
  return fillComputed(definition, state, inputs, response);
};

/** `stateAfterUpdate` for unreadable objects: only this response can show drift, in arguments that were not sent. */
export const stateAfterUnreadableUpdate: StateAfterRequest = (definition, operation, outputs, inputs, response) => {
  const sent = pendingFields(definition, operation, outputs, inputs);
  const state = stateAfterUpdate(definition, operation, outputs, inputs, response);
  return withFieldValues(definition.fields, state, (fieldPath) => {
    const { path, field } = fieldPath;
    const isDeclared = valueAt(inputs, path) !== undefined && field.onChange === "update";
    return isDeclared && !field.list && !sent.includes(fieldPath) ? observe(fieldPath, response) : undefined;
  });
};

/** The state after a read that follows an uncertain request. */
export const stateAfterReread: StateAfterRequest = (definition, operation, before, inputs, response) => {
  const outputs = withOthers(definition, before, response, inputs);
  const sent = pendingFields(definition, operation, outputs, inputs);
  const state = withFieldValues(definition.fields, outputs, (fieldPath) => {
    const observed = sent.includes(fieldPath) ? observe(fieldPath, response) : undefined;
    // A value that no response shows stays as it was, and is sent again.
    if (observed === undefined) return undefined;
    const declared = valueAt(inputs, fieldPath.path);
    const reconciled = reconcileList(fieldPath, outputs, declared, observed.value ?? []);
    return { value: reconciled ?? inProgramForm(fieldPath, declared, observed.value) };
  });
  return fillComputed(definition, state, inputs, response);
};

/** The state after a read, in the program's spelling and order where they mean the same. */
export function stateAfterRead(
  definition: Definition,
  before: ReadonlyProperties,
  inputs: ReadonlyProperties,
  response: ReadonlyProperties,
): Properties {
  const outputs = withOthers(definition, before, response, undefined);
  let state = withFieldValues(definition.fields, outputs, (fieldPath) => {
    const declared = valueAt(inputs, fieldPath.path);
    const isCompared = declared === undefined ? isKeptUndeclared(fieldPath) : fieldPath.field.onChange === "update";
    const observed = isCompared ? observe(fieldPath, response) : undefined;
    if (observed === undefined) return undefined;
    const entries = fieldPath.field.list?.sharedAs
      ? describedAsDeclared(outputs, fieldPath, entriesOf(declared), entriesOf(observed.value))
      : observed.value;
    return { value: inProgramForm(fieldPath, declared, entries) };
  });
  // A read shows all that there is: an output that it lacks is gone, but for what only the creation has returned.
  for (const [name, { secret, apiName = name }] of Object.entries(definition.outputs)) {
    if (!secret && valueAt(response, [apiName]) === undefined) state = withValue(state, [name], undefined);
  }
  return withSharedOutputs(definition, { ...state, ...readOutputs(definition, response) });
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
  return withSharedOutputs(definition, { ...state, ...readOutputs(definition, response) });
}

/**
 * True if outputs hold this argument even while the program does not declare it. Not for entries of others, nor for
 * members of a group, which has its own output for them, nor for values that no response keeps up to date.
 */
function isKeptUndeclared({ field, path }: FieldPath): boolean {
  const staysTrue = field.inResponse !== undefined || field.onChange !== "update";
  return staysTrue && field.list?.unmanaged !== "keep" && path.length === 1;
}
