import { kindOf } from "../kinds";
import { type Change, nameOf, type Properties } from "../preview";
import { hasUnknown, isObject, isSecret, masked, printOf } from "./values";

/** One property that a change is about. */
export interface PropertyChange {
  readonly place: string;
  readonly before: unknown;
  readonly after: unknown;
  /** For lists: what goes, and what comes. */
  readonly entries?: { readonly removed: readonly unknown[]; readonly added: readonly unknown[] };
  /** Only a new resource can have it. */
  readonly replaces: boolean;
  /** The names of the resources that a value comes from which is not known yet. */
  readonly sources: readonly string[];
}

/** What differs between the inputs of before and after, without anything secret. */
export function propertyChanges(change: Change, masks: readonly RegExp[]): PropertyChange[] {
  const kind = kindOf(change.type);
  const isSecretName = (name: string) => kind?.secrets.includes(name) ?? false;
  const safe = (properties: Properties | undefined) => masked(properties ?? {}, isSecretName, masks) as Properties;
  const [before, after] = [safe(change.before?.inputs), safe(change.after?.inputs)];
  const isTouched = (place: string) =>
    change.differing.some(
      (each) => each === place || (/^[.[]/.test(each.slice(place.length)) && each.startsWith(place)),
    );
  return between(before, after, "", isTouched).map((found) => {
    const [top = ""] = found.place.split(".");
    const sources = hasUnknown(found.after) ? (change.sources[top] ?? []).map(nameOf) : [];
    return { ...found, replaces: change.replacing.includes(top), sources };
  });
}

function between(
  before: Properties,
  after: Properties,
  prefix: string,
  isTouched: (place: string) => boolean,
): Omit<PropertyChange, "replaces" | "sources">[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const place = prefix + name;
    const [old, now] = [before[name], after[name]];
    // Two secrets look the same; the engine knows whether they are.
    if (isSecret(old) && isSecret(now)) return isTouched(place) ? [{ place, before: old, after: now }] : [];
    if (printOf(old) === printOf(now)) return [];
    if (isObject(old) && isObject(now)) return between(old, now, `${place}.`, isTouched);
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
