import { coded, type Message } from "../errors";
import {
  type Definition,
  entriesOf,
  type FieldPath,
  fieldPathsOf,
  hasSharedLists,
  hasUnknown,
  isRecord,
  type Properties,
  UNKNOWN,
  valueAt,
} from "../fields";
import { parseUrn } from "../names";

/** A type of resource whose objects have owners. */
interface Owned extends Definition {
  readonly title: string;
  readonly id: string;
  readonly updates: Readonly<Record<string, unknown>>;
}

interface Claim {
  readonly key: string;
  /** The words for it after "both manage". */
  readonly thing: string;
  /** Several resources may manage a part of it each. */
  readonly isShared?: boolean;
}

/** The error about a claim that another resource has made before. */
interface Conflict extends Message {
  readonly ownerUrn: string;
}

export type Owners = ReturnType<typeof createOwners>;

/**
 * The owners of objects that only one resource of a stack may manage. The engine starts a plugin for each run, and the
 * first claim in a run wins.
 */
export function createOwners() {
  const owners = new Map<string, { readonly urn: string; readonly isShared: boolean }>();
  const declared = new Set<string>();
  const named = new Map<string, { readonly urn: string; readonly isNew: boolean }>();
  let hasImported = false;

  function take(urn: string, claims: readonly Claim[]): Conflict | undefined {
    for (const { key, thing, isShared = false } of claims) {
      // A refresh also compares resources under the URNs that they had before the program moved or renamed them.
      const place = `${declared.has(urn)} ${key}`;
      const owner = owners.get(place) ?? { urn, isShared };
      owners.set(place, owner);
      if (owner.urn === urn || (owner.isShared && isShared)) continue;
      const [first, second] = [owner.urn, urn].map((each) => `"${parseUrn(each).name}"`);
      const text = `${first} and ${second} both manage ${thing}, and each would undo the other's changes: keep only one of them.`;
      return { ...coded("CDB4009", text), ownerUrn: owner.urn };
    }
    return undefined;
  }

  return {
    /** Notes that the program declares a resource. */
    declare: (urn: string) => void declared.add(urn),
    /** The error if another resource already manages the declared object; none while the id is unknown. */
    claim: (urn: string, resource: Owned, inputs: Properties, id = namedId(resource, inputs)) =>
      id === undefined ? undefined : take(urn, claimsOf(resource, inputs, id.toLowerCase())),
    /** The error if another resource already manages the object, whatever this one declares. */
    claimObject: (urn: string, resource: Owned, id: string) => take(urn, objectClaims(resource, id.toLowerCase())),
    /** Another resource of the program whose object has this name, if one of the two is new. */
    findNamesake(urn: string, object: string, isNew: boolean): string | undefined {
      const first = named.get(object) ?? { urn, isNew };
      named.set(object, first);
      return first.urn !== urn && (first.isNew || isNew) ? parseUrn(first.urn).name : undefined;
    },
    isFirstImport() {
      const isFirst = !hasImported;
      hasImported = true;
      return isFirst;
    },
  };
}

function namedId(resource: Owned, inputs: Properties): string | undefined {
  const id = inputs[resource.id];
  return typeof id === "string" && id !== UNKNOWN ? id : undefined;
}

/** The object as such, and what each of its updates carries: another type of resource may send the same one. */
function claimsOf(resource: Owned, inputs: Properties, id: string): Claim[] {
  const declared = fieldPathsOf(resource.fields).filter(({ path }) => valueAt(inputs, path) !== undefined);
  const carried = Object.keys(resource.updates).flatMap((operation): Claim[] => {
    const fields = declared.filter(({ field }) => field.operations.includes(operation));
    const names = fields.filter(({ field }) => field.list?.sharedAs === undefined).map(({ name }) => name);
    const object = names.length === 0 ? [] : [{ key: `${operation} ${id}`, thing: `${names.join(", ")} of ${id}` }];
    return [...object, ...fields.flatMap((fieldPath) => listClaims(fieldPath, operation, inputs, id))];
  });
  return [...objectClaims(resource, id), ...carried];
}

/** A complete list, or the entries that this resource adds to one. */
function listClaims({ name, path, field }: FieldPath, operation: string, inputs: Properties, id: string): Claim[] {
  const { list } = field;
  if (list?.send !== "addRemove") return [];
  const value = valueAt(inputs, path);
  const whole = { key: `${operation} ${name} ${id}`, thing: `${name} of ${id}`, isShared: list.sharedAs !== undefined };
  if (!whole.isShared) return [whole];
  if (Array.isArray(value) && value.length === 0) return [];
  const claims = entriesOf(value).flatMap((entry): Claim[] => {
    if (hasUnknown(entry)) return [];
    const key = list.key(entry);
    // In the program's spelling, so that a marked entry is redacted.
    const { source = key } = isRecord(entry) ? entry : {};
    return [{ key: `${whole.key} ${key}`, thing: `${source} in ${whole.thing}` }];
  });
  return [whole, ...claims];
}

/** Any number of resources may add entries to the same object. */
function objectClaims(resource: Owned, id: string): Claim[] {
  const { title } = resource;
  return hasSharedLists(resource) ? [] : [{ key: `${title} ${id}`, thing: `${title} ${id}` }];
}
