import type { z } from "zod";
import type { Message } from "../errors";

/** The effect of an argument's new value on the existing object. */
export type ChangeEffect =
  /** An update request carries it. */
  | "update"
  /** Only a creation can set it, so a new value requires replacement. */
  | "replace"
  /** Used only at creation; later changes are ignored. */
  | "ignore";

/** One argument of a resource. Everything the provider knows about it stands here and nowhere else. */
export interface Field<Value = unknown> {
  /** Shape and bounds of the value when it is present and known. */
  readonly schema: z.ZodType<Value>;
  /** A description in a sentence or two; bounds and defaults are added from the other entries. */
  readonly doc: string;
  readonly onChange: ChangeEffect;
  /** The operations whose request body (or path) carries it. */
  readonly operations: readonly string[];
  /** Its name in requests and responses, where that differs from the argument's. */
  readonly apiName?: string;
  /**
   * Set where responses carry the same value under the same name: `ifSet` where they omit it while it is not set. Of a
   * secret, what they carry counts for nothing.
   */
  readonly inResponse?: true | "ifSet";
  /** The output that holds what responses show for it, where that is not the output of its own name. */
  readonly observedAs?: string;
  readonly unit?: string;
  /** The value in effect while the program does not declare it. */
  readonly default?: string;
  readonly required?: true;
  /** The provider setting that stands in while the program does not declare it. */
  readonly setting?: string;
  readonly secret?: true;
  /** Carried along when something else of its group is sent, and never for its own sake. */
  readonly sentAlong?: true;
  /** Why not to use it any more, and what to use instead. */
  readonly deprecated?: string;
  /** Set for a list whose order has no meaning. */
  readonly list?: ListRules;
}

/**
 * Rules to compare and send a list with set semantics. The members are methods, so that the rules of any entry fit a
 * field, whose schema guards the shape.
 */
export interface ListRules<Entry = unknown> {
  /** The identity of an entry, in canonical form. */
  key(entry: Entry): string;
  /** The entry as it is compared: two spellings of one thing have one canonical form. */
  canonical(entry: Entry): unknown;
  /** `addRemove`: as lists to add and to remove. `changed`: the changed entries alone. `whole`: all of them. */
  readonly send: "addRemove" | "changed" | "whole";
  /** Where the two lists stand in a body, if not as `{add, remove}` under the field's own name. */
  readonly bodyNames?: { readonly add: string; readonly remove: string };
  /** The part of an entry that names it in a removal. Default: the whole entry. */
  removalKey?(entry: Entry): unknown;
  /** The treatment of entries on the server that the program does not declare. */
  readonly unmanaged: "remove" | "keep";
  /**
   * The output with the declared entries that have another owner: they are neither changed nor removed. The rules
   * of such a list are those of `addRemove` and `keep`.
   */
  readonly sharedAs?: string;
  /** An entry that text in an import ID names. */
  fromImportId?(text: string): Entry | undefined;
  /** An entry as a program declares it, made from one of a response, where that has another shape. */
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
  /** Set where responses omit it while it is not set. */
  readonly inResponse?: "ifSet";
  /** The name in the response, where it differs from the output's. */
  readonly apiName?: string;
  /** The arguments that can change it. Default: any of them, and the server by itself. */
  readonly changedBy?: readonly string[];
  /** The output's value, made from what the response shows, where the two differ. */
  readonly fromApi?: (response: Readonly<Properties>) => unknown;
}

/** Facts besides the arguments that rules may depend on. */
export interface RuleContext {
  readonly organizationTier?: "BASIC" | "SCALE" | "ENTERPRISE" | undefined;
  readonly paid?: boolean | undefined;
  /** Arguments whose values may be missing from their lists of allowed values. */
  readonly allowUnlisted?: readonly string[] | undefined;
}

/** A rule over several fields. It runs only while all of them are known. */
export interface Rule {
  /** The first is the one that a problem is reported for, and whose documentation tells the rule. */
  readonly fields: readonly [string, ...string[]];
  /** The rule as documentation tells it, if its fields' own entries do not. */
  readonly doc: string;
  /** True for a rule about creations: what exists already is not held to it. */
  readonly atCreation?: true;
  /** The problem in one sentence with its fix, or nothing. */
  // biome-ignore lint/suspicious/noExplicitAny: a rule reads the fields that it names, whose shapes its table guards
  readonly test: (values: Record<string, any>, context: RuleContext) => Message | undefined;
}

/** Arguments that stand together in an object, each managed by itself. */
export interface Group {
  readonly doc: string;
  readonly fields: Table;
  /** The output that holds all that responses show under the group's name, declared or not. */
  readonly observedAs?: string;
}

export interface Table {
  readonly [name: string]: Field | Group;
}
export type Properties = Record<string, unknown>;
export type ReadonlyProperties = Readonly<Properties>;

/** A resource as the engine in this folder sees it. */
export interface Definition {
  readonly fields: Table;
  readonly rules: readonly Rule[];
  readonly outputs: Readonly<Record<string, OutputField>>;
  /** The argument by which a program names an existing object. */
  readonly id?: string;
}
