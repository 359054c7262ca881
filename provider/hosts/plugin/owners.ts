import { operations } from "../../api/operations";
import type { ResourceType } from "../../core/resource-type";
import { type Message, message } from "../../errors";
import { fieldPathsOf, type Properties, UNKNOWN, valueAt } from "../../fields";
import { ownFields } from "./import";
import { parseUrn } from "./tokens";

interface Claim {
  readonly key: string;
  /** The words for it after "both manage". */
  readonly thing: string;
}

/** The owners of objects that only one resource of a stack may manage. */
export interface Owners {
  /** The error if another resource already manages the declared object; none while the id is unknown. */
  readonly claim: (urn: string, type: ResourceType, inputs: Properties, id?: string) => Message | undefined;
  /** The error if another resource already manages the object, whatever this one declares. */
  readonly claimObject: (urn: string, type: ResourceType, id: string) => Message | undefined;
  readonly isFirstImport: () => boolean;
}

/** Owners for one run: the engine starts a plugin for each, and the first claim in it wins. */
export function createOwners(): Owners {
  const owners = new Map<string, string>();
  let hasImported = false;

  function take(urn: string, claims: readonly Claim[]): Message | undefined {
    for (const { key, thing } of claims) {
      const owner = owners.get(key) ?? urn;
      owners.set(key, owner);
      if (owner === urn) continue;
      return message("CDB4009.owners", { first: parseUrn(owner).name, second: parseUrn(urn).name, object: thing });
    }
    return undefined;
  }

  return {
    claim: (urn, type, inputs, id = declaredId(type, inputs)) =>
      id === undefined ? undefined : take(urn, claimsOf(type, inputs, id.toLowerCase())),
    claimObject: (urn, type, id) => take(urn, [objectClaim(type, id.toLowerCase())]),
    isFirstImport() {
      const isFirst = !hasImported;
      hasImported = true;
      return isFirst;
    },
  };
}

function declaredId(type: ResourceType, inputs: Properties): string | undefined {
  const id = ownFields(type).map(({ name }) => inputs[name])[0];
  return typeof id === "string" && id !== UNKNOWN ? id : undefined;
}

/** The object as such, and what each of its updates carries: another type of resource may send the same one. */
function claimsOf(type: ResourceType, inputs: Properties, id: string): Claim[] {
  const declared = fieldPathsOf(type.definition.fields).filter(({ path }) => valueAt(inputs, path) !== undefined);
  const updates = Object.entries(operations).filter(([, { method }]) => method === "PATCH");
  const carried = updates.flatMap(([operation]): Claim[] => {
    const names = declared.filter(({ field }) => field.operations.includes(operation)).map(({ name }) => name);
    return names.length === 0 ? [] : [{ key: `${operation} ${id}`, thing: `${names.join(", ")} of ${id}` }];
  });
  return [objectClaim(type, id), ...carried];
}

function objectClaim({ title }: ResourceType, id: string): Claim {
  return { key: `${title} ${id}`, thing: `${title} ${id}` };
}
