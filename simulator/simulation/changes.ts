import type { State, StateChange } from "../state/state";

/** The values that a request changed, by their path in the service or organization: `pipes.<id>.settings.<name>`. */
export type Changes = Readonly<Record<string, ValueChange | ListChange>>;

interface ValueChange {
  readonly before?: unknown;
  readonly after?: unknown;
}

interface ListChange {
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
}

/** Compares a change with the state that it is still to be applied to. Undefined for a creation. */
export function describeChanges({ organizations }: State, { organization, service }: StateChange): Changes | undefined {
  const previous = service ? organization.services.get(service.id) : organizations.get(organization.id);
  return previous && Object.fromEntries(compare(previous, service ?? organization, []));
}

function compare(before: unknown, after: unknown, path: readonly string[]): [string, Changes[string]][] {
  // Most values are shared with the version before.
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const [removed, added] = [without(before, after), without(after, before)];
    if (removed.length + added.length > 0) return [[path.join("."), { removed, added }]];
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [[path.join("."), { before, after }]];
  }
  const [one, other] = [membersOf(before), membersOf(after)];
  if (one === undefined || other === undefined) return [[path.join("."), { before, after }]];
  return Object.keys({ ...one, ...other }).flatMap((name) => compare(one[name], other[name], [...path, name]));
}

function without(list: readonly unknown[], others: readonly unknown[]): unknown[] {
  const texts = new Set(others.map((item) => JSON.stringify(item)));
  return list.filter((item) => !texts.has(JSON.stringify(item)));
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (value instanceof Map) return Object.fromEntries(value);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
