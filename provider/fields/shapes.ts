import { z } from "zod";

/* Builds argument schemas. Their messages contain the bounds. */

interface IntegerBounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly multipleOf?: number | undefined;
}

const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number;

export function wholeNumber(bounds: IntegerBounds = {}): z.ZodNumber {
  const { min = MIN_SAFE_INTEGER, max = MAX_SAFE_INTEGER, multipleOf = 1 } = bounds;
  const error = integerRule(bounds);
  return z.number(error).int(error).min(min, error).max(max, error).multipleOf(multipleOf, error);
}

/** The bounds in words, such as `must be an integer from 8 to 356 and a multiple of 4`. */
export function integerRule({ min, max, multipleOf = 1 }: IntegerBounds): string {
  const multiple = multipleOf === 1 ? "" : ` and a multiple of ${multipleOf}`;
  if (max !== undefined && max !== MAX_SAFE_INTEGER)
    return `must be an integer from ${min} to ${max}${multiple}`;
  const isUnbounded = min === undefined || min === MIN_SAFE_INTEGER;
  return isUnbounded
    ? `must be an integer${multiple}`
    : `must be an integer of at least ${min}${multiple}`;
}

export function choice<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

export function flag(): z.ZodBoolean {
  return z.boolean("must be true or false");
}

export function text(error = "must be a non-empty string"): z.ZodString {
  return z.string(error).min(1, error);
}

/** Servers trim texts, so a text with surrounding white space would always differ. */
const ENDS = "must not start or end with whitespace";
const isTrimmed = (value: string) => value === value.trim();

/** A name for people. */
export function label(error?: string): z.ZodString {
  return text(error).refine(isTrimmed, ENDS);
}

/** Text for people; may be empty. */
export function description(): z.ZodString {
  return z.string("must be a string").refine(isTrimmed, ENDS);
}

/** An id in a request's path: a UUID cannot lead to a different path. */
export function uuid() {
  return z.guid("must be a UUID such as 3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640").toLowerCase();
}

export function listOf<Entry extends z.ZodType>(entry: Entry): z.ZodArray<Entry> {
  return z.array(entry, "must be a list");
}

/** An object that accepts no other members. */
export function record<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `must contain only ${Object.keys(shape).join(", ")}; got ${firstFew(issue.keys)}`
        : `must be an object with ${Object.keys(shape).join(", ")}`,
  });
}

const MAX_NAMES = 10;

function firstFew(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(", ")} and ${more} more` : names.join(", ");
}
