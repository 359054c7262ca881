import { canonicalId } from "pulumi-clouddb-facts";
import { isCreated } from "./ids";
import { describeKept, describeTaken, undeletable } from "./messages";
import type { Context, ManagedObject, Resource } from "./resource";

/** Ends the management of the object; throws the reason if that is impossible. */
export async function release(
  resource: Resource,
  context: Context,
  { id, state }: ManagedObject,
): Promise<void> {
  const target = { resource, context, id, location: state };
  if (resource.lifecycle) return resource.lifecycle.release(target, state);
  // Pulumi replaces a tainted resource without naming its object: the replacement may have taken
  // the same object.
  if (context.journal().taken.has(canonicalId(id))) return context.log(describeTaken(target));
  if (isCreated(resource, state)) throw undeletable(target);
  context.log(describeKept(target));
}
