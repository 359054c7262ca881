import { canonicalId, capitalized } from "pulumi-clouddb-facts";
import { coded } from "../../errors";
import { DECLARED, inputsFromState, type Properties, withValue } from "../../fields";
import { SECRETS } from "../../names";
import { adopt } from "./adopt";
import { createOnce } from "./create";
import { passwordIn } from "./encrypted-password";
import { finishCreation } from "./finish-creation";
import { idIn, isCreated, withId, withOrganization } from "./ids";
import { describeGone, describeObject, readState, unlessGone } from "./read-object";
import {
  type Context,
  declaredTarget,
  type Lifecycle,
  type ManagedObject,
  type Resource,
  type Target,
} from "./resource";
import { updateObject } from "./updates";
import { UserError } from "./user-error";

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
  return {
    state: { ...current, ...password },
    inputs: withValue(inputsFromState(resource, current), [SECRETS], current[SECRETS]),
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
    const find = resource.create && inputs[resource.id] === undefined ? createOnce : adopt;
    return finishCreation(await find(resource, context, inputs));
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
  const { title, create } = resource;
  const object = describeObject(target);
  // Pulumi replaces a tainted resource without naming its object: the replacement may have taken
  // the same object.
  if (context.journal().taken.has(canonicalId(id))) {
    const taken = `${capitalized(object)} is the one that its replacement has taken into the stack: it was not deleted.`;
    return context.log(coded("CDB4011", taken));
  }
  if (isCreated(resource, state)) {
    const refusal = `Deleting ${object}: the API cannot delete ${title}s, so it would keep running and costing money without being managed. The ${title} was not changed. If it is tainted, run \`pulumi state untaint\`. To stop managing it, set \`retainOnDelete: true\` on the resource and run \`pulumi up\`; then remove it.`;
    throw new UserError(coded("CDB5001", refusal));
  }
  const kept =
    create === undefined
      ? `The ${object} keeps its current settings; it is only removed from the stack.`
      : `${capitalized(object)} keeps running and costing money: it was adopted, so it is only removed from the stack.`;
  context.log(coded("CDB5004", kept));
}
