import { isRecord, wideSources } from "pulumi-clouddb-facts";
import {
  distinct,
  entriesAt,
  entriesOf,
  type FieldPath,
  keepPositions,
  type ListRules,
  labelOf,
  type Properties,
  respell,
  withKeysOf,
  without,
  withoutKeys,
  withValue,
} from "../../fields";
import type { EntryFacts } from "./claims";

/*
 * The owners of entries in lists that several stacks share. The description of an entry names its
 * stack.
 */

const STACK = "[\\w.-]+/[\\w.-]+";
const ONLY_STACK = new RegExp(`^${STACK}$`);
const ENDING_WITH_STACK = new RegExp(` \\(${STACK}\\)$`);

/** A description that names a stack: `office (shop/production)`, or `shop/production` alone. */
export function withStack(text: string, stack: string): string {
  if (text === "") return stack;
  return namesStack(text, stack) ? text : `${text} (${stack})`;
}

/** A description without the stack that it names. */
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
  readonly state: Properties;
  readonly wanted: Properties;
  readonly factsOf: (list: string, key: string) => EntryFacts;
}

/**
 * One resource's part of a list: the entries on the object by owner, and the entries after the
 * change.
 */
export interface Part extends SharedList {
  readonly wanted: readonly unknown[];
  readonly own: readonly unknown[];
  readonly others: readonly unknown[];
  /** Own entries to be removed that the object does not show. */
  readonly unseen: readonly unknown[];
  /**
   * Own entries that pass to other resources of this command, in the spelling of these resources.
   */
  readonly passing: readonly unknown[];
  /** The entries after the change, without entries of other owners. */
  readonly goal: readonly unknown[];
}

/** Divides the entries on the object by owner, and works out the change. */
export function partOf(list: SharedList, ownership: Ownership, current: readonly unknown[]): Part {
  const { rules, sharedAs, fieldPath } = list;
  const { stack, state, factsOf } = ownership;
  const factsAbout = (entry: unknown) => factsOf(fieldPath.name, rules.key(entry));
  const wanted = entriesAt(ownership.wanted, fieldPath.path);
  const shared = new Set(entriesOf(state[sharedAs]).map(rules.key));
  const added = entriesAt(state, fieldPath.path).filter((entry) => !shared.has(rules.key(entry)));
  const found = withKeysOf(rules, current, wanted).filter((entry) => {
    const text = descriptionOf(entry);
    return namesStack(text, stack) || (withoutStack(text) === text && factsAbout(entry).isPassed);
  });
  const others = without(rules, current, [...added, ...found]);
  const own = respell(rules, [...added, ...wanted], without(rules, current, others));
  // A read may lag behind the request that added an entry, and an earlier removal may have failed.
  const unseen = withoutKeys(rules, added, [...current, ...wanted]);
  const dropped = withoutKeys(rules, [...own, ...unseen], wanted);
  const passing = dropped.flatMap((entry) => factsAbout(entry).heir?.entry ?? []);
  const goal = withoutKeys(
    rules,
    distinct(rules, [...wanted, ...passing]),
    withoutKeys(rules, others, own),
  );
  return { ...list, wanted, own, others, unseen, passing, goal };
}

function descriptionOf(entry: unknown): string {
  return isRecord(entry) && typeof entry.description === "string" ? entry.description : "";
}

/** The stored lists and outputs of a resource, where the object has `current`. */
export function stateOfPart(
  part: Part,
  current: readonly unknown[],
  state: Properties,
): Properties {
  const { rules, fieldPath, sharedAs, wanted, passing } = part;
  const foreign = without(rules, current, [...part.own, ...part.goal]);
  const own = withoutKeys(rules, without(rules, current, foreign), passing);
  const shared = withKeysOf(rules, withoutKeys(rules, wanted, own), foreign);
  const list = respell(rules, [...wanted, ...part.own], [...own, ...shared]);
  const withList = withValue(state, fieldPath.path, keepPositions(rules, wanted, list));
  return withValue(withList, [sharedAs], shared.map((entry) => labelOf(rules, entry)).sort());
}

/** Networks of other owners through which the object is open to everyone. */
export function openSourcesOf(parts: readonly Part[]): string[] {
  return parts.flatMap(({ others }) => wideSources(others));
}
