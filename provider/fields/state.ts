import { SECRETS, UNCERTAIN, UNSEEN } from "../names";
import { entriesToReturn, isSame, isUpToDate, pendingFields } from "./changes";
import type { Definition, Properties } from "./field";
import {
  DECLARED,
  isObservable,
  knownValue,
  namesFromCreation,
  type Observation,
  observe,
  readOutputs,
} from "./known-values";
import { alignWithDeclared, entriesOf, within, without } from "./list";
import {
  entriesAt,
  type FieldPath,
  fieldPathsOf,
  valueAt,
  withFieldValues,
  withValue,
} from "./paths";
import { markedFields, namesIn } from "./secrets";

/* Computes the state to store, before a request and after each response. */

/** The facts that decide an argument's next value. */
interface Facts {
  readonly fieldPath: FieldPath;
  /** The operation whose response is read; empty for a read. */
  readonly operation: string;
  readonly state: Properties;
  readonly inputs: Properties;
  /** The declared value. */
  readonly wanted: unknown;
  /** The value in the response. */
  readonly observation: Observation | undefined;
}

/** Returns an argument's next value; undefined keeps the state's value. */
type Source = (facts: Facts) => Observation | undefined;

const unchanged: Source = () => undefined;

/** The sent value. For a complete list, the entries in the response: a server may add some. */
const created: Source = (facts) => {
  const { field } = facts.fieldPath;
  if (!field.sentWith.includes(facts.operation)) return undefined;
  const isShown = field.list?.unmanaged === "remove" && present(facts) !== undefined;
  return isShown ? inProgramForm(facts) : { value: facts.wanted };
};

/** The sent value. For an edited list, the part of the change that the response shows. */
const accepted: Source = (facts) => ({ value: reconcileList(facts) ?? sentValue(facts) });

/** The sent value. For a list, the sent entries that the response shows. */
const confirmed: Source = (facts) => {
  const sent = reconcileList(facts) ?? sentValue(facts);
  return { value: shownEntries(sent, facts) ?? sent };
};

/** The value in the response. For a list, the state's entries that the response shows. */
const drifted: Source = (facts) => {
  const { path, field } = facts.fieldPath;
  if (field.onChange !== "update") return undefined;
  const entries = shownEntries(valueAt(facts.state, path), facts);
  return entries ? { value: entries } : facts.observation;
};

/**
 * The effect of an earlier attempt. A value that no response shows keeps its old state, and is sent
 * again.
 */
const reread: Source = (facts) => {
  const entries = reconcileList(facts);
  return entries ? { value: entries } : inProgramForm(facts);
};

/** The value in the response, if updates can change it. */
const read: Source = (facts) =>
  facts.fieldPath.field.onChange === "update" ? inProgramForm(facts) : undefined;

/** The value in the response, if present. */
const present: Source = ({ observation }) =>
  observation?.value === undefined ? undefined : observation;

/** The value in the response, or its absence. An absent list is empty. */
const presentOrAbsent: Source = ({ fieldPath, observation }) =>
  observation && { value: observation.value ?? (fieldPath.field.list && []) };

/** A declared value without entries that only the next request adds. */
function sentValue({ fieldPath, state, inputs, wanted }: Facts): unknown {
  const { list } = fieldPath.field;
  return list?.inTwoSteps
    ? without(list, entriesOf(wanted), entriesToReturn(fieldPath, state, inputs))
    : wanted;
}

/**
 * The sources of next values for sent arguments, other declared arguments, and undeclared
 * arguments.
 */
const SOURCES = {
  create: { sent: created, declared: created, undeclared: present },
  update: { sent: accepted, declared: unchanged, undeclared: present },
  unreadableUpdate: { sent: confirmed, declared: drifted, undeclared: present },
  reread: { sent: reread, declared: unchanged, undeclared: present },
  read: { sent: read, declared: read, undeclared: presentOrAbsent },
};

/** Makes a function that computes the state after a response. */
function stateAfter({ sent, declared, undeclared }: (typeof SOURCES)["update"]) {
  return (
    definition: Definition,
    operation: string,
    state: Properties,
    inputs: Properties,
    response: Properties,
  ): Properties => {
    const pending = pendingFields(definition, operation, state, inputs);
    // A read does not answer a request.
    const answered = sent === reread ? [] : pending;
    // Before a creation, no response has shown a value.
    const outdated = sent === created ? [] : answered;
    const unseen = unseenAfter(definition, state, inputs, response, answered);
    let next = withFieldValues(definition.fields, state, (fieldPath) => {
      const [wanted, observation] = [valueAt(inputs, fieldPath.path), observe(fieldPath, response)];
      const facts = { fieldPath, operation, state, inputs, wanted, observation };
      if (pending.includes(fieldPath)) return sent(facts);
      // A response cannot show drift of a value that no response has ever shown.
      if (unseen.includes(fieldPath.name)) return undefined;
      if (wanted !== undefined) return declared(facts);
      return isKeptUndeclared(fieldPath) ? undeclared(facts) : undefined;
    });
    // The value of an earlier response is outdated, unless the response itself says what became of
    // the request.
    for (const { path, observedPath, field } of outdated) {
      if (observedPath && !field.secret && !field.list?.fromApi)
        next = withValue(next, observedPath, valueAt(next, path));
    }
    return withUnseen({ ...next, ...readOutputs(definition, response) }, unseen);
  };
}

/** The declared arguments that were sent at any time and not shown by a response since. */
function unseenAfter(
  { fields }: Definition,
  state: Properties,
  inputs: Properties,
  response: Properties,
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

/** An absent list is empty, except a list sent as a whole, which the API may not show. */
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
 * `stateAfterUpdate` for unreadable objects. Only this response can show drift in other arguments
 * and entries.
 */
export const stateAfterUnreadableUpdate = stateAfter(SOURCES.unreadableUpdate);

/** The state after the read that follows an uncertain request. */
export const stateAfterReread = stateAfter(SOURCES.reread);

/** The state after a read, in the program's spelling and order if equivalent. */
export function stateAfterRead(
  definition: Definition,
  state: Properties,
  inputs: Properties,
  response: Properties,
): Properties {
  let known = state;
  // A read is complete, so missing outputs are removed, except create-only ones.
  for (const [name, { fromCreation, apiName = name }] of Object.entries(definition.outputs)) {
    const isInvalid = typeof valueAt(response, [apiName]) === "symbol";
    if (!fromCreation && !isInvalid) known = withValue(known, [name], undefined);
  }
  return stateAfter(SOURCES.read)(definition, "", known, inputs, response);
}

/** The state after a creation. */
export function stateAfterCreate(
  definition: Definition,
  operation: string,
  inputs: Properties,
  response: Properties,
): Properties {
  let next = stateAfter(SOURCES.create)(definition, operation, {}, inputs, response);
  for (const name of namesFromCreation(definition.outputs))
    next = withValue(next, [name], valueAt(response, [name]));
  return recordDeclared(definition, next, inputs);
}

/**
 * The state before any request. Arguments that need no request have their declared values, such as
 * other spellings and create-only values.
 */
export function recordDeclared(
  definition: Definition,
  state: Properties,
  inputs: Properties,
): Properties {
  const declared = fieldPathsOf(definition.fields)
    .filter(({ path }) => valueAt(inputs, path) !== undefined)
    .map(({ name }) => name)
    .sort();
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

/**
 * The names that the program marks, and undeclared arguments whose marked values are still in the
 * state.
 */
function markedNames(definition: Definition, state: Properties, inputs: Properties): unknown {
  const former = markedFields(definition, state).filter(
    (fieldPath) => isKeptUndeclared(fieldPath) && valueAt(inputs, fieldPath.path) === undefined,
  );
  if (former.length === 0) return inputs[SECRETS];
  return [...namesIn(inputs, SECRETS), ...former.map(({ name }) => name)];
}

/**
 * A response's value, in the program's spelling and order if equivalent. An absent list is empty.
 */
function inProgramForm({ fieldPath, wanted, observation }: Facts): Observation | undefined {
  const { list } = fieldPath.field;
  if (observation === undefined) return undefined;
  if (list)
    return { value: alignWithDeclared(list, entriesOf(wanted), entriesOf(observation.value)) };
  return isSame(fieldPath, observation.value, wanted) ? { value: wanted } : observation;
}

/** The given entries that the response shows; undefined if no list is shown. */
function shownEntries(entries: unknown, { fieldPath, observation }: Facts): unknown[] | undefined {
  const { list } = fieldPath.field;
  return list && observation && within(list, entriesOf(entries), entriesOf(observation.value));
}

/**
 * A list after a change: declared entries that the response shows, and removed entries that it
 * still shows. Entries from other owners wait for the next refresh.
 */
function reconcileList({
  fieldPath,
  state,
  inputs,
  wanted,
  observation,
}: Facts): unknown[] | undefined {
  const rules = fieldPath.field.list;
  if (rules?.send !== "addRemove" || observation === undefined) return undefined;
  const [before, after] = [entriesOf(knownValue(state, fieldPath, wanted)), entriesOf(wanted)];
  const now = entriesOf(observation.value);
  const returning = without(rules, entriesToReturn(fieldPath, state, inputs), now);
  const missing = [...without(rules, without(rules, after, now), before), ...returning];
  // A changed description means that another owner changed the entry.
  const lingering = within(rules, without(rules, now, after), before);
  return [...without(rules, after, missing), ...lingering];
}

/**
 * True if outputs keep this argument while undeclared. Excludes foreign entries, group members with
 * their own output, and values that no response updates.
 */
function isKeptUndeclared({ field, path }: FieldPath): boolean {
  const staysTrue = field.inResponse !== undefined || field.onChange !== "update";
  return staysTrue && field.list?.unmanaged !== "keep" && path.length === 1;
}

/**
 * Drops values that a request with an unknown outcome may have changed, unless a read that follows
 * can confirm them. Lists keep all possible entries, to remove undeclared ones.
 */
export function withoutUncertain(
  { fields }: Definition,
  state: Properties,
  inputs: Properties,
  isReadable: boolean,
): Properties {
  const uncertain = namesIn(state, UNCERTAIN);
  return withFieldValues(fields, withValue(state, [UNCERTAIN], undefined), (fieldPath) => {
    const { name, path, field } = fieldPath;
    const isConfirmed =
      isReadable && isObservable(fieldPath) && !namesIn(state, UNSEEN).includes(name);
    if (field.onChange !== "update" || !uncertain.includes(name) || isConfirmed) return undefined;
    return {
      value: field.list && without(field.list, entriesAt(state, path), entriesAt(inputs, path)),
    };
  });
}

/**
 * Adds entries of a request with an unknown outcome to the lists, because they may be on the
 * server.
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
