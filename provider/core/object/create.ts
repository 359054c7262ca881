import { objectOperation } from "../../api/endpoints";
import { ApiError } from "../../api/errors";
import { withSentence } from "../../errors";
import { buildCreateBody, type Properties, pendingFields, stateAfterCreate } from "../../fields";
import type { Recorded } from "../journal/creation-journal";
import { assertSecrets, reveal } from "../session/secret-values";
import { adopt, CREATING, mayLackPassword, recoverCreation, type Start } from "./adopt";
import {
  creationError,
  creationOf,
  describeNoPassword,
  describeRemaining,
} from "./creation-messages";
import { encryptPassword, findKeyProblem, PUBLIC_KEY, passwordIn } from "./encrypted-password";
import { declaredTarget, pathParameters } from "./ids";
import { warnOfInvalidFields } from "./read-object";
import type { Context, ManagedObject, Resource } from "./resource";
import { applyUpdates } from "./updates";
import { PartialFailure, UserError } from "./user-error";

/**
 * Creates or adopts the object. After a `PartialFailure`, the object is in the stack but differs
 * from its declaration.
 */
export async function create(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<ManagedObject> {
  const created = await (resource.lifecycle?.create ?? createObject)(resource, context, inputs);
  // The engine has already accepted the first owner, so this conflict is only a warning.
  const conflict = context.owners.claim(context.identity.urn, resource, inputs, created.id);
  if (conflict !== undefined) context.warn(conflict);
  return created;
}

async function createObject(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<ManagedObject> {
  const created = await finishCreation(await startCreation(resource, context, inputs));
  if (resource.create !== undefined) await context.journal().forget(context.identity);
  return created;
}

/** Adopts an existing object, or else creates one. */
async function startCreation(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<Start> {
  const isNamed = resource.create === undefined || inputs[resource.id] !== undefined;
  if (isNamed) return adopt(resource, context, inputs);
  const earlier = await context.journal().find(context.identity, inputs);
  return earlier === undefined
    ? sendCreation(resource, context, inputs)
    : recoverCreation(resource, context, inputs, earlier);
}

/**
 * Creates an object. The journal records the creation before the request, and the id right after.
 */
async function sendCreation(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<Start> {
  const { operation, member } = resource.create as NonNullable<Resource["create"]>;
  const { identity, redact } = context;
  const problem = findKeyProblem(inputs[PUBLIC_KEY]);
  if (problem !== undefined) throw new UserError(problem);
  const creating = creationOf(resource, inputs);
  const body = buildCreateBody(resource, operation, inputs);
  assertSecrets(context, creating, [body]);
  const encryptedIn = (result: unknown) =>
    encryptPassword(context, creating, inputs, passwordIn(result));
  const facts = {
    // The program may have marked these values as secret.
    organizationId: redact(String(inputs.organizationId)),
    title: resource.title,
    name: redact(String(inputs.name ?? "")),
    inputs,
  };
  let recorded: Recorded | undefined;
  const inFlight = {
    begin: async () => {
      recorded = await context.journal().begin(identity, facts);
    },
    end: async () => recorded?.end(),
  };
  const created = await context
    .client()
    .call(objectOperation(operation), pathParameters(resource, "", inputs), {
      body: reveal(context, body),
      idempotency: "create",
      inFlight,
    })
    .catch(async (error: unknown) => {
      const lost = error instanceof ApiError ? encryptedIn(error.result) : undefined;
      if (lost !== undefined) await recorded?.complete(undefined, lost);
      throw creationError(resource, creating, error, lost !== undefined, recorded?.discardCommand);
    });
  const response = created[member] as Properties & { readonly id: string };
  const password = encryptedIn(created);
  await recorded?.complete(response.id, password);
  const target = { ...declaredTarget(resource, context, response.id, inputs), response };
  warnOfInvalidFields(target, response, inputs);
  const next = stateAfterCreate(resource, operation, inputs, { ...response, ...password });
  // Shows the id before the remaining requests, in case the process ends.
  if (resource.updates.some((update) => pendingFields(resource, update, next, inputs).length > 0))
    context.log(describeRemaining(target));
  if (password !== undefined) return { target, updating: CREATING, next };
  const isWarning = mayLackPassword(target);
  const noPassword = { message: describeNoPassword(target, isWarning), isWarning };
  return { target, updating: CREATING, next, noPassword };
}

/** Sends the remaining differences. After a failure, a created object is in the stack. */
async function finishCreation(start: Start): Promise<ManagedObject> {
  const { target, updating, next, noPassword, onStored } = start;
  const { id, context } = target;
  let state: Properties;
  try {
    state = await applyUpdates(target, updating, next);
  } catch (error) {
    if (noPassword !== undefined) context.warn(noPassword.message);
    if (!(error instanceof PartialFailure)) throw error;
    await onStored?.();
    const stored = "It is in the stack; the next `pulumi up` completes it.";
    throw new PartialFailure(id, error.state, withSentence(error.coded, stored));
  }
  await onStored?.();
  if (noPassword?.isWarning === false) throw new PartialFailure(id, state, noPassword.message);
  if (noPassword !== undefined) context.warn(noPassword.message);
  return { id, state };
}
