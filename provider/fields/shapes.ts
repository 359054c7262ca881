import { z } from "zod";

/*
 * Builders of argument schemas. Each says what a value must be, made from its own bounds, so that a bound
 * stands once.
 */

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
  if (max !== undefined && max !== MAX_SAFE_INTEGER) return `must be an integer from ${min} to ${max}${multiple}`;
  const isUnbounded = min === undefined || min === MIN_SAFE_INTEGER;
  return isUnbounded ? `must be an integer${multiple}` : `must be an integer of at least ${min}${multiple}`;
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

/** Servers trim: a text with whitespace at its ends would differ from what they return for ever. */
const ENDS = "must not start or end with whitespace";
const isTrimmed = (value: string) => value === value.trim();

/** A name, as people read it. */
export function label(error?: string): z.ZodString {
  return text(error).refine(isTrimmed, ENDS);
}

/** A text for people; may be empty. */
export function description(): z.ZodString {
  return z.string("must be a string").refine(isTrimmed, ENDS);
}

/** Identifiers also stand in request paths: a UUID cannot lead to another path. Upper case is the same. */
export function uuid() {
  return z.guid("must be a UUID such as 3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640").toLowerCase();
}

export function listOf<Entry extends z.ZodType>(entry: Entry): z.ZodArray<Entry> {
  return z.array(entry, "must be a list");
}

/** An object whose members are all named here. */
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
