import type { CallOptions, Client } from "../../api/client";
import { type ObjectOperation, objectOperation, type PathParameters } from "../../api/endpoints";
import { ApiError, asUncertain } from "../../api/errors";
import type { Message } from "../../errors";
import {
  buildUpdateBody,
  contradictions,
  editedLists,
  entriesAt,
  entriesToReturn,
  type FieldPath,
  knownValue,
  observe,
  type Properties,
  pendingFields,
  stateAfterReread,
  stateAfterUnreadableUpdate,
  stateAfterUpdate,
} from "../../fields";
import { reveal } from "../session/secret-values";
import { pathParameters } from "./ids";
import { namesOf, notApplied } from "./messages";
import { warnOfInvalidFields } from "./read-object";
import type { DeclaredTarget, Resource } from "./resource";
import { describeFailure } from "./user-error";

/** An operation and the object's intended values. */
export interface Change {
  readonly operation: ObjectOperation;
  readonly wanted: Properties;
}

/** An object with a client and the ids in its request paths. */
export interface Connection extends DeclaredTarget {
  readonly client: Client;
  readonly parameters: PathParameters;
  readonly onResponse: (response: Properties) => void;
}

export function connect(
  target: DeclaredTarget,
  onResponse: (response: Properties) => void = () => {},
): Connection {
  const { resource, context, id, inputs } = target;
  const client = context.client();
  return { ...target, client, parameters: pathParameters(resource, id, inputs), onResponse };
}

/**
 * One request for all differences, one to add removed entries again, and one to correct a list if
 * the server applied the change in another order.
 */
const MAX_ROUNDS = { inOneStep: 2, inTwoSteps: 3 };

/**
 * Sends requests until the response has no differences, and passes on the state after each request.
 * Stores the response to a list change, since a later read may be stale.
 */
export async function sendChange(
  connection: Connection,
  change: Change,
  state: Properties,
  isUrgent: boolean,
  onNext: (next: Properties) => void,
): Promise<void> {
  const { resource, context, id } = connection;
  const { operation, wanted } = change;
  const pendingFrom = (known: Properties) => pendingFields(resource, operation, known, wanted);
  let [known, pending] = [state, pendingFrom(state)];
  const returns = pending.some((fieldPath) => entriesToReturn(fieldPath, state, wanted).length > 0);
  const maxRounds = MAX_ROUNDS[returns ? "inTwoSteps" : "inOneStep"];
  for (let round = 0; pending.length > 0; round += 1) {
    if (round === maxRounds) throw notApplied(namesOf(pending));
    const editsLists = pending.some(isEditedList);
    if (editsLists) context.ledger.hold(id, undefined);
    const { next, response } = await send(connection, change, known, {
      // An earlier request of this change is not stored yet.
      isUrgent: isUrgent || round > 0,
      idempotency: editsLists ? "list" : "set",
    });
    if (editsLists && showsLists(resource, response)) context.ledger.hold(id, response);
    known = next;
    onNext(known);
    pending = pendingFrom(known);
  }
}

function showsLists(resource: Resource, response: Properties): boolean {
  return editedLists(resource).every(({ fieldPath }) =>
    Array.isArray(observe(fieldPath, response)?.value),
  );
}

/** The state after a request, and the response that shows it. */
interface Reached {
  readonly next: Properties;
  readonly response: Properties;
}

/**
 * Sends a request. If an earlier attempt may have succeeded, reads the object before it sends the
 * remaining changes.
 */
async function send(
  connection: Connection,
  sent: Change,
  state: Properties,
  limits: Required<Pick<CallOptions, "isUrgent" | "idempotency">>,
): Promise<Reached> {
  const { client, parameters, resource, context, id } = connection;
  const { operation: name, wanted } = sent;
  const operation = objectOperation(name);
  const bodyFrom = (known: Properties) =>
    reveal(context, buildUpdateBody(resource, name, known, wanted));
  const options = { ...limits, body: bodyFrom(state) as Properties };
  const reach = (stateAfter: typeof stateAfterUpdate, known: Properties, response: Properties) => {
    connection.onResponse(response);
    warnOfInvalidFields(connection, response, connection.inputs);
    return { next: stateAfter(resource, name, known, wanted, response), response };
  };
  if (resource.read === undefined) {
    const response = await client.call(operation, parameters, options);
    return reach(stateAfterUnreadableUpdate, state, response);
  }
  const read = objectOperation(resource.read);
  const readNow = () => client.call(read, parameters, { isUrgent: true });
  let before: Reached = { next: state, response: {} };
  const readFirst = async () => {
    const change = { before: state, after: wanted };
    const response = context.ledger.withoutRemoved(id, resource, await readNow(), change);
    before = reach(stateAfterReread, before.next, response);
    return bodyFrom(before.next);
  };
  const response = await client.callUnlessDone(operation, parameters, { ...options, readFirst });
  if (response === undefined) return before;
  const after = reach(stateAfterUpdate, before.next, response);
  if (!isBehind(resource, sent, before.next, after)) return after;
  const latest = await readNow().catch((error: unknown) => {
    throw asUncertain(error);
  });
  return reach(stateAfterUpdate, before.next, latest);
}

/** True if a response may not show the update yet, because the server applies it later. */
function isBehind(
  resource: Resource,
  { operation, wanted }: Change,
  known: Properties,
  { next, response }: Reached,
): boolean {
  const isOld = (fieldPath: FieldPath) =>
    observe(fieldPath, response)?.value === knownValue(known, fieldPath, undefined);
  const sent = pendingFields(resource, operation, known, wanted);
  return (
    contradictions(resource, next, wanted, response).some(isOld) ||
    sent.some((fieldPath) => isOmitted(fieldPath, wanted, response))
  );
}

/** True for a changed list that the response lacks: it may be empty or omitted. */
function isOmitted(fieldPath: FieldPath, wanted: Properties, response: Properties): boolean {
  if (!isEditedList(fieldPath) || entriesAt(wanted, fieldPath.path).length === 0) return false;
  const found = observe(fieldPath, response);
  return found !== undefined && found.value === undefined;
}

export const isEditedList = ({ field }: FieldPath) => field.list?.send === "addRemove";

/** True for a request that may have succeeded although it failed. */
export function isUncertain(error: unknown): boolean {
  return error instanceof ApiError && error.mayHaveSucceeded;
}

/** The finished and the remaining changes of arguments. */
interface Progress {
  readonly done: readonly FieldPath[];
  readonly left: readonly FieldPath[];
}

/** The progress of updates from one state to another. `wanted` are the declared arguments. */
export function progressOf(
  resource: Resource,
  before: Properties,
  reached: Properties,
  wanted: Properties,
): Progress {
  const pendingFrom = (state: Properties) =>
    resource.updates.flatMap((operation) => pendingFields(resource, operation, state, wanted));
  const left = pendingFrom(reached);
  return { left, done: pendingFrom(before).filter((fieldPath) => !left.includes(fieldPath)) };
}

/** The error about an unfinished change. */
export function describeUnfinished(
  operation: string,
  error: unknown,
  { done, left }: Progress,
  ids?: readonly string[],
): Message {
  const sentence = (label: string, fields: readonly FieldPath[]) =>
    fields.length > 0 ? `${label}: ${namesOf(fields).join(", ")}.` : "";
  const leftAs = isUncertain(error) ? "Not confirmed" : "Not done";
  const sentences = [sentence("Done", done), sentence(leftAs, left)];
  return describeFailure(operation, error, sentences, ids);
}
