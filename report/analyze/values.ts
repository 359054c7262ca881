import { isRecord, isUnknown } from "pulumi-clouddb-facts";
import { isSecret, SECRET } from "../preview";

const UNKNOWN = "known after apply";

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

/** A value on one line. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "(none)";
  if (isUnknown(value)) return UNKNOWN;
  if (isSecret(value)) return SECRET;
  if (Array.isArray(value)) return `[${value.map(formatValue).join(", ")}]`;
  if (isRecord(value)) {
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${formatValue(inner)}`)
      .join(", ")} }`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

const MOST_NAMES = 10;

/** The first names, and the number of further names. */
export function joinFirst(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Sorted, because the order of steps may vary. */
export const joinNames = (names: readonly string[]): string => joinFirst([...names].sort());

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
