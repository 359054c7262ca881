import * as pulumi from "@pulumi/pulumi";
import { remembered } from "../program-memory";

/**
 * Says in the preview that two resources of one program manage the same thing. It sees what has a known id; of what
 * is new in a preview only a stack policy can tell.
 */
export function claimed(
  resource: pulumi.Resource,
  name: string,
  thing: string,
  id: pulumi.Input<string | undefined>,
): void {
  pulumi.output(id).apply((known) => {
    if (known === undefined) return;
    const owner = remembered(`claim ${thing} ${known.toLowerCase()}`, () => ({ resource, name }));
    if (owner.resource === resource) return;
    pulumi.log.error(
      `"${owner.name}" and "${name}" both manage ${thing} ${known}, and each would undo what the other does: keep one of them.`,
      resource,
    );
  });
}
