import type { z } from "zod";
import type { Message } from "../errors";

/** One argument of a resource: everything that the provider knows about it. */
export interface Field<Value = unknown, Operation extends string = string> {
  /** Shape and bounds of the value when it is present and known. */
  readonly schema: z.ZodType<Value>;
  /**
   * Set for a schema that the API may relax: the rules that remain if a setting opens the argument.
   */
  readonly unlisted?: z.ZodType;
  /** A description in a sentence or two; bounds and defaults are added from the other entries. */
  readonly doc: string;
  /**
   * A new value is sent by an update, requires replacement, or is ignored: a creation sends it, and
   * an update sends it with other members of its group.
   */
  readonly onChange: "update" | "replace" | "ignore";
  /** The operations whose request body carries the value. */
  readonly sentWith: readonly Operation[];
  /**
   * The form of texts, also in a list. White space at the edges of an `id` or a `locator`, such as
   * a role, is removed; ids are compared without case, and a `document` without white space at its
   * edges.
   */
  readonly form?: "id" | "locator" | "document";
  /** Set for an ID in the paths of requests. */
  readonly inPath?: true;
  /** The name in requests and responses, if it differs from the argument's. */
  readonly apiName?: string;
  /**
   * Set if responses carry the value: `ifSet` if they omit it while it is not set. Secrets in
   * responses are ignored.
   */
  readonly inResponse?: true | "ifSet";
  /**
   * The output that holds the value in responses, if it is not the output of the argument's name.
   */
  readonly observedAs?: string;
  readonly unit?: string;
  /** The value in effect while the program does not declare it. */
  readonly default?: string;
  /** Set if restoring the old program does not undo a change, or a change to a lower number. */
  readonly irreversible?: "whenChanged" | "whenLowered";
  readonly required?: true;
  /** The provider setting that stands in while the program does not declare it. */
  readonly setting?: string;
  readonly secret?: true;
  /**
   * Set for a secret that an environment variable may hold: for the whole value, or for this member
   * of an object.
   */
  readonly fromEnvironment?: true | string;
  /** Advice that names the argument to use instead. */
  readonly deprecated?: string;
  /** Set for a list whose order has no meaning. */
  readonly list?: ListRules;
}

/**
 * Rules to compare and send a list with set semantics. Methods, so that a field accepts rules for
 * any type of entry.
 */
export interface ListRules<Entry = unknown> {
  /** The identity of an entry, in canonical form. */
  key(entry: Entry): string;
  /** The form in which entries are compared: spellings of the same entry share it. */
  canonical(entry: Entry): unknown;
  /**
   * `addRemove`: entries to add and entries to remove. `changed`: changed entries. `whole`: all
   * entries.
   */
  readonly send: "addRemove" | "changed" | "whole";
  /** Members of the body for the two lists. Default: `{add, remove}` under the field's name. */
  readonly bodyNames?: { readonly add: string; readonly remove: string };
  /** The part of an entry that a removal names. Default: the whole entry. */
  removalKey?(entry: Entry): unknown;
  /**
   * Set if a request must not remove and add entries of one key: the addition follows in a second
   * one, with this effect.
   */
  readonly inTwoSteps?: string;
  /** The treatment of entries on the server that the program does not declare. */
  readonly unmanaged: "remove" | "keep";
  /** An entry that text in an import ID names. */
  fromImportId?(text: string): Entry | undefined;
  /** Converts an entry of a response to the form that programs declare. */
  fromApi?(entry: Entry): Entry;
  /** The value of a declared entry that the response omits. Default: the entry is missing. */
  whenAbsent?(entry: Entry): Entry;
}

/** A value that only the API gives. */
export interface OutputField<Value = unknown> {
  readonly schema: z.ZodType<Value>;
  readonly doc: string;
  readonly unit?: string;
  readonly secret?: true;
  /**
   * Set if only a creation returns it: in the response, or made from the response, under its own
   * name.
   */
  readonly fromCreation?: true;
  /** Set if responses omit it while it is not set. */
  readonly inResponse?: "ifSet";
  /** The name in responses, if it differs from the output's. */
  readonly apiName?: string;
  /** The arguments that can change it. Default: any of them, and the server by itself. */
  readonly changedBy?: readonly string[];
  /** Converts the value in a response to the output's. */
  readonly fromApi?: (response: Properties) => unknown;
}

export const ORGANIZATION_TIERS = ["BASIC", "SCALE", "ENTERPRISE"] as const;

/** Settings that rules depend on. */
export interface RuleContext {
  readonly organizationTier?: (typeof ORGANIZATION_TIERS)[number] | undefined;
  readonly paid?: boolean | undefined;
  /** Arguments that accept values outside their lists of allowed values. */
  readonly allowUnlisted?: readonly string[] | undefined;
  /** Arguments that the program marks as secret: messages do not show their values. */
  readonly marked?: readonly string[] | undefined;
}

/** A rule over several fields, tested once all of them are known. */
export interface Rule {
  /** The rule's problems and its documentation belong to the first field. */
  readonly fields: readonly [string, ...string[]];
  readonly doc: string;
  /** The rule applies to creations only. */
  readonly atCreation?: true;
  /** A violation is only a warning: the API decides. */
  readonly warns?: true;
  /**
   * Returns the problem with its fix. `named` is the name of a field with its value, unless the
   * program marks it.
   */
  readonly test: (
    // biome-ignore lint/suspicious/noExplicitAny: the table's schemas have checked the values of the named fields
    values: Record<string, any>,
    context: RuleContext,
    named: (field: string) => string,
  ) => Message | false | undefined;
}

/** An object of arguments, each managed separately. */
export interface Group<Operation extends string = string> {
  readonly doc: string;
  readonly fields: Table<Operation>;
  /**
   * The output that holds the whole object of responses, including members that are not declared.
   */
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
  /** The argument by which a program names an existing object. */
  readonly id?: string;
}

/** Makes fields with common properties, unless `more` says otherwise. */
export function fieldsWith<Operation extends string>(
  common: Omit<Field<unknown, Operation>, "schema" | "doc">,
) {
  return <Value>(
    schema: z.ZodType<Value>,
    doc: string,
    more: Partial<Field<Value, Operation>> = {},
  ): Field<Value, Operation> => ({
    ...common,
    schema,
    doc,
    ...more,
  });
}

/** Makes fields that updates send and responses carry. */
export function settable<Operation extends string>(...sentWith: Operation[]) {
  return fieldsWith({ onChange: "update", sentWith, inResponse: true });
}
