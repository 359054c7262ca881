import { canonicalId, hasUnknown, isRecord, UNKNOWN } from "pulumi-clouddb-facts";
import type { Field, ListRules } from "./field";

type Entry = unknown;

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
export function labelOf(rules: ListRules, entry: Entry): string {
  return typeof entry === "string" ? entry : rules.key(entry);
}

/** The entries of a list; empty for other values. */
export function entriesOf(value: unknown): Entry[] {
  return Array.isArray(value) ? value : [];
}

/** An entry's key; undefined if the entry is partly unknown. */
const keyOf = (rules: ListRules, entry: Entry) =>
  hasUnknown(entry) ? undefined : rules.key(entry);

/** Cached, because each operation compares a list many times. Known entries are immutable. */
const prints = new WeakMap<ListRules, WeakMap<object, string>>();

/**
 * The canonical form as text, equal for all spellings of an entry. An unknown entry equals no other
 * entry.
 */
function fingerprint(rules: ListRules, entry: Entry): string | symbol {
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
function isIdentical(one: Entry, other: Entry): boolean {
  if (!isRecord(one) || !isRecord(other)) return one === other;
  for (const name in one) if (one[name] !== other[name]) return false;
  for (const name in other) if (!(name in one)) return false;
  return true;
}

/**
 * Tests whether a list lacks a known entry, by canonical form. Only entries with equal keys can
 * have equal forms.
 */
function lackedBy(rules: ListRules, list: readonly Entry[]): (entry: Entry) => boolean {
  const byKey = new Map<string, Entry | Set<string | symbol>>();
  for (const entry of list) {
    const key = keyOf(rules, entry);
    if (key === undefined) continue;
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, entry);
    else if (same instanceof Set) same.add(fingerprint(rules, entry));
    else if (!isIdentical(same, entry))
      byKey.set(key, new Set([fingerprint(rules, same), fingerprint(rules, entry)]));
  }
  return (entry) => {
    const key = keyOf(rules, entry);
    const same = key === undefined ? undefined : byKey.get(key);
    if (same === undefined) return true;
    if (same instanceof Set) return !same.has(fingerprint(rules, entry));
    return !isIdentical(same, entry) && fingerprint(rules, same) !== fingerprint(rules, entry);
  };
}

/** The entries that are not in another list. */
export function without(
  rules: ListRules,
  list: readonly Entry[],
  others: readonly Entry[],
): Entry[] {
  if (list.length === 0 || others.length === 0) return [...list];
  return list.filter(lackedBy(rules, others));
}

/** The entries that are also in another list. */
export function within(
  rules: ListRules,
  list: readonly Entry[],
  others: readonly Entry[],
): Entry[] {
  if (list.length === 0 || others.length === 0) return [];
  const isLacking = lackedBy(rules, others);
  return list.filter((entry) => !isLacking(entry));
}

/** True if two lists have the same entries, in any order and spelling. */
export function sameEntries(
  rules: ListRules,
  one: readonly Entry[],
  other: readonly Entry[],
): boolean {
  const isRepeated =
    one.length === other.length &&
    one.every((entry, place) => isIdentical(entry, other[place]) && !hasUnknown(entry));
  return isRepeated || (!one.some(lackedBy(rules, other)) && !other.some(lackedBy(rules, one)));
}

/** The entries whose keys are not in another list. */
export function withoutKeys(
  rules: ListRules,
  list: readonly Entry[],
  others: readonly Entry[],
): Entry[] {
  if (list.length === 0 || others.length === 0) return [...list];
  const keys = new Set(others.map((entry) => keyOf(rules, entry)));
  return list.filter((entry) => !keys.has(keyOf(rules, entry)));
}

/** The entries whose keys are also in another list. */
export function withKeysOf(
  rules: ListRules,
  list: readonly Entry[],
  others: readonly Entry[],
): Entry[] {
  if (list.length === 0 || others.length === 0) return [];
  const keys = new Set(others.map((entry) => keyOf(rules, entry)));
  return list.filter((entry) => keys.has(keyOf(rules, entry)));
}

/** Two places with the same key. */
interface Repetition {
  readonly first: number;
  readonly repeated: number;
  readonly isSame: boolean;
}

/** Repeated entries of a list. An unknown entry repeats no other entry. */
export function repetitions(rules: ListRules, list: readonly Entry[]): Repetition[] {
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
export function distinct(rules: ListRules, list: readonly Entry[]): Entry[] {
  const repeated = new Set(repetitions(rules, list).map((repetition) => repetition.repeated));
  return list.filter((_, place) => !repeated.has(place));
}

/**
 * Orders a list like an older one, since the engine compares lists by place. Entries with old keys
 * keep their places, new entries replace removed ones, the last entries fill remaining gaps, and
 * the rest is appended. Of several entries with one key, equal contents keep their place.
 */
export function keepPositions(
  rules: ListRules,
  old: readonly Entry[],
  list: readonly Entry[],
): Entry[] {
  // An entry with a known key may be partly unknown.
  const placeOf = (entry: Entry) => (entry === UNKNOWN ? UNKNOWN : rules.key(entry));
  const repeats = [old, list].some((all) => new Set(all.map(placeOf)).size < all.length);
  const ownPrint = (entry: Entry) => fingerprint(rules, entry);
  const placed: Entry[] = old.map(() => undefined);
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
function placesBy(nameOf: (entry: Entry) => unknown, list: readonly Entry[]) {
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
function takeLastAfter(place: number, placed: Entry[]): Entry {
  let last: Entry;
  while (last === undefined && placed.length > place + 1) last = placed.pop();
  return last;
}

/** The list, with the spelling of another list for common entries. */
export function respell(
  rules: ListRules,
  spelling: readonly Entry[],
  list: readonly Entry[],
): Entry[] {
  if (list.length === 0) return [];
  const byPrint = new Map(spelling.map((entry) => [fingerprint(rules, entry), entry]));
  return list.map((entry) => byPrint.get(fingerprint(rules, entry)) ?? entry);
}

/** The observed entries of a declared list, in the program's spelling and order. */
export function alignWithDeclared(
  rules: ListRules,
  declared: readonly Entry[],
  observed: readonly Entry[],
): Entry[] {
  const ours = rules.unmanaged === "remove" ? observed : withKeysOf(rules, observed, declared);
  const missing = rules.whenAbsent
    ? withoutKeys(rules, declared, observed).map(rules.whenAbsent)
    : [];
  return keepPositions(rules, declared, respell(rules, declared, [...ours, ...missing]));
}
