import { capitalized } from "pulumi-clouddb-facts";
import { type ObjectOperation, objectOperation } from "../api/endpoints";
import { ApiError, NOT_FOUND } from "../api/errors";
import { coded, type Message } from "../errors";
import {
  DECLARED,
  type EditedList,
  editedLists,
  forgetUncertain,
  inputsFromState,
  invalidFields,
  type Properties,
  stateAfterRead,
  valueAt,
  withValue,
} from "../fields";
import { pathParameters } from "./ids";
import type { EntryFacts } from "./owners";
import type { Target } from "./resource";
import { describeFailure, describeInvalidFields, UserError } from "./user-error";

/**
 * The mark of a state that may be wrong: a request was sent, and its outcome is unknown. It holds the names of the
 * arguments that the request carried. Permanent.
 */
export const UNCERTAIN = "__uncertain";

/** The operations by the verbs that begin sentences. */
export type Verb = "Creating" | "Adopting" | "Adding" | "Removing" | "Updating" | "Reading";

/** The name of an object in sentences: `service 3f0c… ("analytics")`. Only creatable types include the name. */
export function describeObject({ resource: { title, create }, id, inputs: { name } }: Omit<Target, "context">): string {
  return create === undefined || name === undefined ? `${title} ${id}` : `${title} ${id} (${JSON.stringify(name)})`;
}

/** Fetches the raw object; warns of invalid values of `declared` arguments. */
export async function fetchObject(
  target: Target,
  verb: Verb,
  located: Properties = target.inputs,
  declared: Properties = target.inputs,
): Promise<Properties> {
  const { resource, context, id } = target;
  try {
    const read = objectOperation(resource.read as ObjectOperation);
    const current = await context.client().call(read, pathParameters(resource, id, located));
    warnOfInvalidFields(target, current, declared);
    return current;
  } catch (error) {
    throw new UserError(describeFailure(`${verb} ${describeObject(target)}`, error, "Nothing was changed."), {
      cause: error,
    });
  }
}

/**
 * The object before a change of its lists: the response to the last change in this command, or else a read. A read may
 * be older than that, so entries that this command has removed are left out.
 */
export async function look(target: Target): Promise<Properties> {
  const response = target.context.turns.lastResponse(target.id) ?? (await fetchObject(target, "Reading"));
  return hideEntries(target, response, ({ isRemoved }) => isRemoved === true);
}

/** A response without list entries that it may show although this command has removed them. */
export function hideEntries(
  { resource, context, id }: Target,
  response: Properties,
  isHidden: (facts: EntryFacts, entry: unknown, list: EditedList) => boolean,
): Properties {
  let shown = response;
  for (const list of editedLists(resource)) {
    const { name, apiPath } = list.fieldPath;
    const entries = valueAt(response, apiPath);
    if (!Array.isArray(entries)) continue;
    const factsOf = (entry: unknown) => context.owners.factsAbout(id, name, list.rules.key(entry));
    const visible = entries.filter((entry) => !isHidden(factsOf(entry), entry, list));
    shown = withValue(shown, apiPath, visible);
  }
  return shown;
}

/** The state as one read shows it, with nothing uncertain. */
export async function readState(target: Target, state: Properties, response?: Properties): Promise<Properties> {
  const { resource } = target;
  const { [UNCERTAIN]: uncertain, ...known } = state;
  const stored = forgetUncertain(resource, known, {}, isNamedIn(uncertain), true);
  const declared = inputsFromState(resource, stored);
  const current = response ?? (await fetchObject(target, "Reading", stored, declared));
  return stateAfterRead(resource, stored, declared, current);
}

/** Turns the error about an object that is gone into undefined. */
export function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

export function isNotFound(error: unknown): error is UserError & { readonly cause: ApiError } {
  return error instanceof UserError && error.cause instanceof ApiError && error.cause.code === NOT_FOUND;
}

/** Recognizes the names in an uncertain state's mark. */
export function isNamedIn(names: unknown): (name: string) => boolean {
  return (name) => Array.isArray(names) && names.includes(name);
}

/** Warns of values that cannot be used: they stay as they were. */
export function warnOfInvalidFields(target: Target, response: Properties, declared: Properties = target.inputs): void {
  const warning = describeInvalidFields(describeObject(target), invalidFields(target.resource, response, declared));
  if (warning !== undefined) target.context.log(warning);
}

/** The message about an object that does not exist: one in the stack, or one that a program only reads. */
export function describeGone(target: Target): Message {
  const { organizationId, password, [DECLARED]: declared } = target.inputs;
  const object = `${capitalized(describeObject(target))} of organization ${organizationId}`;
  if (declared === undefined) return coded("CDB5006", `${object} does not exist.`);
  const gone = `${object} no longer exists and is removed from state.`;
  const history =
    "The history of the stack still holds its password: `pulumi stack export --version N --show-secrets` with Pulumi Cloud, a former version or backup of the state with another backend.";
  return coded("CDB5006", password ? `${gone} ${history}` : gone);
}
