import { isDeepStrictEqual } from "node:util";
import { objectOperation } from "../../api/endpoints";
import { ApiError } from "../../api/errors";
import { type Message, withSentence } from "../../errors";
import { buildCreateBody, type Properties, pendingFields, stateAfterCreate } from "../../fields";
import type { Recorded } from "../journal/creation-journal";
import { assertSecrets, reveal } from "../session/secret-values";
import {
  creationError,
  creationOf,
  describeNoPassword,
  describeRemaining,
} from "./creation-messages";
import { encryptPassword, findKeyProblem, PUBLIC_KEY, passwordIn } from "./encrypted-password";
import { pathParameters } from "./ids";
import { type Updating, warnOfInvalidFields } from "./read-object";
import {
  type Context,
  type DeclaredTarget,
  declaredTarget,
  type ManagedObject,
  type Resource,
} from "./resource";
import { applyUpdates } from "./updates";
import { PartialFailure, UserError } from "./user-error";

/** An object that was created or found, and is not yet as declared. */
export interface Start {
  readonly target: DeclaredTarget;
  readonly updating: Updating;
  readonly next: Properties;
  /**
   * The error of a creation without a password, which is reported even if everything else succeeds.
   */
  readonly noPassword?: Message;
  /** True if that is only a warning. */
  readonly isPasswordOptional?: boolean;
  /** Called once the object is certain to be stored. */
  readonly onStored?: () => Promise<void>;
}

export const CREATING: Updating = { verb: "Creating", isCreation: true };

/** True for an object that joins others, and may have no password of its own. */
export function mayLackPassword({ resource, inputs }: DeclaredTarget): boolean {
  const { passwordOptionalWith } = resource.create ?? {};
  return passwordOptionalWith !== undefined && inputs[passwordOptionalWith] !== undefined;
}

/** Creates an object. Its record is in the journal before the request, and its id right after. */
export async function createObject(
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
    // The program may have marked some as secret.
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
      throw creationError(resource, creating, error, recorded, lost !== undefined);
    });
  const response = created[member] as Properties & { readonly id: string };
  const password = encryptedIn(created);
  await recorded?.complete(response.id, password);
  const target = declaredTarget(resource, context, response.id, inputs, response);
  warnOfInvalidFields(target, response, inputs);
  const next = stateAfterCreate(resource, operation, inputs, { ...response, ...password });
  // If this process ends before the rest is sent, the user has at least seen the id.
  if (resource.updates.some((update) => pendingFields(resource, update, next, inputs).length > 0))
    context.log(describeRemaining(target));
  const isPasswordOptional = mayLackPassword(target);
  return {
    target,
    updating: CREATING,
    next,
    noPassword: describeNoPassword(target, isPasswordOptional),
    isPasswordOptional,
  };
}

/** Sends the remaining differences. A failure leaves a created object in the stack. */
export async function finishCreation(start: Start): Promise<ManagedObject> {
  const { target, updating, next, onStored } = start;
  const { id, context } = target;
  const noPassword = passwordIn(next) === undefined ? start.noPassword : undefined;
  let state: Properties;
  try {
    state = await applyUpdates(target, updating, next);
  } catch (error) {
    if (noPassword !== undefined) context.warn(noPassword);
    const failure = failureOf(start, error);
    if (failure instanceof PartialFailure) await onStored?.();
    throw failure;
  }
  await onStored?.();
  if (noPassword !== undefined && !start.isPasswordOptional)
    throw new PartialFailure(id, state, noPassword);
  if (noPassword !== undefined) context.warn(noPassword);
  return { id, state };
}

/** The error to report. An existing object that was not changed is not stored. */
function failureOf({ updating, next }: Start, error: unknown): unknown {
  if (!(error instanceof PartialFailure)) return error;
  if (!updating.isCreation && isDeepStrictEqual(error.state, next))
    return new UserError(error.coded);
  const text = withSentence(error.coded, "It is in the stack; the next `pulumi up` completes it.");
  return new PartialFailure(error.id, error.state, text);
}
