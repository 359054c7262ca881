import { currentProgram } from "./program";
import * as pulumi from "./pulumi";
import { isMocked } from "./pulumi-internals";

/** An object that only one resource of a program may manage: `pipe`, `the scaling of service`. */
export interface OwnedObject {
  readonly thing: string;
  readonly id: pulumi.Input<string | null | undefined>;
}

interface Owner {
  readonly name: string;
}

/** Components may bring a copy of this package, of any release: the key and what stands under it are permanent. */
const REGISTRY = Symbol.for("pulumi-clouddb/claims");
const shared = globalThis as { [REGISTRY]?: WeakMap<object, Map<string, Owner>> };

/**
 * Why a resource of a program cannot manage an object: another one does already. It sees what has a known id;
 * of what is new in a preview only a stack policy can tell. Ids that a unit test makes up may well be equal.
 */
export function findOwnerConflict(name: string, owned: readonly OwnedObject[]): pulumi.Output<string | undefined> {
  if (isMocked()) return pulumi.output(undefined);
  // Names repeat between types of resources; this object does not.
  const candidate = { name };
  return pulumi
    .all(owned.map(({ thing, id }) => pulumi.output(id).apply((known) => describeConflict(candidate, thing, known))))
    .apply((conflicts) => conflicts.find((conflict) => conflict !== undefined));
}

function describeConflict(candidate: Owner, thing: string, id: unknown): string | undefined {
  if (typeof id !== "string") return undefined;
  const owner = ownerOf(`${thing} ${id.toLowerCase()}`, candidate);
  if (owner === candidate) return undefined;
  return `"${owner.name}" and "${candidate.name}" both manage ${thing} ${id}, and each would undo the other's changes: keep only one of them.`;
}

/** Who manages it first in this run of the program. */
function ownerOf(object: string, candidate: Owner): Owner {
  shared[REGISTRY] ??= new WeakMap();
  const program = currentProgram();
  const owners = shared[REGISTRY].get(program) ?? new Map<string, Owner>();
  shared[REGISTRY].set(program, owners);
  const owner = owners.get(object) ?? candidate;
  owners.set(object, owner);
  return owner;
}
