import { SECRETS, UNSEEN } from "../names";
import { entriesToReturn, isSame, isUpToDate, pendingFields } from "./changes";
import type { Definition, Properties } from "./field";
import { alignWithDeclared, entriesOf, within, without } from "./list";
import { DECLARED, declaredNames, knownValue } from "./ownership";
import {
  entriesAt,
  type FieldPath,
  fieldPathsOf,
  valueAt,
  withFieldValues,
  withValue,
} from "./paths";
import {
  isObservable,
  namesFromCreation,
  type Observation,
  observe,
  readOutputs,
} from "./response";
import { markedFields, namesIn } from "./secrets";

/*
 * The state to be stored, before a request and after each response.
 */

/** The facts from which an argument's next value is taken. */
interface Facts {
  readonly state: Properties;
  readonly inputs: Properties;
  readonly response: Properties;
}

/** An argument's next value; undefined leaves that of the state. */
type Source = (fieldPath: FieldPath, facts: Facts) => Observation | undefined;

const unchanged: Source = () => undefined;

/** The sent value; for an edited list, the part of the change that the response shows. */
const accepted: Source = (fieldPath, facts) => ({
  value: reconcileList(fieldPath, facts) ?? sentValue(fieldPath, facts),
});

/** The sent value; for a list, the sent entries that the response shows. */
const confirmed: Source = (fieldPath, facts) => {
  const sent = accepted(fieldPath, facts)?.value;
  return { value: shownEntries(fieldPath, sent, facts) ?? sent };
};

/**
 * The value in the response; for a list, the entries of the state that the response still shows.
 */
const drifted: Source = (fieldPath, facts) => {
  if (fieldPath.field.onChange !== "update") return undefined;
  const entries = shownEntries(fieldPath, valueAt(facts.state, fieldPath.path), facts);
  return entries ? { value: entries } : observe(fieldPath, facts.response);
};

/**
 * The effect of an earlier attempt. A value that no response shows stays as it was, and is sent
 * again.
 */
const reread: Source = (fieldPath, facts) => {
  const entries = reconcileList(fieldPath, facts);
  return entries ? { value: entries } : inProgramForm(fieldPath, facts);
};

/** The value in the response, unless an update cannot change it. */
const read: Source = (fieldPath, facts) =>
  fieldPath.field.onChange === "update" ? inProgramForm(fieldPath, facts) : undefined;

/** A value that the response has. */
const present: Source = (fieldPath, { response }) => {
  const found = observe(fieldPath, response);
  return found?.value === undefined ? undefined : found;
};

/** A value that the response has or lacks. An absent list is empty. */
const presentOrAbsent: Source = (fieldPath, { response }) => {
  const found = observe(fieldPath, response);
  return found && { value: found.value ?? (fieldPath.field.list && []) };
};

/** A declared value without the entries that only the next request adds. */
function sentValue(fieldPath: FieldPath, { state, inputs }: Facts): unknown {
  const value = valueAt(inputs, fieldPath.path);
  const { list } = fieldPath.field;
  return list?.inTwoSteps
    ? without(list, entriesOf(value), entriesToReturn(fieldPath, state, inputs))
    : value;
}

/**
 * The sources of next values: for arguments that the request has sent, other declared arguments,
 * and the rest.
 */
const SOURCES = {
  update: { sent: accepted, declared: unchanged, undeclared: present },
  unreadableUpdate: { sent: confirmed, declared: drifted, undeclared: present },
  reread: { sent: reread, declared: unchanged, undeclared: present },
  read: { sent: read, declared: read, undeclared: presentOrAbsent },
};

/** A function for the state after a response. */
function stateAfter({ sent, declared: declaredSource, undeclared }: (typeof SOURCES)["update"]) {
  return (
    definition: Definition,
    operation: string,
    state: Properties,
    inputs: Properties,
    response: Properties,
  ): Properties => {
    const facts = { state, inputs, response };
    const pending = pendingFields(definition, operation, state, inputs);
    const unseen = unseenAfter(definition, facts, sent === reread ? [] : pending);
    let next = withFieldValues(definition.fields, state, (fieldPath) => {
      if (pending.includes(fieldPath)) return sent(fieldPath, facts);
      // The response says nothing about a value that none has shown.
      if (unseen.includes(fieldPath.name)) return undefined;
      if (valueAt(inputs, fieldPath.path) !== undefined) return declaredSource(fieldPath, facts);
      return isKeptUndeclared(fieldPath) ? undeclared(fieldPath, facts) : undefined;
    });
    // The value of an earlier response is outdated, unless the response itself says what became of
    // the request.
    for (const { path, observedPath, field } of sent === reread ? [] : pending) {
      if (observedPath && !field.secret && !field.list?.fromApi)
        next = withValue(next, observedPath, valueAt(next, path));
    }
    return withUnseen({ ...next, ...readOutputs(definition, response) }, unseen);
  };
}

/** The declared arguments that were sent, now or before, and that no response has shown since. */
function unseenAfter(
  { fields }: Definition,
  { state, inputs, response }: Facts,
  sent: readonly FieldPath[],
): string[] {
  const before = namesIn(state, UNSEEN);
  const unseen = fieldPathsOf(fields).filter((fieldPath) => {
    const { name, path, apiPath } = fieldPath;
    const isSent = sent.includes(fieldPath) || before.includes(name);
    const isShown = valueAt(response, apiPath) !== undefined;
    return isSent && !isShown && canBeUnseen(fieldPath, valueAt(inputs, path));
  });
  return unseen.map(({ name }) => name).sort();
}

/**
 * An absent list is empty; only one that is sent as a whole may be one that the API does not show.
 */
function canBeUnseen(fieldPath: FieldPath, value: unknown): boolean {
  const { list } = fieldPath.field;
  if (!isObservable(fieldPath) || value === undefined) return false;
  return list === undefined || (list.send === "whole" && entriesOf(value).length > 0);
}

function withUnseen(state: Properties, names: readonly string[]): Properties {
  return withValue(state, [UNSEEN], names.length > 0 ? names : undefined);
}

/** The state after an accepted request. */
export const stateAfterUpdate = stateAfter(SOURCES.update);

/**
 * `stateAfterUpdate` for unreadable objects: only this response can show drift in the other
 * arguments and entries.
 */
export const stateAfterUnreadableUpdate = stateAfter(SOURCES.unreadableUpdate);

/** The state after a read that follows an uncertain request. */
export const stateAfterReread = stateAfter(SOURCES.reread);

/** The state after a read, in the program's spelling and order where they mean the same. */
export function stateAfterRead(
  definition: Definition,
  state: Properties,
  inputs: Properties,
  response: Properties,
): Properties {
  let known = state;
  // A read is complete: outputs that it lacks are gone, except those that only a creation returns.
  for (const [name, { fromCreation, apiName = name }] of Object.entries(definition.outputs)) {
    const isInvalid = typeof valueAt(response, [apiName]) === "symbol";
    if (!fromCreation && !isInvalid) known = withValue(known, [name], undefined);
  }
  return stateAfter(SOURCES.read)(definition, "", known, inputs, response);
}

/**
 * The state after a creation: the sent values, and complete lists as in the response, to which a
 * server may add.
 */
export function stateAfterCreate(
  definition: Definition,
  operation: string,
  inputs: Properties,
  response: Properties,
): Properties {
  const facts = { state: {}, inputs, response };
  let next = withFieldValues(definition.fields, {}, (fieldPath) => {
    const { path, field } = fieldPath;
    const value = valueAt(inputs, path);
    if (value === undefined)
      return isKeptUndeclared(fieldPath) ? present(fieldPath, facts) : undefined;
    if (!field.sentWith.includes(operation)) return undefined;
    const isShown = field.list?.unmanaged === "remove" && present(fieldPath, facts) !== undefined;
    return isShown ? inProgramForm(fieldPath, facts) : { value };
  });
  for (const name of namesFromCreation(definition.outputs))
    next = withValue(next, [name], valueAt(response, [name]));
  const sent = pendingFields(definition, operation, {}, inputs);
  const state = withUnseen(
    { ...next, ...readOutputs(definition, response) },
    unseenAfter(definition, facts, sent),
  );
  return recordDeclared(definition, state, inputs);
}

/**
 * The state before any request. It holds arguments that need no request as declared: other
 * spellings of the server's values, and values that only a creation uses.
 */
export function recordDeclared(
  definition: Definition,
  state: Properties,
  inputs: Properties,
): Properties {
  const declared = declaredNames(definition, inputs);
  const unseen = namesIn(state, UNSEEN).filter((name) => declared.includes(name));
  const next = withValue(
    withUnseen({ ...state, [DECLARED]: declared }, unseen),
    [SECRETS],
    markedNames(definition, state, inputs),
  );
  return withFieldValues(definition.fields, next, (fieldPath) => {
    const value = valueAt(inputs, fieldPath.path);
    if (value === undefined) return isKeptUndeclared(fieldPath) ? undefined : { value };
    const needsRequest =
      fieldPath.field.onChange === "update" && !isUpToDate(fieldPath, state, inputs);
    return needsRequest ? undefined : { value };
  });
}

/** The names that the program marks, and former arguments whose marked values the state keeps. */
function markedNames(definition: Definition, state: Properties, inputs: Properties): unknown {
  const former = markedFields(definition, state).filter(
    (fieldPath) => isKeptUndeclared(fieldPath) && valueAt(inputs, fieldPath.path) === undefined,
  );
  if (former.length === 0) return inputs[SECRETS];
  return [...namesIn(inputs, SECRETS), ...former.map(({ name }) => name)];
}

/**
 * A value of a response in the program's spelling and order if they mean the same. An absent list
 * is empty.
 */
function inProgramForm(fieldPath: FieldPath, { inputs, response }: Facts): Observation | undefined {
  const { path, field } = fieldPath;
  const found = observe(fieldPath, response);
  if (found === undefined) return found;
  if (field.list === undefined) {
    const value = valueAt(inputs, path);
    return isSame(fieldPath, found.value, value) ? { value } : found;
  }
  return {
    value: alignWithDeclared(field.list, entriesAt(inputs, path), entriesOf(found.value)),
  };
}

/**
 * The given entries that the response shows; undefined if the argument is not a list, or not shown.
 */
function shownEntries(
  fieldPath: FieldPath,
  entries: unknown,
  { response }: Facts,
): unknown[] | undefined {
  const { list } = fieldPath.field;
  const found = observe(fieldPath, response);
  if (list === undefined || found === undefined) return undefined;
  const known = entriesOf(entries);
  return within(list, known, entriesOf(found.value));
}

/**
 * The result of a list change: the declared entries without those that the response lacks, and
 * removed entries that it still has. Entries that other owners have added are left to the next
 * refresh.
 */
function reconcileList(
  fieldPath: FieldPath,
  { state, inputs, response }: Facts,
): unknown[] | undefined {
  const rules = fieldPath.field.list;
  const found = observe(fieldPath, response);
  if (rules?.send !== "addRemove" || found === undefined) return undefined;
  const wanted = valueAt(inputs, fieldPath.path);
  const [before, after] = [entriesOf(knownValue(state, fieldPath, wanted)), entriesOf(wanted)];
  const now = entriesOf(found.value);
  const returning = without(rules, entriesToReturn(fieldPath, state, inputs), now);
  const missing = [...without(rules, without(rules, after, now), before), ...returning];
  // An entry with a new description was changed by another owner.
  const lingering = within(rules, without(rules, now, after), before);
  return [...without(rules, after, missing), ...lingering];
}

/**
 * True if outputs hold this argument while the program does not declare it. They hold no entries of
 * other owners, no members of a group, which has an output of its own, and no values that no
 * response keeps up to date.
 */
function isKeptUndeclared({ field, path }: FieldPath): boolean {
  const staysTrue = field.inResponse !== undefined || field.onChange !== "update";
  return staysTrue && field.list?.unmanaged !== "keep" && path.length === 1;
}

/**
 * Drops values that a request with an unknown outcome may have changed, unless a read can confirm
 * them. Lists keep all possible entries, to remove undeclared ones.
 */
export function forgetUncertain(
  { fields }: Definition,
  state: Properties,
  inputs: Properties,
  isUncertain: (name: string) => boolean,
  isReadable: boolean,
): Properties {
  return withFieldValues(fields, state, (fieldPath) => {
    const { name, path, field } = fieldPath;
    const isConfirmed =
      isReadable && isObservable(fieldPath) && !namesIn(state, UNSEEN).includes(name);
    if (field.onChange !== "update" || !isUncertain(name) || isConfirmed) return undefined;
    return {
      value: field.list && without(field.list, entriesAt(state, path), entriesAt(inputs, path)),
    };
  });
}

/**
 * Adds the sent entries, which may be on the server, to the lists after a request with an unknown
 * outcome.
 */
export function assumeListsAccepted(
  { fields }: Definition,
  state: Properties,
  inputs: Properties,
): Properties {
  return withFieldValues(fields, state, ({ path, field }) => {
    if (!field.list || valueAt(inputs, path) === undefined) return undefined;
    const known = entriesAt(state, path);
    return { value: [...known, ...without(field.list, entriesAt(inputs, path), known)] };
  });
}
