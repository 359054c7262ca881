import { isRecord, isUnknown, parseUrn } from "pulumi-clouddb-facts";
import type { Warning } from "../json-report";
import { isSecret, SECRET } from "../preview";

/** Redacts marked values, and values with secret names. */
export function redactValue(value: unknown, isSecretName: (name: string) => boolean): unknown {
  if (isSecret(value)) return SECRET;
  if (Array.isArray(value)) return value.map((inner) => redactValue(inner, isSecretName));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) ? SECRET : redactValue(inner, isSecretName),
    ]),
  );
}

export function formatValue(value: unknown): string {
  if (value === undefined) return "(none)";
  if (isUnknown(value)) return "known after apply";
  if (isSecret(value)) return SECRET;
  if (Array.isArray(value)) return `[${value.map(formatValue).join(", ")}]`;
  if (isRecord(value)) {
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${formatValue(inner)}`)
      .join(", ")} }`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** The first names, and the number of further names. */
export function joinFirst(names: readonly string[], most = 10): string {
  const rest = names.length - most;
  return names.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Sorted, because the order of steps may vary. */
export const joinNames = (names: readonly string[]): string => joinFirst([...names].sort());

/** A number with its noun, such as `1 resource`. */
export function countText(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function warningsOf(urn: string, reasons: readonly string[]): Warning[] {
  return reasons.map((reason) => ({ urn, name: parseUrn(urn).name, reason }));
}

/** Groups items by key, in the order of their first items. */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string) {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

/** Drops empty and false values, for `condition && text`. */
export function textsOf(...texts: readonly (string | false | undefined)[]): string[] {
  return texts.flatMap((text) => (text ? [text] : []));
}

/** A text that is independent of the order of an object's names. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "";
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join()}}`;
}
