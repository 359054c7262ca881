import { z } from "zod";
import type { Message } from "../errors";

/** An argument of a resource: all its properties, in one place. */
export interface Field<Value = unknown, Operation extends string = string> {
  /** The type and bounds of a known value. */
  readonly schema: z.ZodType<Value>;
  /** The remaining rules if a setting allows values outside the schema. */
  readonly unlisted?: z.ZodType;
  /** A description in a sentence or two. Bounds and defaults are added from other properties. */
  readonly description: string;
  /**
   * The effect of a new value: an update, a replacement, or none. An ignored value is sent at
   * creation, and with other members of its group.
   */
  readonly onChange: "update" | "replace" | "ignore";
  /** The operations that send the value. */
  readonly sentWith: readonly Operation[];
  /**
   * The form of texts, including list entries. An `id` or a `locator`, such as a role, is trimmed.
   * Ids are compared without case, and a `document` without surrounding white space.
   */
  readonly form?: "id" | "locator" | "document";
  /** Set for an ID in request paths. */
  readonly inPath?: true;
  /** The API's name for the argument, if different. */
  readonly apiName?: string;
  /**
   * Set if responses contain the value. `ifSet`: omitted unless set. Secrets in responses are
   * ignored.
   */
  readonly inResponse?: true | "ifSet";
  /** The output with the value from responses, if it has another name. */
  readonly observedAs?: string;
  readonly unit?: string;
  /** The effective value if undeclared. */
  readonly default?: string;
  /** Set if restoring the old program does not undo a change, or does not undo a lowered number. */
  readonly irreversible?: "whenChanged" | "whenLowered";
  readonly required?: true;
  /** The provider setting that replaces an undeclared argument. */
  readonly setting?: string;
  readonly secret?: true;
  /**
   * Set for a secret that an environment variable may hold, either as a whole or only this member.
   */
  readonly fromEnvironment?: true | string;
  /** Advice that names the argument to use instead. */
  readonly deprecated?: string;
  /** Set for a list without a meaningful order. */
  readonly list?: ListRules;
}

/**
 * Rules to compare and send a list as a set. Methods allow a field to have rules for any entry
 * type.
 */
export interface ListRules<Entry = unknown> {
  /** The canonical identity of an entry. */
  key(entry: Entry): string;
  /** The form that all spellings of an entry share. */
  canonical(entry: Entry): unknown;
  /**
   * `addRemove` sends added and removed entries, `changed` sends changed entries, `whole` sends all
   * entries.
   */
  readonly send: "addRemove" | "changed" | "whole";
  /**
   * The members for added and removed entries. Default: `add` and `remove` under the field's name.
   */
  readonly bodyNames?: { readonly add: string; readonly remove: string };
  /** The part of an entry that a removal sends. Default: the whole entry. */
  removalKey?(entry: Entry): unknown;
  /**
   * Set if one request cannot remove and add entries with the same key. The addition needs a second
   * request, with this effect.
   */
  readonly inTwoSteps?: string;
  /** The treatment of undeclared entries on the server. */
  readonly unmanaged: "remove" | "keep";
  /** The entry for a text in an import ID. */
  fromImportId?(text: string): Entry | undefined;
  /** Converts an entry from a response to the program's form. */
  fromApi?(entry: Entry): Entry;
  /** The value of a declared entry that a response omits. Default: absent. */
  whenAbsent?(entry: Entry): Entry;
}

/** A value that only the API sets. */
export interface OutputField<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  readonly description: string;
  readonly unit?: string;
  readonly secret?: true;
  /** Set if only a creation returns the output, or if it is derived from that response. */
  readonly fromCreation?: true;
  /** Set if responses omit the output unless it is set. */
  readonly inResponse?: "ifSet";
  /** The name in responses, if different. */
  readonly apiName?: string;
  /** The arguments that can change the output. Default: any argument, and the server itself. */
  readonly changedBy?: readonly string[];
  /** Converts a response's value to the output's. */
  readonly fromApi?: (response: Properties) => unknown;
}

export const ORGANIZATION_TIERS = ["BASIC", "SCALE", "ENTERPRISE"] as const;

/** Settings that rules depend on. */
export interface RuleContext {
  readonly organizationTier?: (typeof ORGANIZATION_TIERS)[number] | undefined;
  readonly paid?: boolean | undefined;
  /** Arguments that accept unlisted values. */
  readonly allowUnlisted?: readonly string[] | undefined;
  /** Arguments that the program marks as secret, so that messages do not show their values. */
  readonly marked?: readonly string[] | undefined;
}

/** A rule for several fields, tested once all of them are known. */
export interface Rule {
  /** The first field gets the rule's problems and documentation. */
  readonly fields: readonly [string, ...string[]];
  readonly description: string;
  /** True if the rule only applies to creations. */
  readonly atCreation?: true;
  /** True if a violation is only a warning, and the API decides. */
  readonly warns?: true;
  /**
   * Returns the problem with its fix. `named` formats a field's name, with its value unless marked.
   */
  readonly test: (
    // biome-ignore lint/suspicious/noExplicitAny: schemas have checked the named fields
    values: Record<string, any>,
    context: RuleContext,
    named: (field: string) => string,
  ) => Message | false | undefined;
}

/** An object whose arguments are managed separately. */
export interface Group<Operation extends string = string> {
  readonly description: string;
  readonly fields: Table<Operation>;
  /** The output with the whole object from responses, including undeclared members. */
  readonly observedAs?: string;
}

export interface Table<Operation extends string = string> {
  readonly [name: string]: Field<unknown, Operation> | Group<Operation>;
}
export type Properties = Readonly<Record<string, unknown>>;

/** The tables of a resource. */
export interface Definition {
  readonly fields: Table;
  readonly rules: readonly Rule[];
  readonly outputs: Readonly<Record<string, OutputField>>;
  /** The argument that names an existing object. */
  readonly id?: string;
}

/** Makes fields with common properties, which `more` can override. */
export function fieldsWith<Operation extends string>(
  common: Omit<Field<unknown, Operation>, "schema" | "description">,
) {
  return <Value>(
    schema: z.ZodType<Value>,
    description: string,
    more: Partial<Field<Value, Operation>> = {},
  ): Field<Value, Operation> => ({
    ...common,
    schema,
    description,
    ...more,
  });
}

/** Makes fields that updates send and responses contain. */
export function settable<Operation extends string>(...sentWith: Operation[]) {
  return fieldsWith({ onChange: "update", sentWith, inResponse: true });
}

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
export function freeText(): z.ZodString {
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
