import { operations } from "../api/operations";
import type { ResourceType } from "../core/resource-type";
import { coded, type Message } from "../errors";
import {
  type Definition,
  type FieldPath,
  fieldPathsOf,
  hasUnknown,
  isRecord,
  type Properties,
  sharedFields,
  UNKNOWN,
  valueAt,
} from "../fields";
import { entriesOf } from "../fields/list";
import { parseUrn } from "./urn";

interface Claim {
  readonly key: string;
  /** The words for it after "both manage". */
  readonly thing: string;
  /** Several resources may manage a part of it each. */
  readonly isShared?: boolean;
}

/** The owners of objects that only one resource of a stack may manage. */
export interface Owners {
  /** Notes that the program declares a resource. */
  readonly declare: (urn: string) => void;
  /** The error if another resource already manages the declared object; none while the id is unknown. */
  readonly claim: (urn: string, type: ResourceType, inputs: Properties, id?: string) => Message | undefined;
  /** The error if another resource already manages the object, whatever this one declares. */
  readonly claimObject: (urn: string, type: ResourceType, id: string) => Message | undefined;
  readonly isFirstImport: () => boolean;
}

/** Owners for one run: the engine starts a plugin for each, and the first claim in it wins. */
export function createOwners(): Owners {
  const owners = new Map<string, { readonly urn: string; readonly isShared: boolean }>();
  const declared = new Set<string>();
  let hasImported = false;

  function take(urn: string, claims: readonly Claim[]): Message | undefined {
    for (const { key, thing, isShared = false } of claims) {
      // A refresh also compares resources under the URNs that they had before the program moved or renamed them.
      const place = `${declared.has(urn)} ${key}`;
      const owner = owners.get(place) ?? { urn, isShared };
      owners.set(place, owner);
      if (owner.urn === urn || (owner.isShared && isShared)) continue;
      return coded(
        "CDB4009",
        `"${parseUrn(owner.urn).name}" and "${parseUrn(urn).name}" both manage ${thing}, and each would undo the other's changes: keep only one of them.`,
      );
    }
    return undefined;
  }

  return {
    declare: (urn) => void declared.add(urn),
    claim: (urn, type, inputs, id = declaredId(type, inputs)) =>
      id === undefined ? undefined : take(urn, claimsOf(type, inputs, id.toLowerCase())),
    claimObject: (urn, type, id) => take(urn, objectClaims(type, id.toLowerCase())),
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
    const fields = declared.filter(({ field }) => field.operations.includes(operation));
    const names = fields.filter(({ field }) => field.list?.sharedAs === undefined).map(({ name }) => name);
    const object = names.length === 0 ? [] : [{ key: `${operation} ${id}`, thing: `${names.join(", ")} of ${id}` }];
    return [...object, ...fields.flatMap((fieldPath) => listClaims(fieldPath, operation, inputs, id))];
  });
  return [...objectClaims(type, id), ...carried];
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
    // As the program spells it, so that one that it marks as secret is redacted.
    const { source = key } = isRecord(entry) ? entry : {};
    return [{ key: `${whole.key} ${key}`, thing: `${source} in ${whole.thing}` }];
  });
  return [whole, ...claims];
}

/** Any number of resources may add entries to the same object. */
function objectClaims({ title, definition }: ResourceType, id: string): Claim[] {
  return sharedFields(definition).length > 0 ? [] : [{ key: `${title} ${id}`, thing: `${title} ${id}` }];
}

/** The argument that follows from the id. */
export function ownFields(type: ResourceType): FieldPath[] {
  const known = type.withId("id", {});
  return pathFields(type.definition).filter(({ name }) => known[name] !== undefined);
}

/** The ids in the paths of its requests. */
export function pathFields({ fields }: Definition): FieldPath[] {
  return fieldPathsOf(fields).filter(({ field }) => field.operations.includes("path"));
}
