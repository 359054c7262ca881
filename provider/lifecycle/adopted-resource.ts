import type { Properties } from "../fields";
import { adopt, type RemoteObject, refresh, update } from "./remote-object";
import type { Context, ResourceType } from "./resource-type";

/** A kind of object that the API can neither create nor delete: it is taken over, managed, and forgotten. */
interface AdoptedResourceType extends Omit<RemoteObject, "displayName"> {
  /** `pipe`, as in «pipe 3f0c…». */
  readonly title: string;
  /** The argument that says which one it is. */
  readonly idArgument: string;
}

export function adoptedResourceType({ title, idArgument, ...rest }: AdoptedResourceType): ResourceType {
  const displayName = (id: string) => `${title} ${id}`;
  const subject: RemoteObject = { ...rest, displayName };
  return {
    definition: rest.definition,
    title,
    replacementEffect:
      "makes the stack forget this one and adopt the other; nothing is created or deleted on the server.",
    withId: (id, outputs) => ({ ...outputs, [idArgument]: id }),
    create: (context, inputs) => adopt(context, subject, String(inputs[idArgument]), inputs),
    async read(context, id, outputs) {
      const found = await refresh(context, subject, id, withPath(context, idArgument, id, outputs));
      if (found === undefined) context.log(`The ${displayName(id)} does not exist any more and leaves the stack.`);
      return found;
    },
    update: (context, id, outputs, inputs) => update(context, subject, id, outputs, inputs),
    async delete(context, id) {
      context.log(releaseNotice(displayName(id)));
    },
  };
}

/** What a user reads when the stack lets go of something that stays as it is. */
export function releaseNotice(displayName: string): string {
  return `The ${displayName} stays as it is: the API cannot undo it, and the stack only forgets it.`;
}

/** Outputs with the ids that a read needs, also where no check has put them in. */
function withPath({ organizationId }: Context, idArgument: string, id: string, outputs: Properties): Properties {
  return { ...outputs, organizationId: outputs.organizationId ?? organizationId, [idArgument]: id };
}
