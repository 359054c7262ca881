import { hasUnknown, UNKNOWN } from "./engine-values";
import type { ListRules } from "./field";

type Entry = unknown;

/** A list that is there, or an empty one: what is not a list yet has no entries. */
export function entriesOf(value: unknown): Entry[] {
  return Array.isArray(value) ? value : [];
}

function keyOf(rules: ListRules, entry: Entry): string | undefined {
  return hasUnknown(entry) ? undefined : rules.key(entry);
}

/** The canonical form as text: equal for two spellings of the same entry, and never equal for an unknown one. */
function fingerprint(rules: ListRules, entry: Entry): string | symbol {
  return hasUnknown(entry) ? Symbol("unknown") : JSON.stringify(rules.canonical(entry));
}

/** The entries of one list that another has not, compared in canonical form. */
export function without(rules: ListRules, list: readonly Entry[], others: readonly Entry[]): Entry[] {
  const prints = new Set(others.map((entry) => fingerprint(rules, entry)));
  return list.filter((entry) => !prints.has(fingerprint(rules, entry)));
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
    const isFirst = !keys.has(key);
    keys.add(key);
    return isFirst;
  });
}

/**
 * The list in the places of an older one, since the engine compares lists by place: an entry whose key stays keeps its
 * place, new ones fill the places of those that went, places still open are filled from the end, the rest is appended.
 */
export function keepPositions(rules: ListRules, old: readonly Entry[], list: readonly Entry[]): Entry[] {
  // Here an entry may be partly unknown, as long as its key is not.
  const placeOf = (entry: Entry) => (entry === UNKNOWN ? UNKNOWN : rules.key(entry));
  const places = new Map(old.map((entry, index) => [placeOf(entry), index]));
  const placed: Entry[] = old.map(() => undefined);
  const others: Entry[] = [];
  for (const entry of list) {
    const place = places.get(placeOf(entry));
    if (place === undefined || placed[place] !== undefined) others.push(entry);
    else placed[place] = entry;
  }
  // Taking from the beginning of a long list would move the rest each time.
  const next = others.values();
  for (let place = 0; place < placed.length; place += 1) {
    placed[place] ??= next.next().value ?? takeLastAfter(place, placed);
  }
  return [...placed, ...next].filter((entry) => entry !== undefined);
}

/** Takes the last entry out of a list, with the open places around it, as far as it stands behind a place. */
function takeLastAfter(place: number, placed: Entry[]): Entry {
  let last: Entry;
  while (last === undefined && placed.length > place + 1) last = placed.pop();
  return last;
}

/** The list with each entry as another list spells it, where that list has it. */
export function respell(rules: ListRules, spelling: readonly Entry[], list: readonly Entry[]): Entry[] {
  const byPrint = new Map(spelling.map((entry) => [fingerprint(rules, entry), entry]));
  return list.map((entry) => byPrint.get(fingerprint(rules, entry)) ?? entry);
}

/** The entries that a response shows and a declared list speaks about, in the program's own places and spelling. */
export function alignWithDeclared(rules: ListRules, declared: readonly Entry[], observed: readonly Entry[]): Entry[] {
  const ours = rules.unmanaged === "remove" ? observed : withKeysOf(rules, observed, declared);
  const missing = rules.whenAbsent ? withoutKeys(rules, declared, observed).map(rules.whenAbsent) : [];
  return keepPositions(rules, declared, respell(rules, declared, [...ours, ...missing]));
}

/** The places of entries that have one key and different contents. */
export function conflictingEntries(rules: ListRules, list: readonly Entry[]): [number, number][] {
  const firstByKey = new Map<string, { index: number; print: string | symbol }>();
  const conflicts: [number, number][] = [];
  for (const [index, entry] of list.entries()) {
    const key = keyOf(rules, entry);
    if (key === undefined) continue;
    const print = fingerprint(rules, entry);
    const first = firstByKey.get(key);
    if (first === undefined) firstByKey.set(key, { index, print });
    else if (first.print !== print) conflicts.push([first.index, index]);
  }
  return conflicts;
}
