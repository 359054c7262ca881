import type { Client } from "../../api/client";
import { type ObjectOperation, objectOperation } from "../../api/endpoints";
import { asUncertain } from "../../api/errors";
import type { PathParameters } from "../../api/send";
import {
  buildUpdateBody,
  contradictions,
  editedLists,
  entriesAt,
  type FieldPath,
  knownValue,
  observe,
  type Properties,
  pendingFields,
  stateAfterReread,
  stateAfterUnreadableUpdate,
  stateAfterUpdate,
  withKeysOf,
  without,
} from "../../fields";
import { reveal } from "../session/secret-values";
import { hideEntries } from "./read-object";
import type { DeclaredTarget } from "./resource";

/** An object, with the client and the ids in the paths of its requests. */
export interface Connection extends DeclaredTarget {
  readonly client: Client;
  readonly parameters: PathParameters;
  readonly onResponse: (response: Properties) => void;
}

/**
 * Sends one update. Changes of an object's lists take turns, and the response is kept: a later read
 * may be older.
 */
export function sendUpdate(
  connection: Connection,
  name: ObjectOperation,
  state: Properties,
  isUrgent: boolean,
): Promise<Properties> {
  const { context, resource, id, inputs } = connection;
  const edits = pendingFields(resource, name, state, inputs).some(
    ({ field }) => field.list?.send === "addRemove",
  );
  if (!edits) return send(connection, name, state, { isUrgent, idempotency: "set" });
  return context.turns.inTurn(id, async () => {
    let last: Properties = {};
    const onResponse = (response: Properties) => {
      last = response;
      connection.onResponse(response);
    };
    context.turns.keepResponse(id, undefined);
    const next = await send({ ...connection, onResponse }, name, state, {
      isUrgent,
      idempotency: "list",
    });
    const isComplete = editedLists(resource).every(({ fieldPath }) =>
      Array.isArray(observe(fieldPath, last)?.value),
    );
    if (isComplete) context.turns.keepResponse(id, last);
    return next;
  });
}

/**
 * Leaves out entries that a request adds again: the read may be older than their removal by this
 * command.
 */
function withoutReturning(
  target: DeclaredTarget,
  state: Properties,
  response: Properties,
): Properties {
  return hideEntries(target, response, ({ wasRemoved }, entry, { fieldPath: { path }, rules }) => {
    const added = without(rules, entriesAt(target.inputs, path), entriesAt(state, path));
    return wasRemoved === true && withKeysOf(rules, added, [entry]).length > 0;
  });
}

/**
 * Sends a request. If an attempt may have succeeded, the object is read before the rest is sent
 * again.
 */
async function send(
  connection: Connection,
  name: ObjectOperation,
  state: Properties,
  { isUrgent, idempotency }: { readonly isUrgent: boolean; readonly idempotency: "list" | "set" },
): Promise<Properties> {
  const { client, parameters, resource, context, inputs, onResponse } = connection;
  const operation = objectOperation(name);
  const body = reveal(context, buildUpdateBody(resource, name, state, inputs) as Properties);
  const options = { body, isUrgent, idempotency };
  if (resource.read === undefined) {
    const response = await client.call(operation, parameters, options);
    onResponse(response);
    return stateAfterUnreadableUpdate(resource, name, state, inputs, response);
  }
  const read = objectOperation(resource.read);
  const readNow = () => client.call(read, parameters, { isUrgent: true });
  let known = state;
  const readFirst = async () => {
    const response = withoutReturning(connection, state, await readNow());
    onResponse(response);
    known = stateAfterReread(resource, name, known, inputs, response);
    return reveal(context, buildUpdateBody(resource, name, known, inputs));
  };
  const response = await client.callUnlessDone(operation, parameters, { ...options, readFirst });
  if (response === undefined) return known;
  onResponse(response);
  const next = stateAfterUpdate(resource, name, known, inputs, response);
  if (!isBehind(connection, name, { known, next, response })) return next;
  const latest = await readNow().catch((error: unknown) => {
    throw asUncertain(error);
  });
  onResponse(latest);
  return stateAfterUpdate(resource, name, known, inputs, latest);
}

/**
 * True for a response that may not show the update yet: a server may apply it a little later than
 * it responds.
 */
function isBehind(
  { resource, inputs }: DeclaredTarget,
  name: ObjectOperation,
  { known, next, response }: Readonly<Record<"known" | "next" | "response", Properties>>,
): boolean {
  const isOld = (fieldPath: FieldPath) =>
    observe(fieldPath, response)?.value === knownValue(known, fieldPath, undefined);
  const sent = pendingFields(resource, name, known, inputs);
  return (
    contradictions(resource, next, inputs, response).some(isOld) ||
    sent.some((fieldPath) => isOmitted(fieldPath, inputs, response))
  );
}

/**
 * True for a list that a request has changed and its response lacks: it may be empty, or omitted.
 */
function isOmitted(fieldPath: FieldPath, inputs: Properties, response: Properties): boolean {
  const { field, path } = fieldPath;
  if (field.list?.send !== "addRemove" || entriesAt(inputs, path).length === 0) return false;
  const found = observe(fieldPath, response);
  return found !== undefined && found.value === undefined;
}
