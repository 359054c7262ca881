import { coded, type Message } from "../errors";
import {
  type Definition,
  entriesOf,
  type FieldPath,
  fieldPathsOf,
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
  /** Set for a resource that is only a part of an object. */
  readonly lifecycle?: unknown;
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

/** A resource of this command that declares an entry of a list. */
export interface Heir {
  readonly urn: string;
  readonly entry: unknown;
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
  const said = new Set<string>();
  /** The resources that the program declares, with the objects whose lists they may have entries in. */
  const declarations = new Map<
    string,
    { readonly resource: Owned; readonly inputs: Properties; readonly id: string }
  >();
  /** The places of entries that resources of this command have removed, or left to others of its resources. */
  const removed = new Set<string>();
  const passed = new Set<string>();

  function take(urn: string, claims: readonly Claim[]): Conflict | undefined {
    for (const { key, thing, isShared = false } of claims) {
      const owner = owners.get(key) ?? { urn, isShared };
      owners.set(key, owner);
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
    isDeclared: (urn: string) => declared.has(urn),
    /** The error if another resource already manages the declared object; none while the id is unknown. */
    claim(urn: string, resource: Owned, inputs: Properties, id = namedId(resource, inputs)) {
      if (id === undefined) return undefined;
      const conflict = take(urn, claimsOf(resource, inputs, id.toLowerCase()));
      if (conflict === undefined) declarations.set(urn, { resource, inputs, id });
      return conflict;
    },
    /** The error if another resource already manages the object, whatever this one declares. */
    claimObject: (urn: string, resource: Owned, id: string) => take(urn, objectClaims(resource, id.toLowerCase())),
    /** The resource of this command that declares an entry of a list, as far as the program has come. */
    heirOf(id: string, list: string, key: string): Heir | undefined {
      const place = placeOf(id, list, key);
      for (const [urn, declaration] of declarations) {
        if (!isSame(declaration.id, id)) continue;
        const { resource, inputs } = declaration;
        const found = entriesIn(resource, inputs, id).find((each) => each.place === place);
        if (found !== undefined) return { urn, entry: found.entry };
      }
      return undefined;
    },
    /** Notes the keys that a request is about to add to a list and to remove from it. */
    noteChange(id: string, list: string, added: readonly string[], gone: readonly string[]): void {
      for (const key of added) removed.delete(placeOf(id, list, key));
      for (const key of gone) removed.add(placeOf(id, list, key));
    },
    /** True if another resource of this command has removed an entry that these arguments declare. */
    hasLost: (resource: Owned, inputs: Properties, id: string) =>
      removed.size > 0 && entriesIn(resource, inputs, id).some(({ place }) => removed.has(place)),
    hasRemoved: (id: string, list: string, key: string) => removed.has(placeOf(id, list, key)),
    pass: (id: string, list: string, key: string) => void passed.add(placeOf(id, list, key)),
    hasPassed: (id: string, list: string, key: string) => passed.has(placeOf(id, list, key)),
    /** Another resource of the program whose object has this name, if one of the two is new. */
    findNamesake(urn: string, object: string, isNew: boolean): string | undefined {
      const first = named.get(object) ?? { urn, isNew };
      named.set(object, first);
      return first.urn !== urn && (first.isNew || isNew) ? parseUrn(first.urn).name : undefined;
    },
    /** True once per command for each topic. */
    isFirst(topic: string) {
      const isFirst = !said.has(topic);
      said.add(topic);
      return isFirst;
    },
  };
}

function namedId(resource: Owned, inputs: Properties): string | undefined {
  const id = inputs[resource.id];
  return typeof id === "string" && id !== UNKNOWN ? id : undefined;
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const placeOf = (id: string, list: string, key: string) => `${id.toLowerCase()} ${list} ${key}`;

/** The known entries of lists to which requests add, with their places. */
function entriesIn({ fields }: Owned, inputs: Properties, id: string) {
  return fieldPathsOf(fields).flatMap(({ name, path, field: { list } }) => {
    if (list?.send !== "addRemove") return [];
    const known = entriesOf(valueAt(inputs, path)).filter((entry) => !hasUnknown(entry));
    return known.map((entry) => ({ place: placeOf(id, name, list.key(entry)), entry }));
  });
}

/** The object as such, and what each of its updates carries: another type of resource may send the same one. */
function claimsOf(resource: Owned, inputs: Properties, id: string): Claim[] {
  const declared = fieldPathsOf(resource.fields).filter(({ path }) => valueAt(inputs, path) !== undefined);
  const carried = Object.keys(resource.updates).flatMap((operation): Claim[] => {
    const fields = declared.filter(({ field }) => field.operations.includes(operation));
    const names = fields.filter((fieldPath) => !isAmongOthers(fieldPath)).map(({ name }) => name);
    const object = names.length === 0 ? [] : [{ key: `${operation} ${id}`, thing: `${names.join(", ")} of ${id}` }];
    return [...object, ...fields.flatMap((fieldPath) => listClaims(fieldPath, operation, inputs, id))];
  });
  return [...objectClaims(resource, id), ...carried];
}

/** True for a list of which a resource manages its own entries alone. */
function isAmongOthers({ field: { list } }: FieldPath): boolean {
  return list?.send === "addRemove" && list.unmanaged === "keep";
}

/** A complete list, or the entries that this resource adds to one. */
function listClaims(fieldPath: FieldPath, operation: string, inputs: Properties, id: string): Claim[] {
  const { name, path, field } = fieldPath;
  const { list } = field;
  if (list?.send !== "addRemove") return [];
  const value = valueAt(inputs, path);
  const isShared = isAmongOthers(fieldPath);
  const whole = { key: `${operation} ${name} ${id}`, thing: `${name} of ${id}`, isShared };
  if (!isShared) return [whole];
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

/** Any number of resources may be parts of the same object. */
function objectClaims({ title, lifecycle }: Owned, id: string): Claim[] {
  return lifecycle === undefined ? [{ key: `${title} ${id}`, thing: `${title} ${id}` }] : [];
}
