import { z } from "zod";
import { coded, type Message } from "../errors";
import type { Field } from "./field";
import type { FieldPath } from "./paths";

/**
 * The value as a message may show it, or nothing. A free text is never repeated: a program may have marked it secret,
 * and a handler cannot see that.
 */
export function displayValue({ schema, secret }: Pick<Field, "schema" | "secret">, value: unknown): string | undefined {
  if (secret) return undefined;
  if (typeof value === "number" || typeof value === "boolean") {
    return schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean ? String(value) : undefined;
  }
  const isListed = schema instanceof z.ZodEnum || schema instanceof z.ZodStringFormat;
  return isListed && schema.safeParse(value).success ? JSON.stringify(value) : undefined;
}

/** The name of an argument with its value behind it, where that may be shown. */
export function nameWithValue(name: string, field: Pick<Field, "schema" | "secret">, value: unknown): string {
  return [name, displayValue(field, value)].filter((part) => part !== undefined).join(" ");
}

/** The warning about a deprecated argument; undefined for any other. */
export function describeDeprecation({
  name,
  field: { deprecated },
}: Pick<FieldPath, "name" | "field">): Message | undefined {
  return deprecated === undefined ? undefined : coded("CDB1013", `${name} is deprecated. ${deprecated}`);
}
