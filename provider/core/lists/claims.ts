import { canonicalId } from "pulumi-clouddb-facts";
import { coded, type Message } from "../../errors";
import { fieldPathsOf, isRecord, labelOf, type Properties, UNKNOWN, valueAt } from "../../fields";
import { parseUrn } from "../../names";
import type { ResourceType } from "../object/resource-type";
import type { Declaration, Ledger } from "./ledger";

interface Claim {
  readonly key: string;
  /** The claimed object or list in words, after "both manage". */
  readonly thing: string;
  /** True if several resources may manage parts of the object. */
  readonly isShared?: boolean;
}

/** The error about an earlier claim of another resource. */
interface Conflict extends Message {
  readonly ownerUrn: string;
}

export type Claims = ReturnType<typeof createClaims>;

/**
 * The owners of objects that only one resource of a stack may manage. The first claim in a run
 * wins; the engine starts a plugin for each run.
 */
export function createClaims(ledger: Ledger) {
  const owners = new Map<string, { readonly urn: string; readonly isShared: boolean }>();
  const declared = new Set<string>();
  const named = new Map<string, { readonly urn: string; readonly isNew: boolean }>();
  const said = new Set<string>();

  function take(urn: string, claims: readonly Claim[]): Conflict | undefined {
    for (const { key, thing, isShared = false } of claims) {
      const owner = owners.get(key) ?? { urn, isShared };
      owners.set(key, owner);
      if (owner.urn === urn || (owner.isShared && isShared)) continue;
      return conflictOver(thing, owner.urn, urn);
    }
    return undefined;
  }

  return {
    declare: (urn: string) => void declared.add(urn),
    isDeclared: (urn: string) => declared.has(urn),
    /**
     * The error if another resource already manages the declared object; undefined while the id is
     * unknown.
     */
    claim(urn: string, resource: ResourceType, inputs: Properties, id = namedId(resource, inputs)) {
      if (id === undefined) return undefined;
      const conflict = take(urn, claimsOf(resource, inputs, canonicalId(id)));
      if (conflict !== undefined) return conflict;
      const rival = ledger.declare(urn, id, resource, inputs);
      return rival && conflictOver(describeEntry(rival, id), rival.urn, urn);
    },
    /** The error if another resource manages the object, whatever either resource declares. */
    claimObject: (urn: string, resource: ResourceType, id: string) =>
      take(urn, objectClaims(resource, canonicalId(id))),
    /** The other resource whose object has this name, if one of the two is new. */
    findNamesake(urn: string, object: string, isNew: boolean): string | undefined {
      const first = named.get(object) ?? { urn, isNew };
      named.set(object, first);
      return first.urn !== urn && (first.isNew || isNew) ? parseUrn(first.urn).name : undefined;
    },
    /** Returns true for the first message on a topic in this command. */
    isFirst(topic: string) {
      const isFirst = !said.has(topic);
      said.add(topic);
      return isFirst;
    },
  };
}

function namedId(resource: ResourceType, inputs: Properties): string | undefined {
  const id = inputs[resource.id];
  return typeof id === "string" && id !== UNKNOWN ? id : undefined;
}

function conflictOver(thing: string, ownerUrn: string, urn: string): Conflict {
  const [first, second] = [ownerUrn, urn].map((each) => `"${parseUrn(each).name}"`);
  const error = coded(
    "CDB4009",
    `${first} and ${second} both manage ${thing}, and each would undo the other's changes: keep only one of them.`,
  );
  return { ...error, ownerUrn };
}

/** An entry in the program's spelling, so that redaction recognizes a marked entry. */
function describeEntry({ list: { fieldPath, rules }, entry }: Declaration, id: string): string {
  const { source = labelOf(rules, entry) } = isRecord(entry) ? entry : {};
  return `${source} in ${fieldPath.name} of ${canonicalId(id)}`;
}

/**
 * The object and each of its updates, since a resource of another type may send the same update.
 */
function claimsOf(resource: ResourceType, inputs: Properties, id: string): Claim[] {
  const isShared = resource.lifecycle !== undefined;
  const declared = fieldPathsOf(resource.fields).filter(
    ({ path }) => valueAt(inputs, path) !== undefined,
  );
  const carried = resource.updates.flatMap((operation): Claim[] => {
    const fields = declared.filter(({ field }) => field.sentWith.includes(operation));
    const names = fields.map(({ name }) => name).join(", ");
    // A part may have emptied a list that another resource declares now.
    const lists = fields.filter(
      ({ path, field }) =>
        field.list?.send === "addRemove" && !(isShared && isEmpty(valueAt(inputs, path))),
    );
    return [
      ...(isShared || names === ""
        ? []
        : [{ key: `${operation} ${id}`, thing: `${names} of ${id}` }]),
      ...lists.map(({ name }) => ({
        key: `${operation} ${name} ${id}`,
        thing: `${name} of ${id}`,
        isShared,
      })),
    ];
  });
  return [...objectClaims(resource, id), ...carried];
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Parts of one object do not conflict. */
function objectClaims({ title, lifecycle }: ResourceType, id: string): Claim[] {
  return lifecycle === undefined ? [{ key: `${title} ${id}`, thing: `${title} ${id}` }] : [];
}
