import type { ListRules } from "./field";
import { hasUnknown, UNKNOWN } from "./unknown";

/** An entry of a list with set semantics; its table's schema guards the shape. */
type Entry = never;

/** A list that is there, or an empty one: what is not a list yet has no entries. */
export function entriesOf(value: unknown): Entry[] {
  return Array.isArray(value) ? (value as Entry[]) : [];
}

function keyOf(rules: ListRules, entry: Entry): string | undefined {
  return hasUnknown(entry) ? undefined : rules.key(entry);
}

/** The canonical form as text: equal for two spellings of the same entry, and never equal for an unknown one. */
function printOf(rules: ListRules, entry: Entry): string | symbol {
  return hasUnknown(entry) ? Symbol("unknown") : JSON.stringify(rules.canonical(entry));
}

/** The entries of one list that another has not, compared in canonical form. */
export function without(rules: ListRules, list: readonly Entry[], others: readonly Entry[]): Entry[] {
  const prints = new Set(others.map((entry) => printOf(rules, entry)));
  return list.filter((entry) => !prints.has(printOf(rules, entry)));
}

/** True where two lists hold the same entries, whatever their order and spelling. */
export function sameEntries(rules: ListRules, one: readonly Entry[], other: readonly Entry[]): boolean {
  return without(rules, one, other).length === 0 && without(rules, other, one).length === 0;
}

/** The entries of one list whose key another has not. */
export function withoutKeys(rules: ListRules, list: readonly Entry[], others: readonly Entry[]): Entry[] {
  const keys = new Set(others.map((entry) => keyOf(rules, entry)));
  return list.filter((entry) => !keys.has(keyOf(rules, entry)));
}

/** The entries of one list whose key another has. */
export function withKeysOf(rules: ListRules, list: readonly Entry[], others: readonly Entry[]): Entry[] {
  const keys = new Set(others.map((entry) => keyOf(rules, entry)));
  return list.filter((entry) => keys.has(keyOf(rules, entry)));
}

/** The entries that both lists have, as the first one spells them. */
export function common(rules: ListRules, list: readonly Entry[], others: readonly Entry[]): Entry[] {
  return without(rules, list, without(rules, list, others));
}

/** The list without repeated entries; one whose key is unknown stays, since nobody can tell yet. */
export function distinct(rules: ListRules, list: readonly Entry[]): Entry[] {
  const keys = new Set<string>();
  return list.filter((entry) => {
    const key = keyOf(rules, entry);
    if (key === undefined) return true;
    return !keys.has(key) && keys.add(key);
  });
}

/** The list in the order of another one, with what is new behind: a preview then shows one entry where one changed. */
export function inOrderOf(rules: ListRules, order: readonly Entry[], list: readonly Entry[]): Entry[] {
  // Here an entry may be partly unknown, as long as its key is not.
  const placeOf = (entry: Entry) => (entry === UNKNOWN ? UNKNOWN : rules.key(entry));
  const ranks = new Map(order.map((entry, index) => [placeOf(entry), index]));
  const ranked = list.map((entry) => ({ entry, rank: ranks.get(placeOf(entry)) ?? order.length }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ entry }) => entry);
}

/** The list with each entry as another list spells it, where that list has it. */
export function spelledAs(rules: ListRules, spelling: readonly Entry[], list: readonly Entry[]): Entry[] {
  const byPrint = new Map(spelling.map((entry) => [printOf(rules, entry), entry]));
  return list.map((entry) => byPrint.get(printOf(rules, entry)) ?? entry);
}

/** Keys that stand in a list with two different contents. */
export function contradictions(rules: ListRules, list: readonly Entry[]): string[] {
  const prints = new Map<string, string | symbol>();
  const found = new Set<string>();
  for (const entry of list) {
    const key = keyOf(rules, entry);
    if (key === undefined) continue;
    const print = printOf(rules, entry);
    if (prints.has(key) && prints.get(key) !== print) found.add(key);
    prints.set(key, print);
  }
  return [...found];
}
