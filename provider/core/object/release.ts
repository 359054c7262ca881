import { canonicalId } from "pulumi-clouddb-facts";
import { isCreated } from "./ids";
import { describeKept, describeTaken, undeletable } from "./messages";
import type { Context, ManagedObject, Resource } from "./resource";

/** Stops managing the object. Throws the reason if the object cannot be released. */
export async function release(
  resource: Resource,
  context: Context,
  { id, state }: ManagedObject,
): Promise<void> {
  const target = { resource, context, id, location: state };
  if (resource.lifecycle) return resource.lifecycle.release(target, state);
  // Pulumi replaces a tainted resource without naming its object, so the replacement may have
  // adopted that object.
  if (context.journal().taken.has(canonicalId(id))) return context.log(describeTaken(target));
  if (isCreated(resource, state)) throw undeletable(target);
  context.log(describeKept(target));
}
