import { canonicalId, hasUnknown, isRecord, UNKNOWN } from "pulumi-clouddb-facts";
import type { Field, ListRules } from "./field";

type Entries = readonly unknown[];

/** A text as texts of its form are compared. */
export function canonicalText<Value>(form: Field["form"], value: Value): Value | string {
  if (form === undefined || typeof value !== "string") return value;
  return form === "id" ? canonicalId(value.trim()) : value.trim();
}

/** The identity of entries that are ids. */
export const byId: Pick<ListRules, "key" | "canonical"> = {
  key: (id: string) => canonicalText("id", id),
  canonical: (id) => canonicalText("id", id),
};

/** An entry's key for messages and outputs. Ids keep their spelling. */
export function labelOf(rules: ListRules, entry: unknown): string {
  return typeof entry === "string" ? entry : rules.key(entry);
}

/** The entries of a list; empty for other values. */
export function entriesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** An entry's key; undefined if the entry is partly unknown. */
const keyOf = (rules: ListRules, entry: unknown) =>
  hasUnknown(entry) ? undefined : rules.key(entry);

/** Cached, because each operation compares a list many times. Known entries are immutable. */
const prints = new WeakMap<ListRules, WeakMap<object, string>>();

/**
 * The canonical form as text, equal for all spellings of an entry. An unknown entry equals no other
 * entry.
 */
function fingerprint(rules: ListRules, entry: unknown): string | symbol {
  const cache = prints.get(rules) ?? new WeakMap<object, string>();
  prints.set(rules, cache);
  const known = isRecord(entry) ? cache.get(entry) : undefined;
  if (known !== undefined) return known;
  if (hasUnknown(entry)) return Symbol("unknown");
  const print = JSON.stringify(rules.canonical(entry)) ?? Symbol("undefined");
  if (isRecord(entry) && typeof print === "string") cache.set(entry, print);
  return print;
}

/** A fast test for equal spelling, which most equal entries have. */
function isIdentical(one: unknown, other: unknown): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  for (const name in one) if (one[name] !== other[name]) return false;
  for (const name in other) if (!(name in one)) return false;
  return true;
}

/** Makes a test for entries of a list, in any spelling. */
function entryIn(rules: ListRules, list: Entries): (entry: unknown) => boolean {
  if (list.length === 0) return () => false;
  let byKey: Map<unknown, unknown> | undefined;
  let forms: Set<unknown> | undefined;
  return (entry) => {
    const key = keyOf(rules, entry);
    byKey ??= new Map(list.map((listed) => [keyOf(rules, listed), listed]));
    if (key === undefined || !byKey.has(key)) return false;
    const other = byKey.get(key);
    if (isIdentical(other, entry)) return true;
    // Computing forms takes time, and few lists repeat a key.
    if (byKey.size === list.length) return fingerprint(rules, other) === fingerprint(rules, entry);
    forms ??= new Set(list.map((listed) => fingerprint(rules, listed)));
    return forms.has(fingerprint(rules, entry));
  };
}

/** Makes a test for keys of a list. */
function keyIn(rules: ListRules, list: Entries): (entry: unknown) => boolean {
  if (list.length === 0) return () => false;
  let keys: Set<unknown> | undefined;
  return (entry) => {
    keys ??= new Set(list.map((other) => keyOf(rules, other)));
    return keys.has(keyOf(rules, entry));
  };
}

/** The entries that are not in another list. */
export function without(rules: ListRules, list: Entries, others: Entries): unknown[] {
  const isInOthers = entryIn(rules, others);
  return list.filter((entry) => !isInOthers(entry));
}

/** The entries that are also in another list. */
export function within(rules: ListRules, list: Entries, others: Entries): unknown[] {
  return list.filter(entryIn(rules, others));
}

/** The entries whose keys are not in another list. */
export function withoutKeys(rules: ListRules, list: Entries, others: Entries): unknown[] {
  const isInOthers = keyIn(rules, others);
  return list.filter((entry) => !isInOthers(entry));
}

/** The entries whose keys are also in another list. */
export function withKeysOf(rules: ListRules, list: Entries, others: Entries): unknown[] {
  return list.filter(keyIn(rules, others));
}

/** True if two lists have the same entries, in any order and spelling. */
export function sameEntries(rules: ListRules, one: Entries, other: Entries): boolean {
  const isRepeated =
    one.length === other.length &&
    one.every((entry, place) => isIdentical(entry, other[place]) && !hasUnknown(entry));
  return isRepeated || (one.every(entryIn(rules, other)) && other.every(entryIn(rules, one)));
}

/** The places of entries with the same key. An unknown entry repeats no other entry. */
export function repetitions(rules: ListRules, list: Entries) {
  const places = new Map<string, number>();
  return list.flatMap((entry, repeated) => {
    const key = keyOf(rules, entry);
    if (key === undefined) return [];
    const first = places.get(key);
    if (first !== undefined)
      return [{ first, repeated, isSame: sameEntries(rules, [list[first]], [entry]) }];
    places.set(key, repeated);
    return [];
  });
}

/** The list without repeated entries. */
export function distinct(rules: ListRules, list: Entries): unknown[] {
  const repeated = new Set(repetitions(rules, list).map((repetition) => repetition.repeated));
  return list.filter((_, place) => !repeated.has(place));
}

/**
 * Orders a list like an older one, since the engine compares lists by place. Entries with old keys
 * keep their places, new entries replace removed ones, the last entries fill remaining gaps, and
 * the rest is appended. Of several entries with one key, equal contents keep their place.
 */
export function keepPositions(rules: ListRules, old: Entries, list: Entries): unknown[] {
  // An entry with a known key may be partly unknown.
  const placeOf = (entry: unknown) => (entry === UNKNOWN ? UNKNOWN : rules.key(entry));
  const repeats = [old, list].some((all) => new Set(all.map(placeOf)).size < all.length);
  const ownPrint = (entry: unknown) => fingerprint(rules, entry);
  const placed: unknown[] = old.map(() => undefined);
  let others = list;
  for (const nameOf of repeats ? [ownPrint, placeOf] : [placeOf]) {
    const places = placesBy(nameOf, old);
    others = others.filter((entry) => {
      const free = places.get(nameOf(entry)) ?? [];
      let place = free.pop();
      while (place !== undefined && placed[place] !== undefined) place = free.pop();
      if (place !== undefined) placed[place] = entry;
      return place === undefined;
    });
  }
  // An iterator, because `shift` is slow for long lists.
  const next = others.values();
  for (let place = 0; place < placed.length; place += 1) {
    placed[place] ??= next.next().value ?? takeLastAfter(place, placed);
  }
  return [...placed, ...next].filter((entry) => entry !== undefined);
}

/** The places of entries by name. The first place comes last. */
function placesBy(nameOf: (entry: unknown) => unknown, list: Entries) {
  const places = new Map<unknown, number[]>();
  for (const [index, entry] of [...list.entries()].reverse()) {
    const name = nameOf(entry);
    const same = places.get(name);
    if (same === undefined) places.set(name, [index]);
    else same.push(index);
  }
  return places;
}

/** Removes and returns the last entry after a place, with trailing gaps. */
function takeLastAfter(place: number, placed: unknown[]): unknown {
  let last: unknown;
  while (last === undefined && placed.length > place + 1) last = placed.pop();
  return last;
}

/** The list, with the spelling of another list for common entries. */
export function respell(rules: ListRules, spelling: Entries, list: Entries): unknown[] {
  if (list.length === 0) return [];
  const byPrint = new Map(spelling.map((entry) => [fingerprint(rules, entry), entry]));
  return list.map((entry) => byPrint.get(fingerprint(rules, entry)) ?? entry);
}

/** The observed entries of a declared list, in the program's spelling and order. */
export function alignWithDeclared(
  rules: ListRules,
  declared: Entries,
  observed: Entries,
): unknown[] {
  const ours = rules.unmanaged === "remove" ? observed : withKeysOf(rules, observed, declared);
  const missing = rules.whenAbsent
    ? withoutKeys(rules, declared, observed).map(rules.whenAbsent)
    : [];
  return keepPositions(rules, declared, respell(rules, declared, [...ours, ...missing]));
}
