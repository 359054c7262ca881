import type { Properties } from "../fields";
import type { Context, Kind } from "./kind";
import { changed, refreshed, type Subject, takenOver } from "./subject";

/** A kind of object that the API can neither create nor delete: it is taken over, managed, and forgotten. */
interface AdoptedKind extends Omit<Subject, "called"> {
  /** `pipe`, as in «pipe 3f0c…». */
  readonly title: string;
  /** The argument that says which one it is. */
  readonly idArgument: string;
}

export function adopted({ title, idArgument, ...rest }: AdoptedKind): Kind {
  const called = (id: string) => `${title} ${id}`;
  const subject: Subject = { ...rest, called };
  return {
    definition: rest.definition,
    title,
    replacement: "makes the stack forget this one and adopt the other; nothing is created or deleted on the server.",
    known: (id, outputs) => ({ ...outputs, [idArgument]: id }),
    create: (context, inputs) => takenOver(context, subject, String(inputs[idArgument]), inputs),
    async read(context, id, outputs) {
      const found = await refreshed(context, subject, id, withPath(context, idArgument, id, outputs));
      if (found === undefined) context.say(`The ${called(id)} does not exist any more and leaves the stack.`);
      return found;
    },
    update: (context, id, outputs, inputs) => changed(context, subject, id, outputs, inputs),
    async delete(context, id) {
      context.say(goesOn(called(id)));
    },
  };
}

/** What a user reads when the stack lets go of something that stays as it is. */
export function goesOn(called: string): string {
  return `The ${called} stays as it is: the API cannot undo it, and the stack only forgets it.`;
}

/** Outputs with the ids that a read needs, also where no check has put them in. */
function withPath({ organizationId }: Context, idArgument: string, id: string, outputs: Properties): Properties {
  return { ...outputs, organizationId: outputs.organizationId ?? organizationId, [idArgument]: id };
}
