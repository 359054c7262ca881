import { withOrganization } from "./id-fields";
import { RemoteObject } from "./remote-object";
import type { RemoteObjectType, ResourceType } from "./resource-type";

/** An object that the API can neither create nor delete: it is adopted, managed, and released. */
interface AdoptedResourceType extends Omit<RemoteObjectType, "displayName"> {
  /** `pipe`, as in `pipe 3f0c…`. */
  readonly title: string;
  /** The argument that names it. */
  readonly idArgument: string;
}

export function adoptedResourceType({ title, idArgument, ...rest }: AdoptedResourceType): ResourceType {
  const displayName = (id: string) => `${title} ${id}`;
  const type: RemoteObjectType = { ...rest, displayName };
  return {
    definition: rest.definition,
    title,
    replacementEffect:
      "makes the stack release this object and adopt the other; nothing is created or deleted on the server.",
    withId: (id, state) => ({ ...state, [idArgument]: id }),
    create: (dependencies, inputs) => new RemoteObject(type, dependencies, String(inputs[idArgument]), inputs).adopt(),
    async read(dependencies, id, state) {
      const known = { ...withOrganization(dependencies, state), [idArgument]: id };
      const found = await new RemoteObject(type, dependencies, id, known).refresh();
      if (found === undefined) dependencies.log(`The ${displayName(id)} no longer exists and is removed from state.`);
      return found;
    },
    update: (dependencies, id, state, inputs) => new RemoteObject(type, dependencies, id, inputs).update(state),
    async delete(dependencies, id) {
      dependencies.log(releaseNotice(displayName(id)));
    },
  };
}

/** The notice when the stack stops managing an object that stays as it is. */
export function releaseNotice(displayName: string): string {
  return `The ${displayName} keeps its current settings; it is only removed from the stack.`;
}
