import { z } from "zod";
import type { Field } from "./field";

const LONGEST = 80;

/** A value as a message may show it: never a secret, never a wall of text. */
export function shown(field: Pick<Field, "secret">, value: unknown): string {
  if (field.secret) return "[secret]";
  if (value === undefined) return "(none)";
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The same where nobody can tell whether the program calls a free text a secret. */
export function shownUnlessFree(field: Field, value: unknown): string {
  const isFree = field.schema instanceof z.ZodString && !(field.schema instanceof z.ZodStringFormat);
  return isFree && !field.secret && typeof value === "string" ? "(a text)" : shown(field, value);
}

/** A provider setting as a user finds it: its configuration key and its environment variable. */
export function settingName(key: string): string {
  return `clouddb:${key} (${settingVariable(key)})`;
}

export function settingVariable(key: string): string {
  return `CLOUDDB_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
