import type { Field } from "./field";

const LONGEST = 80;

/** A value as a message may show it: never a secret, never a wall of text. */
export function shown(field: Pick<Field, "secret">, value: unknown): string {
  if (field.secret) return "[secret]";
  if (value === undefined) return "(none)";
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** A provider setting as a user finds it: its configuration key and its environment variable. */
export function settingName(key: string): string {
  return `clouddb:${key} (${settingVariable(key)})`;
}

export function settingVariable(key: string): string {
  return `CLOUDDB_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
