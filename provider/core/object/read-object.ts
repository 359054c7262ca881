import { type ObjectOperation, objectOperation } from "../../api/endpoints";
import { ApiError, NOT_FOUND } from "../../api/errors";
import {
  DECLARED,
  forgetUncertain,
  inputsFromState,
  invalidFields,
  type Properties,
  stateAfterRead,
} from "../../fields";
import { locatorsOf, pathParameters } from "./ids";
import { describeInvalidFields, describeObject } from "./messages";
import type { DeclaredTarget, Resource, Target } from "./resource";
import { UserError, unchangedError } from "./user-error";

/**
 * The mark of a state that may be wrong: a request was sent, and its outcome is unknown. It holds
 * the names of the arguments that the request carried. Permanent.
 */
export const UNCERTAIN = "__uncertain";

/** The operations by the verbs that begin sentences. */
export type Verb = "Creating" | "Adopting" | "Adding" | "Removing" | "Updating" | "Reading";

/** A series of updates. */
export interface Updating {
  /** The beginning of its messages. */
  readonly verb: Verb;
  /**
   * True for an object that the stack does not have yet, although it exists: a failure would lose
   * it.
   */
  readonly isCreation?: boolean;
  /** True for an object that no preview has read: a line names the changes. */
  readonly reportsChanges?: boolean;
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
 * The object before a change of its lists: the response to the last change in this command, or else
 * a read. A read may be older than that, so entries that this command has removed are left out.
 */
export async function look(target: DeclaredTarget): Promise<Properties> {
  const { resource, context, id, inputs } = target;
  const response = context.ledger.held(id) ?? (await fetchObject(target, "Reading", inputs));
  return context.ledger.withoutRemoved(id, resource, response);
}

/** The state as one read shows it, with nothing uncertain. */
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

/** The state without uncertain values; those that a read can confirm stay if one follows. */
export function withoutUncertain(
  resource: Resource,
  { [UNCERTAIN]: uncertain, ...state }: Properties,
  inputs: Properties,
  isReadable: boolean,
): Properties {
  return forgetUncertain(resource, state, inputs, isNamedIn(uncertain), isReadable);
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

/** Recognizes the names in an uncertain state's mark. */
export function isNamedIn(names: unknown): (name: string) => boolean {
  return (name) => Array.isArray(names) && names.includes(name);
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
