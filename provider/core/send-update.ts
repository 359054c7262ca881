import type { Client } from "../api/client";
import { type ObjectOperation, objectOperation } from "../api/endpoints";
import { asUncertain } from "../api/errors";
import type { PathParameters } from "../api/send";
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
} from "../fields";
import { hideEntries } from "./reads";
import type { DeclaredTarget } from "./resource";
import { reveal } from "./secret-values";

/** An object, with the client and the ids in the paths of its requests. */
export interface Connection extends DeclaredTarget {
  readonly client: Client;
  readonly parameters: PathParameters;
  readonly onResponse: (observed: Properties) => void;
}

/** Sends one update. Changes of an object's lists take turns, and the response is kept: a later read may be older. */
export function sendUpdate(
  connection: Connection,
  name: ObjectOperation,
  stored: Properties,
  isUrgent: boolean,
): Promise<Properties> {
  const { context, resource, id, declared } = connection;
  const edits = pendingFields(resource, name, stored, declared).some(
    ({ field }) => field.list?.send === "addRemove",
  );
  if (!edits) return send(connection, name, stored, { isUrgent, idempotency: "set" });
  return context.turns.inTurn(id, async () => {
    let last: Properties = {};
    const onResponse = (observed: Properties) => {
      last = observed;
      connection.onResponse(observed);
    };
    context.turns.keepResponse(id, undefined);
    const next = await send({ ...connection, onResponse }, name, stored, {
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

/** Leaves out entries that a request adds again: the read may be older than their removal by this command. */
function withoutReturning(
  target: DeclaredTarget,
  stored: Properties,
  observed: Properties,
): Properties {
  return hideEntries(target, observed, ({ wasRemoved }, entry, { fieldPath: { path }, rules }) => {
    const added = without(rules, entriesAt(target.declared, path), entriesAt(stored, path));
    return wasRemoved === true && withKeysOf(rules, added, [entry]).length > 0;
  });
}

/** Sends a request. If an attempt may have succeeded, the object is read before the rest is sent again. */
async function send(
  connection: Connection,
  name: ObjectOperation,
  stored: Properties,
  { isUrgent, idempotency }: { readonly isUrgent: boolean; readonly idempotency: "list" | "set" },
): Promise<Properties> {
  const { client, parameters, resource, context, declared, onResponse } = connection;
  const operation = objectOperation(name);
  const body = reveal(context, buildUpdateBody(resource, name, stored, declared) as Properties);
  const options = { body, isUrgent, idempotency };
  if (resource.read === undefined) {
    const observed = await client.call(operation, parameters, options);
    onResponse(observed);
    return stateAfterUnreadableUpdate(resource, name, stored, declared, observed);
  }
  const read = objectOperation(resource.read);
  const readNow = () => client.call(read, parameters, { isUrgent: true });
  let known = stored;
  const readFirst = async () => {
    const observed = withoutReturning(connection, stored, await readNow());
    onResponse(observed);
    known = stateAfterReread(resource, name, known, declared, observed);
    return reveal(context, buildUpdateBody(resource, name, known, declared));
  };
  const observed = await client.callUnlessDone(operation, parameters, { ...options, readFirst });
  if (observed === undefined) return known;
  onResponse(observed);
  const next = stateAfterUpdate(resource, name, known, declared, observed);
  if (!isBehind(connection, name, { known, next, observed })) return next;
  const latest = await readNow().catch((error: unknown) => {
    throw asUncertain(error);
  });
  onResponse(latest);
  return stateAfterUpdate(resource, name, known, declared, latest);
}

/** True for a response that may not show the update yet: a server may apply it a little later than it responds. */
function isBehind(
  { resource, declared }: DeclaredTarget,
  name: ObjectOperation,
  { known, next, observed }: Readonly<Record<"known" | "next" | "observed", Properties>>,
): boolean {
  const isOld = (fieldPath: FieldPath) =>
    observe(fieldPath, observed)?.value === knownValue(known, fieldPath, undefined);
  const sent = pendingFields(resource, name, known, declared);
  return (
    contradictions(resource, next, declared, observed).some(isOld) ||
    sent.some((fieldPath) => isOmitted(fieldPath, declared, observed))
  );
}

/** True for a list that a request has changed and its response lacks: it may be empty, or omitted. */
function isOmitted(fieldPath: FieldPath, declared: Properties, observed: Properties): boolean {
  const { field, path } = fieldPath;
  if (field.list?.send !== "addRemove" || entriesAt(declared, path).length === 0) return false;
  const found = observe(fieldPath, observed);
  return found !== undefined && found.value === undefined;
}
