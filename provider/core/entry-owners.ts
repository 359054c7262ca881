import { isRecord, wideSources } from "pulumi-clouddb-facts";
import {
  distinct,
  entriesAt,
  entriesOf,
  type FieldPath,
  keepPositions,
  type ListRules,
  type Properties,
  respell,
  withKeysOf,
  without,
  withoutKeys,
  withValue,
} from "../fields";
import type { Heir } from "./owners";

/*
 * The owners of entries in lists that several stacks share. The description of an entry names its stack.
 */

const STACK = "[\\w.-]+/[\\w.-]+";
const ONLY_STACK = new RegExp(`^${STACK}$`);
const ENDING_WITH_STACK = new RegExp(` \\(${STACK}\\)$`);

/** A description that names a stack: `office (shop/production)`, or `shop/production` alone. */
export function withStack(text: string, stack: string): string {
  if (text === "") return stack;
  return namesStack(text, stack) ? text : `${text} (${stack})`;
}

/** A description without the stack that it names, whichever that is. */
export function withoutStack(text: string): string {
  return ONLY_STACK.test(text) ? "" : text.replace(ENDING_WITH_STACK, "");
}

function namesStack(text: string, stack: string): boolean {
  return text === stack || text.endsWith(` (${stack})`);
}

/** A list that several owners share. */
export interface SharedList {
  readonly fieldPath: FieldPath;
  readonly rules: ListRules;
  /** The output that names the declared entries of other owners. */
  readonly sharedAs: string;
}

/** The facts that decide which entries belong to a resource. */
export interface Ownership {
  readonly stack: string;
  readonly stored: Properties;
  readonly wanted: Properties;
  /** Arguments that an earlier release recorded before it added their entries. */
  readonly recorded?: Properties | undefined;
  /** The resource of this command that declares an entry. */
  readonly heirOf: (list: string, key: string) => Heir | undefined;
  /** True for an entry that another resource of this command has given up. */
  readonly hasPassed: (list: string, key: string) => boolean;
  readonly hasRemoved: (list: string, key: string) => boolean;
}

/** One resource's part of a list: the entries on the object, by owner, and the change that the resource needs. */
export interface Part extends SharedList {
  readonly wanted: readonly unknown[];
  readonly own: readonly unknown[];
  readonly others: readonly unknown[];
  /** Own entries that are no longer wanted, as other resources of this command declare them. */
  readonly heirs: readonly Heir[];
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
}

/** Divides the entries on the object by owner, and works out the change. */
export function partOf(list: SharedList, ownership: Ownership, current: readonly unknown[]): Part {
  const { rules, sharedAs, fieldPath } = list;
  const { name, path } = fieldPath;
  const { stored, hasPassed, hasRemoved } = ownership;
  const wanted = entriesAt(ownership.wanted, path);
  const shared = entriesOf(stored[sharedAs]);
  const added = entriesAt(stored, path).filter((entry) => !shared.includes(rules.key(entry)));
  const known = [...added, ...entriesAt(ownership.recorded ?? {}, path)];
  const found = withKeysOf(rules, current, wanted).filter((entry) => {
    const text = descriptionOf(entry);
    return namesStack(text, ownership.stack) || (withoutStack(text) === text && hasPassed(name, rules.key(entry)));
  });
  const others = without(rules, current, [...known, ...found]);
  const own = respell(rules, [...known, ...wanted], without(rules, current, others));
  // A read may lag behind the request that added an entry.
  const unseen = withoutKeys(rules, added, current).filter((entry) => !hasRemoved(name, rules.key(entry)));
  const dropped = withoutKeys(rules, distinct(rules, [...own, ...unseen]), wanted);
  const heirs = dropped.flatMap((entry) => ownership.heirOf(name, rules.key(entry)) ?? []);
  const goal = withoutKeys(rules, [...wanted, ...entriesOfHeirs(heirs)], withoutKeys(rules, others, own));
  const removed = without(rules, distinct(rules, [...own, ...dropped]), goal);
  return { ...list, wanted, own, others, heirs, removed, added: without(rules, goal, own) };
}

function descriptionOf(entry: unknown): string {
  return isRecord(entry) && typeof entry.description === "string" ? entry.description : "";
}

function entriesOfHeirs(heirs: readonly Heir[]): unknown[] {
  return heirs.map(({ entry }) => entry);
}

/** The list after a part's change. */
export function afterChange({ rules, removed, added }: Part, current: readonly unknown[]): unknown[] {
  return [...withoutKeys(rules, current, [...removed, ...added]), ...added];
}

/** One change for the parts of several resources, in their order. It holds each entry once. */
export function mergeChanges(parts: readonly Part[]): { readonly removed: unknown[]; readonly added: unknown[] } {
  const [rules] = parts.map((part) => part.rules);
  let [removed, added]: [unknown[], unknown[]] = [[], []];
  if (rules === undefined) return { removed, added };
  for (const part of parts) {
    // Entries that a part before this one adds are not on the object yet.
    removed = distinct(rules, [...removed, ...without(rules, part.removed, added)]);
    added = [...withoutKeys(rules, added, [...part.removed, ...part.added]), ...part.added];
  }
  return { removed: without(rules, removed, added), added: without(rules, added, removed) };
}

/** The stored lists and outputs of a resource, where the object has `current`. */
export function stateOfPart(part: Part, current: readonly unknown[], state: Properties): Properties {
  const { rules, fieldPath, sharedAs, wanted, heirs } = part;
  const foreign = without(rules, current, [...part.own, ...part.added]);
  const own = withoutKeys(rules, without(rules, current, foreign), entriesOfHeirs(heirs));
  const shared = withKeysOf(rules, withoutKeys(rules, wanted, own), foreign);
  const list = respell(rules, [...wanted, ...part.own], [...own, ...shared]);
  const withList = withValue(state, fieldPath.path, keepPositions(rules, wanted, list));
  return withValue(withList, [sharedAs], shared.map(rules.key).sort());
}

/** Networks of other owners through which the object is open to everyone. */
export function openSourcesOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ others }) => wideSources(others));
}
