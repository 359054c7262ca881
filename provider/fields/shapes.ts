import { z } from "zod";

/*
 * Builders of argument schemas. Each says what is allowed as an instruction, made from its own bounds,
 * so that a bound stands once.
 */

interface NumberBounds {
  readonly min: number;
  readonly max?: number;
  readonly multipleOf?: number;
}

export function atLeast(min: number): z.ZodNumber {
  const error = `use a number of at least ${min}`;
  return z.number(error).min(min, error);
}

export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER, multipleOf = 1 }: NumberBounds): z.ZodNumber {
  const multiple = multipleOf === 1 ? "" : ` that is a multiple of ${multipleOf}`;
  const error = `use a whole number from ${min} to ${max}${multiple}`;
  return z.number(error).int(error).min(min, error).max(max, error).multipleOf(multipleOf, error);
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `use one of ${values.join(", ")}`);
}

export function flag(): z.ZodBoolean {
  return z.boolean("use true or false");
}

export function text(error = "use a text that is not empty"): z.ZodString {
  return z.string(error).min(1, error);
}

/** Servers trim: a text with white space at its edges would differ from what they answer for ever. */
const EDGES = "leave out the white space at its edges";
const isTrimmed = (value: string) => value === value.trim();

/** A name, as people read it. */
export function label(error?: string): z.ZodString {
  return text(error).refine(isTrimmed, EDGES);
}

/** What people are told about something; it may be empty. */
export function description(): z.ZodString {
  return z.string("use a text").refine(isTrimmed, EDGES);
}

/** Identifiers also stand in request paths: a UUID cannot lead to another path. Upper case is the same. */
export function uuid() {
  return z.guid("use a UUID such as 3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640").toLowerCase();
}

export function listOf<Entry extends z.ZodType>(entry: Entry): z.ZodArray<Entry> {
  return z.array(entry, "use a list");
}

/** An object whose members are all named here. */
export function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `it has no ${firstFew(issue.keys)}; it has ${Object.keys(shape).join(", ")}`
        : `use an object with ${Object.keys(shape).join(", ")}`,
  });
}

const MOST_NAMES = 10;

function firstFew(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return more > 0 ? `${names.slice(0, MOST_NAMES).join(", ")} and ${more} more` : names.join(", ");
}
