import { type ObjectOperation, objectOperation } from "../../api/endpoints";
import { ApiError, NOT_FOUND } from "../../api/errors";
import {
  DECLARED,
  inputsFromState,
  invalidFields,
  markedArguments,
  type Properties,
  stateAfterRead,
  withoutUncertain,
  withValue,
} from "../../fields";
import { SECRETS } from "../../names";
import { passwordIn } from "./encrypted-password";
import { idIn, locatorsOf, pathParameters, withId, withOrganization } from "./ids";
import { describeGone, describeInvalidFields, describeObject } from "./messages";
import type { Context, DeclaredTarget, Found, ManagedObject, Resource, Target } from "./resource";
import { UserError, unchangedError } from "./user-error";

/** The operations by the verbs that begin sentences. */
export type Verb = "Creating" | "Adopting" | "Adding" | "Removing" | "Updating" | "Reading";

/** Reads the object; undefined if it is gone. An ID from the program may be any text. */
export async function read(
  resource: Resource,
  context: Context,
  { id, state }: ManagedObject,
): Promise<Found | undefined> {
  const isManaged = state[DECLARED] !== undefined;
  if (!isManaged) idIn(`The id of the ${resource.title}`, id);
  const located = withOrganization(context, state);
  const location = resource.create === undefined ? withId(resource, id, located) : located;
  const target = { resource, context, id, location };
  const readCurrent = resource.lifecycle?.read ?? readState;
  const current = resource.read ? await readCurrent(target, location).catch(unlessGone) : state;
  if (current === undefined) {
    context.log(describeGone(target));
    return undefined;
  }
  // An imported service may come from a lost creation. A read-only resource has no password.
  const hasPassword = isManaged && resource.create !== undefined;
  const password =
    passwordIn(current) ?? (hasPassword ? await context.journal().passwordOf(id) : undefined);
  context.addSecret(password?.password);
  const inputs = inputsFromState(resource, current);
  return {
    state: { ...current, ...password },
    inputs: withValue(inputs, [SECRETS], markedArguments(resource, inputs, current[SECRETS])),
  };
}

/** Fetches the raw object; warns of invalid values of the arguments in `inputs`. */
export async function fetchObject(
  target: Target,
  verb: Verb,
  inputs: Properties,
): Promise<Properties> {
  const { resource, context, id, location } = target;
  try {
    const read = objectOperation(resource.read as ObjectOperation);
    const response = await context.client().call(read, pathParameters(resource, id, location));
    warnOfInvalidFields(target, response, inputs);
    return response;
  } catch (error) {
    const ids = location[DECLARED] === undefined ? locatorsOf(resource) : undefined;
    throw unchangedError(`${verb} ${describeObject(target)}`, error, ids);
  }
}

/**
 * The object before a change of its lists: the response to this command's last change, or else a
 * read without entries that this command removed, since a read may be stale.
 */
export async function look(target: DeclaredTarget): Promise<Properties> {
  const { resource, context, id, inputs } = target;
  const response = context.ledger.held(id) ?? (await fetchObject(target, "Reading", inputs));
  return context.ledger.withoutRemoved(id, resource, response);
}

/** The state after a read, without uncertain values. */
export async function readState(
  target: Target,
  state: Properties,
  response?: Properties,
): Promise<Properties> {
  const { resource } = target;
  const known = withoutUncertain(resource, state, {}, true);
  const inputs = inputsFromState(resource, known);
  const current = response ?? (await fetchObject(target, "Reading", inputs));
  return stateAfterRead(resource, known, inputs, current);
}

/** Turns the error about an object that is gone into undefined. */
export function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

export function isNotFound(error: unknown): error is UserError & { readonly cause: ApiError } {
  return (
    error instanceof UserError && error.cause instanceof ApiError && error.cause.code === NOT_FOUND
  );
}

/** Warns of invalid values: the state keeps its own. */
export function warnOfInvalidFields(
  target: Target,
  response: Properties,
  inputs: Properties,
): void {
  const warning = describeInvalidFields(
    describeObject(target),
    invalidFields(target.resource, response, inputs),
  );
  if (warning !== undefined) target.context.warn(warning);
}
