import { isDeepStrictEqual } from "node:util";
import type { Client } from "../api/client";
import { ApiError } from "../api/errors";
import type { Operation } from "../api/operations";
import type { PathParameters } from "../api/send";
import { coded } from "../errors";
import {
  assumeListsAccepted,
  buildUpdateBody,
  editsLists,
  type FieldPath,
  fieldPathsOf,
  foreignEntries,
  forgetUncertain,
  omitsChangedList,
  type Properties,
  pendingFields,
  recordDeclared,
  showsLists,
  stateAfterReread,
  stateAfterUnreadableUpdate,
  stateAfterUpdate,
  valueAt,
  wasDeclared,
} from "../fields";
import { SECRETS } from "../names";
import { pathParameters } from "./ids";
import { describeObject, isNamedIn, look, readState, UNCERTAIN, type Verb, warnOfInvalidFields } from "./reads";
import type { Resource, Stored, Target } from "./resource";
import { contradictionError, describeFailure, describeForeignEntries, PartialFailure, UserError } from "./user-error";

/** Brings the object of a state to the declared arguments. With nothing done, the stack keeps its state. */
export async function updateObject(target: Target, state: Properties): Promise<Stored> {
  const { resource, context, inputs, id } = target;
  const isOutdated =
    state[UNCERTAIN] || declaresAnotherList(resource, state, inputs) || context.owners.hasLost(resource, inputs, id);
  const current = isOutdated ? await context.turns.inTurn(id, () => resolveUncertainty(target, state)) : state;
  const contradiction = resource.findContradiction?.(current, inputs);
  if (contradiction !== undefined) throw contradictionError(`Updating ${describeObject(target)}`, contradiction);
  const start = recordDeclared(resource, current, inputs);
  try {
    return { id, state: await applyUpdates(target, "Updating", start) };
  } catch (error) {
    // With nothing done, the stack keeps its state.
    if (error instanceof PartialFailure && isDeepStrictEqual(error.state, start)) throw new UserError(error.coded);
    throw error;
  }
}

/** True for a list that the stack begins to manage: others may have changed it since the stored response. */
function declaresAnotherList(resource: Resource, state: Properties, inputs: Properties): boolean {
  const isNew = (fieldPath: FieldPath) =>
    fieldPath.field.list?.send === "addRemove" &&
    valueAt(inputs, fieldPath.path) !== undefined &&
    !wasDeclared(state, fieldPath);
  return resource.read !== undefined && fieldPathsOf(resource.fields).some(isNew);
}

/** The state without uncertain values: as a read shows it or, if the API cannot read the object, without them. */
async function resolveUncertainty(target: Target, state: Properties): Promise<Properties> {
  const { resource, inputs } = target;
  if (resource.read !== undefined) return readState(target, state, look);
  const { [UNCERTAIN]: uncertain, ...stored } = state;
  return forgetUncertain(resource, stored, inputs, isNamedIn(uncertain), false);
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
  const latest: Properties = {};
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
  let sending = "";
  try {
    for (const name of Object.keys(resource.updates)) {
      sending = name;
      for (let round = 0; buildUpdateBody(resource, name, state, inputs) !== undefined; round += 1) {
        if (round === MAX_ROUNDS) throw notApplied(pending(state, [name]));
        // A creation is not stored yet, nor is an earlier request of this update.
        state = await sendInTurn(updates, name, state, verb === "Creating" || state !== start);
      }
    }
    state = (await resource.finish?.(target, state, (current) => readState(target, current))) ?? state;
    return state;
  } catch (error) {
    const isUncertain = error instanceof ApiError && error.mayHaveSucceeded;
    const left = pending(state);
    const done = pending(start).filter((name) => !left.includes(name));
    const text = describeFailure(
      `${verb} ${describeObject(target)}`,
      error,
      done.length > 0 ? `Done: ${done.join(", ")}.` : "",
      left.length > 0 ? `${isUncertain ? "Not confirmed" : "Not done"}: ${left.join(", ")}.` : "",
    );
    const known = resource.read === undefined ? assumeListsAccepted(resource, state, inputs) : state;
    const reached = isUncertain ? { ...known, [UNCERTAIN]: pending(state, [sending]) } : state;
    throw new PartialFailure(id, reached, text, { cause: error });
  } finally {
    warnOfForeignEntries(target, state, latest);
  }

  function pending(from: Properties, names = Object.keys(resource.updates)): string[] {
    return names.flatMap((name) => pendingFields(resource, name, from, inputs).map((field) => field.name));
  }
}

/** Changes of an object's lists take turns. The response to each is kept: a read that follows may be older. */
function sendInTurn(updates: Updates, name: string, start: Properties, isUrgent: boolean): Promise<Properties> {
  const { context, resource, id, inputs } = updates;
  if (!editsLists(resource, name, start, inputs)) return sendUpdate(updates, name, start, isUrgent);
  return context.turns.inTurn(id, async () => {
    let last: Properties = {};
    const onResponse = (response: Properties) => {
      last = response;
      updates.onResponse(response);
    };
    context.turns.keepResponse(id, undefined);
    const state = await sendUpdate({ ...updates, onResponse }, name, start, isUrgent);
    if (showsLists(resource, last)) context.turns.keepResponse(id, last);
    return state;
  });
}

/** Sends one update. If an attempt may have succeeded, the object is read before the rest is sent again. */
async function sendUpdate(
  { client, parameters, resource, inputs, onResponse }: Updates,
  name: string,
  start: Properties,
  isUrgent: boolean,
): Promise<Properties> {
  const { read } = resource;
  const operation = resource.updates[name] as Operation<Properties>;
  const body = buildUpdateBody(resource, name, start, inputs) as Properties;
  const options = { body, isUrgent, idempotency: editsLists(resource, name, start, inputs) ? "list" : "set" } as const;
  if (read === undefined) {
    const result = await client.call(operation, parameters, options);
    onResponse(result);
    return stateAfterUnreadableUpdate(resource, name, start, inputs, result);
  }
  let state = start;
  const readNow = () => client.call(read, parameters, { isUrgent: true });
  const readFirst = async () => {
    const current = await readNow();
    onResponse(current);
    state = stateAfterReread(resource, name, state, inputs, current);
    return buildUpdateBody(resource, name, state, inputs);
  };
  const result = await client.callUnlessDone(operation, parameters, { ...options, readFirst });
  if (result === undefined) return state;
  onResponse(result);
  if (!omitsChangedList(resource, name, state, inputs, result))
    return stateAfterUpdate(resource, name, state, inputs, result);
  const latest = await readNow().catch((error: ApiError) => {
    throw Object.assign(error, { mayHaveSucceeded: true });
  });
  onResponse(latest);
  return stateAfterUpdate(resource, name, state, inputs, latest);
}

/** Warns once per update, whatever the number of its responses. */
function warnOfForeignEntries(target: Target, state: Properties, response: Properties): void {
  const { resource, context, inputs } = target;
  const isSecret = isNamedIn(inputs[SECRETS]);
  for (const { name, keys } of foreignEntries(resource, state, inputs, response)) {
    context.log(describeForeignEntries(describeObject(target), name, keys, isSecret(name)));
  }
}

function notApplied(names: readonly string[]): UserError {
  const problem = `the API accepted the update of ${names.join(", ")} twice, but its response still does not show it`;
  return new UserError(coded("CDB4005", `${problem}; run \`pulumi refresh\` to see the current values`));
}
