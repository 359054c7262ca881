import { kindOf } from "../kinds";
import { type Change, nameOf, type Properties } from "../preview";
import { hasSecret, hasUnknown, hideIn, isObject, isSecret, masked, printOf, SECRET } from "./values";

/** One property that a change is about. */
export interface PropertyChange {
  readonly place: string;
  readonly before: unknown;
  readonly after: unknown;
  /** For lists: what goes, and what comes. */
  readonly entries?: { readonly removed: readonly unknown[]; readonly added: readonly unknown[] };
  /** Only a new resource can have it. */
  readonly replaces: boolean;
  /** It is no longer declared: the server keeps the value, and Pulumi no longer manages it. */
  readonly isReleased: boolean;
  /** The names of the resources that a value comes from which is not known yet. */
  readonly sources: readonly string[];
}

/** What differs between the inputs of before and after, without anything secret. */
export function propertyChanges(change: Change, masks: readonly RegExp[]): PropertyChange[] {
  const kind = kindOf(change.type);
  const isSecretName = (name: string) => kind?.secrets.includes(name) ?? false;
  const hidden = (value: unknown, place: string) =>
    isSecretName(place.split(".").at(-1) ?? "") && value !== undefined ? SECRET : masked(value, isSecretName, masks);
  const isTouched = (place: string) => change.differing.some((each) => isWithin(each, place) || isWithin(place, each));
  // Compared as they are, and hidden afterwards: two values may look the same and be none.
  return between(change.before?.inputs ?? {}, change.after?.inputs ?? {}, "", isTouched).map((found) => {
    const [top = ""] = found.place.split(".");
    const isReleased = kind !== undefined && change.operation === "update" && found.after === undefined;
    const list = (entries: readonly unknown[]) => entries.map((entry) => hidden(entry, found.place));
    return {
      place: hideIn(found.place, masks),
      before: hidden(found.before, found.place),
      after: hidden(found.after, found.place),
      ...(!isReleased &&
        found.entries && { entries: { removed: list(found.entries.removed), added: list(found.entries.added) } }),
      isReleased,
      replaces: change.replacing.includes(top),
      sources: hasUnknown(found.after) ? (change.sources[top] ?? []).map(nameOf) : [],
    };
  });
}

/** `a.b[1].c` is within `a`, `a.b` and `a.b[1]`. */
function isWithin(place: string, outer: string): boolean {
  return place === outer || (place.startsWith(outer) && /^[.[]/.test(place.slice(outer.length)));
}

function between(
  before: Properties,
  after: Properties,
  prefix: string,
  isTouched: (place: string) => boolean,
): Omit<PropertyChange, "replaces" | "sources" | "isReleased">[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const place = prefix + name;
    const [old, now] = [before[name], after[name]];
    if (isObject(old) && isObject(now) && !isSecret(old) && !isSecret(now)) {
      return between(old, now, `${place}.`, isTouched);
    }
    // Two secrets look the same; the engine knows whether they are.
    if (printOf(old) === printOf(now))
      return hasSecret(now) && isTouched(place) ? [{ place, before: old, after: now }] : [];
    const [from, to] = Array.isArray(old) || Array.isArray(now) ? [listOf(old), listOf(now)] : [];
    if (from === undefined || to === undefined) return [{ place, before: old, after: now }];
    const [removed, added] = [without(from, to), without(to, from)];
    const entries = removed.length + added.length > 0 && { entries: { removed, added } };
    return [{ place, before: old, after: now, ...entries }];
  });
}

/** What is not declared has no entries; what is no list, or not known yet, is none. */
function listOf(value: unknown): readonly unknown[] | undefined {
  return value === undefined ? [] : Array.isArray(value) ? value : undefined;
}

function without(list: readonly unknown[], others: readonly unknown[]): unknown[] {
  const prints = new Set(others.map(printOf));
  return list.filter((entry) => !prints.has(printOf(entry)));
}
