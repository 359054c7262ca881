import type { Redact } from "./masks";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const UNKNOWNS = [
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
];
const SECRET_MARK = "1b47061264138c4ac30d75fd1eb44270";

export const SECRET = "[secret]";
export const UNKNOWN = "known after apply";

export function isUnknown(value: unknown): boolean {
  return typeof value === "string" && UNKNOWNS.includes(value);
}

export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) ? Object.values(value).some(hasUnknown) : isUnknown(value);
}

export function isSecret(value: unknown): boolean {
  return value === SECRET || (isObject(value) && value[SIGNATURE] === SECRET_MARK);
}

export function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  return isSecret(value) || (isObject(value) && Object.values(value).some(hasSecret));
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy without secrets: values the engine has marked, values under these names, and what is redacted in texts. */
export function redactValue(value: unknown, isSecretName: (name: string) => boolean, redact: Redact): unknown {
  if (isSecret(value)) return SECRET;
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((inner) => redactValue(inner, isSecretName, redact));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      redact(name),
      isSecretName(name) ? SECRET : redactValue(inner, isSecretName, redact),
    ]),
  );
}

/** A value on one line. */
export function formatValue(value: unknown): string {
  if (value === undefined) return "(none)";
  if (isUnknown(value)) return UNKNOWN;
  if (isSecret(value)) return SECRET;
  if (Array.isArray(value)) return `[${value.map(formatValue).join(", ")}]`;
  if (isObject(value)) {
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${formatValue(inner)}`)
      .join(", ")} }`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** A text that does not depend on the order of an object's names. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "";
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name])}`).join()}}`;
}
