import * as pulumi from "@pulumi/pulumi";
import { remembered } from "../program-memory";

/** What only one resource of a program may manage: `pipe`, `the scaling of service`. */
export interface Claim {
  readonly thing: string;
  readonly id: pulumi.Input<string | undefined>;
}

/**
 * Why a resource of a program cannot manage what it claims: another one does already. It sees what has a known id;
 * of what is new in a preview only a stack policy can tell.
 */
export function conflictOver(name: string, claims: readonly Claim[]): pulumi.Output<string | undefined> {
  // Names repeat between kinds of resources; this object does not.
  const claimant = { name };
  return pulumi
    .all(claims.map(({ thing, id }) => pulumi.output(id).apply((known) => taken(claimant, thing, known))))
    .apply((found) => found.find((conflict) => conflict !== undefined));
}

function taken(claimant: { name: string }, thing: string, id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const owner = remembered(`claim ${thing} ${id.toLowerCase()}`, () => claimant);
  if (owner === claimant) return undefined;
  return `"${owner.name}" and "${claimant.name}" both manage ${thing} ${id}, and each would undo what the other does: keep one of them.`;
}
