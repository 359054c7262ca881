import { isDeepStrictEqual } from "node:util";
import type { Client } from "../api/client";
import { type ObjectOperation, objectOperation } from "../api/endpoints";
import { ApiError } from "../api/errors";
import type { PathParameters } from "../api/send";
import { coded } from "../errors";
import {
  assumeListsAccepted,
  buildUpdateBody,
  contradictions,
  editedLists,
  entriesAt,
  entriesOf,
  type FieldPath,
  foreignEntries,
  forgetUncertain,
  knownValue,
  newLists,
  observe,
  type Properties,
  pendingFields,
  recordDeclared,
  stateAfterReread,
  stateAfterUnreadableUpdate,
  stateAfterUpdate,
  valueAt,
  withFieldValues,
  withKeysOf,
  without,
  withValue,
} from "../fields";
import { SECRETS } from "../names";
import { pathParameters } from "./ids";
import {
  describeObject,
  hideEntries,
  isNamedIn,
  look,
  readState,
  UNCERTAIN,
  type Verb,
  warnOfInvalidFields,
} from "./reads";
import type { Stored, Target } from "./resource";
import {
  contradictionError,
  describeChange,
  describeDifference,
  describeEntries,
  describeFailure,
  describeForeignEntries,
  PartialFailure,
  UserError,
} from "./user-error";

/** Brings the object of a state to the declared arguments. With nothing done, the stack keeps its state. */
export async function updateObject(target: Target, state: Properties): Promise<Stored> {
  const { resource, context, inputs, id } = target;
  const isOutdated =
    state[UNCERTAIN] || newLists(resource, state, inputs).length > 0 || context.owners.hasLost(resource, inputs, id);
  const seen = isOutdated && resource.read ? await context.turns.inTurn(id, () => look(target)) : undefined;
  const current = await withoutUncertain(target, state, seen);
  const contradiction = resource.findContradiction?.(current, inputs);
  if (contradiction !== undefined) throw contradictionError(`Updating ${describeObject(target)}`, contradiction);
  const start = recordDeclared(resource, current, inputs);
  try {
    return { id, state: await applyUpdates({ ...target, ...(seen && { seen }) }, "Updating", start) };
  } catch (error) {
    // With nothing done, the stack keeps its state.
    if (error instanceof PartialFailure && isDeepStrictEqual(error.state, start)) throw new UserError(error.coded);
    throw error;
  }
}

/**
 * The state without uncertain values, and with its lists as a response shows them. Entries that the state lacks were not
 * part of the preview: they stay, and wait for a refresh.
 */
async function withoutUncertain(target: Target, state: Properties, seen?: Properties): Promise<Properties> {
  const { resource, inputs } = target;
  const { [UNCERTAIN]: uncertain, ...stored } = state;
  const isUncertain = isNamedIn(uncertain);
  if (seen === undefined) return forgetUncertain(resource, stored, inputs, isUncertain, false);
  let known = uncertain === undefined ? state : await readState(target, state, seen);
  for (const { fieldPath, rules } of editedLists(resource)) {
    const { name, path } = fieldPath;
    const [declared, observed] = [valueAt(inputs, path), observe(fieldPath, seen)];
    if (!declared || !observed || isUncertain(name)) continue;
    const expected = [...entriesOf(knownValue(state, fieldPath, declared)), ...entriesOf(declared)];
    known = withValue(known, path, withKeysOf(rules, entriesOf(observed.value), expected));
  }
  return known;
}

/** One request for the differences, and one more for list entries that the server took in another order. */
const MAX_ROUNDS = 2;

/** One update, with its client and the ids in its paths. */
interface Updates extends Target {
  readonly client: Client;
  readonly parameters: PathParameters;
  readonly onResponse: (response: Properties) => void;
}

/**
 * Sends one request per operation that has something to change, and nothing else, then finishes. Returns the new state;
 * a `PartialFailure` holds the state that was reached, and its message what is left.
 */
export async function applyUpdates(target: Target, verb: Verb, start: Properties): Promise<Properties> {
  const { resource, context, id, inputs } = target;
  const latest = { ...target.seen };
  const updates: Updates = {
    ...target,
    client: context.client(),
    parameters: pathParameters(resource, id, inputs),
    onResponse: (response) => {
      Object.assign(latest, response);
      warnOfInvalidFields(target, response);
    },
  };
  let state = start;
  let sending: readonly ObjectOperation[] = [];
  try {
    for (const name of resource.updates) {
      sending = [name];
      for (let round = 0; buildUpdateBody(resource, name, state, inputs) !== undefined; round += 1) {
        if (round === MAX_ROUNDS) throw notApplied(namesOf(pending(state, [name])));
        // A creation is not stored yet, nor is an earlier request of this update.
        state = await sendUpdate(updates, name, state, verb === "Creating" || state !== start);
      }
    }
    state = settleShown(target, verb, state, latest);
    state = (await resource.finish?.(target, state, (current) => readState(target, current))) ?? state;
    return state;
  } catch (error) {
    state = settleShown(target, verb, state, latest);
    const isUncertain = error instanceof ApiError && error.mayHaveSucceeded;
    const sentence = (label: string, fields: readonly FieldPath[]) =>
      fields.length > 0 ? `${label}: ${namesOf(fields).join(", ")}.` : "";
    const text = describeFailure(
      `${verb} ${describeObject(target)}`,
      error,
      sentence("Done", done()),
      sentence(isUncertain ? "Not confirmed" : "Not done", pending(state)),
    );
    const known = resource.read === undefined ? assumeListsAccepted(resource, state, inputs) : state;
    const reached = isUncertain ? { ...known, [UNCERTAIN]: namesOf(pending(state, sending)) } : state;
    throw new PartialFailure(id, reached, text, { cause: error });
  } finally {
    warnOfForeignEntries(target, start, latest);
    if (verb === "Adopting") reportAdoption(target, start, done());
  }

  function pending(from: Properties, names: readonly ObjectOperation[] = resource.updates): FieldPath[] {
    return names.flatMap((name) => pendingFields(resource, name, from, inputs));
  }
  function done(): FieldPath[] {
    const left = pending(state);
    return pending(start).filter((fieldPath) => !left.includes(fieldPath));
  }
}

/** Sends one update. Changes of an object's lists take turns, and the response is kept: a later read may be older. */
function sendUpdate(
  updates: Updates,
  name: ObjectOperation,
  start: Properties,
  isUrgent: boolean,
): Promise<Properties> {
  const { context, resource, id, inputs } = updates;
  const edits = pendingFields(resource, name, start, inputs).some(({ field }) => field.list?.send === "addRemove");
  if (!edits) return send(updates, name, start, { isUrgent, idempotency: "set" });
  return context.turns.inTurn(id, async () => {
    let last: Properties = {};
    const onResponse = (response: Properties) => {
      last = response;
      updates.onResponse(response);
    };
    context.turns.keepResponse(id, undefined);
    const state = await send({ ...updates, onResponse }, name, start, { isUrgent, idempotency: "list" });
    const isComplete = editedLists(resource).every(({ fieldPath }) => Array.isArray(observe(fieldPath, last)?.value));
    if (isComplete) context.turns.keepResponse(id, last);
    return state;
  });
}

/** A read without entries that a request adds again: it may be older than their removal by this command. */
function withoutReturning(target: Target, start: Properties, response: Properties): Properties {
  return hideEntries(target, response, ({ wasRemoved }, entry, { fieldPath: { path }, rules }) => {
    const added = without(rules, entriesAt(target.inputs, path), entriesAt(start, path));
    return wasRemoved === true && withKeysOf(rules, added, [entry]).length > 0;
  });
}

/** Sends a request. If an attempt may have succeeded, the object is read before the rest is sent again. */
async function send(
  updates: Updates,
  name: ObjectOperation,
  start: Properties,
  { isUrgent, idempotency }: { readonly isUrgent: boolean; readonly idempotency: "list" | "set" },
): Promise<Properties> {
  const { client, parameters, resource, inputs, onResponse } = updates;
  const { read } = resource;
  const options = { body: buildUpdateBody(resource, name, start, inputs) as Properties, isUrgent, idempotency };
  if (read === undefined) {
    const result = await client.call(objectOperation(name), parameters, options);
    onResponse(result);
    return stateAfterUnreadableUpdate(resource, name, start, inputs, result);
  }
  let state = start;
  const readNow = () => client.call(objectOperation(read), parameters, { isUrgent: true });
  const readFirst = async () => {
    const current = withoutReturning(updates, start, await readNow());
    onResponse(current);
    state = stateAfterReread(resource, name, state, inputs, current);
    return buildUpdateBody(resource, name, state, inputs);
  };
  const result = await client.callUnlessDone(objectOperation(name), parameters, { ...options, readFirst });
  if (result === undefined) return state;
  onResponse(result);
  const updated = stateAfterUpdate(resource, name, state, inputs, result);
  const isBehind = contradictions(resource, updated, inputs, result).some(
    (fieldPath) => observe(fieldPath, result)?.value === knownValue(state, fieldPath, undefined),
  );
  const sent = pendingFields(resource, name, state, inputs);
  // A server may apply an update a little later than it responds.
  if (!isBehind && !sent.some((fieldPath) => isOmitted(fieldPath, inputs, result))) return updated;
  const latest = await readNow().catch((error: ApiError) => {
    throw Object.assign(error, { mayHaveSucceeded: true });
  });
  onResponse(latest);
  return stateAfterUpdate(resource, name, state, inputs, latest);
}

/** True for a list that a request has changed and its response lacks: it may be empty, or omitted. */
function isOmitted(fieldPath: FieldPath, inputs: Properties, response: Properties): boolean {
  const { field, path } = fieldPath;
  if (field.list?.send !== "addRemove" || entriesAt(inputs, path).length === 0) return false;
  const observed = observe(fieldPath, response);
  return observed !== undefined && observed.value === undefined;
}

/** Believes a response that contradicts the declared values, and says so. */
function settleShown(target: Target, verb: Verb, state: Properties, response: Properties): Properties {
  const { resource, context, inputs } = target;
  const shown = contradictions(resource, state, inputs, response);
  const updatable = shown.filter(({ field }) => field.onChange === "update");
  // A difference that no update can change is news once, and would make another object if it were stored.
  const news = verb === "Creating" ? shown : updatable;
  if (news.length > 0) {
    const differences = news.map((fieldPath) => describeDifference(fieldPath, response, inputs)).join("; ");
    const fact = `The API's response for ${describeObject(target)} contradicts the program: ${differences}.`;
    context.warn(coded("CDB5015", `${fact} The next preview shows what an update can change.`));
  }
  return withFieldValues(resource.fields, state, (fieldPath) =>
    updatable.includes(fieldPath) ? observe(fieldPath, response) : undefined,
  );
}

/** Says what an adoption has changed: a preview, which reads nothing, could not. */
function reportAdoption(target: Target, start: Properties, changed: readonly FieldPath[]): void {
  const changes = changed.map((fieldPath) => describeChange(fieldPath, start, target.inputs)).join("; ");
  if (changes === "") return;
  target.context.log(coded("CDB5009", `Adopting ${describeObject(target)} changed ${changes}.`));
}

/** Warns once per update, whatever the number of its responses. */
function warnOfForeignEntries(target: Target, start: Properties, response: Properties): void {
  const { resource, context, inputs } = target;
  const isSecret = isNamedIn(inputs[SECRETS]);
  for (const { name, keys } of foreignEntries(resource, start, inputs, response)) {
    context.log(describeForeignEntries(describeObject(target), name, describeEntries(keys, isSecret(name))));
  }
}

const namesOf = (fields: readonly FieldPath[]) => fields.map(({ name }) => name);

function notApplied(names: readonly string[]): UserError {
  const problem = `the API accepted the update of ${names.join(", ")} twice, but its response still does not show it`;
  return new UserError(coded("CDB4005", `${problem}; run \`pulumi refresh\` to see the current values`));
}
