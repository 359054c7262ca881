import { canonicalId } from "pulumi-clouddb-facts";
import {
  DECLARED,
  inputsFromState,
  markedArguments,
  type Properties,
  withValue,
} from "../../fields";
import { SECRETS } from "../../names";
import { adopt, recoverCreation } from "./adopt";
import { createObject, finishCreation } from "./create";
import { passwordIn } from "./encrypted-password";
import { idIn, isCreated, withId, withOrganization } from "./ids";
import { describeGone, describeKept, describeTaken, undeletable } from "./messages";
import { readState, unlessGone } from "./read-object";
import {
  type Context,
  declaredTarget,
  type Lifecycle,
  type ManagedObject,
  type Resource,
  type Target,
} from "./resource";
import { updateObject } from "./updates";

/*
 * The operations that send requests.
 */

/**
 * Creates or adopts the object. A `PartialFailure` means that it is in the stack, but not yet as
 * declared.
 */
export async function create(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<ManagedObject> {
  const created = await lifecycleOf(resource).create(resource, context, inputs);
  // Too late to refuse: the first owner has been accepted already.
  const conflict = context.owners.claim(context.identity.urn, resource, inputs, created.id);
  if (conflict !== undefined) context.warn(conflict);
  await context.journal().forget(context.identity);
  return created;
}

/**
 * An object as the server has it, and the inputs that a program would have to declare to agree with
 * it.
 */
export interface Found {
  readonly state: Properties;
  readonly inputs: Properties;
}

/** Reads the object; undefined if it is gone. An ID from the program may be anything. */
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
  const current = resource.read
    ? await lifecycleOf(resource).read(target, location).catch(unlessGone)
    : state;
  if (current === undefined) {
    context.log(describeGone(target));
    return undefined;
  }
  // An imported service may come from a creation that was not stored. A resource that is only read
  // has no password.
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

/**
 * Sends the differences; returns the new state. A `PartialFailure` holds the changes that were
 * made.
 */
export async function update(
  resource: Resource,
  context: Context,
  { id, state }: ManagedObject,
  inputs: Properties,
): Promise<ManagedObject> {
  return lifecycleOf(resource).update(declaredTarget(resource, context, id, inputs), state);
}

/** Ends the management of the object; throws the reason if that is impossible. */
export async function release(
  resource: Resource,
  context: Context,
  { id, state }: ManagedObject,
): Promise<void> {
  await lifecycleOf(resource).release({ resource, context, id, location: state }, state);
}

const lifecycleOf = ({ lifecycle }: Resource): Lifecycle => lifecycle ?? lifecycleOfObject;

const lifecycleOfObject: Lifecycle = {
  async create(resource, context, inputs) {
    if (resource.create === undefined || inputs[resource.id] !== undefined)
      return finishCreation(await adopt(resource, context, inputs));
    const earlier = await context.journal().find(context.identity, inputs);
    return finishCreation(
      await (earlier === undefined
        ? createObject(resource, context, inputs)
        : recoverCreation(resource, context, inputs, earlier)),
    );
  },
  read: readState,
  update({ resource, context, id, inputs }, state) {
    // An object that this stack created never counts as adopted, even if the program later declares
    // its own id.
    const args = isCreated(resource, state) ? { ...inputs, [resource.id]: undefined } : inputs;
    return updateObject(declaredTarget(resource, context, id, args), state);
  },
  release: releaseObject,
};

async function releaseObject(target: Target, state: Properties): Promise<void> {
  const { resource, context, id } = target;
  // Pulumi replaces a tainted resource without naming its object: the replacement may have taken
  // the same object.
  if (context.journal().taken.has(canonicalId(id))) return context.log(describeTaken(target));
  if (isCreated(resource, state)) throw undeletable(target);
  context.log(describeKept(target));
}
