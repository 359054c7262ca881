import { resourceTable } from "./resource-table";

export type ResourceName = keyof typeof resourceTable;

/** Facts about a resource type, generated from its field table. */
export interface ResourceType {
  readonly name: ResourceName;
  /** True if the API cannot delete the object, so that it keeps running and costing money. */
  readonly staysWhenDeleted: boolean;
  /** True if a deletion removes the added list entries. Other resources are only released. */
  readonly removesEntries?: true;
  /** The argument with which a program adopts an existing object. */
  readonly adoptionArgument?: string;
  /** The argument with the object's id, if the API cannot create objects of this type. */
  readonly objectArgument?: string;
  readonly secrets: readonly string[];
  /**
   * Secrets that may be in environment variables, each with the argument for the variable's name.
   */
  readonly references?: Readonly<Record<string, string>>;
  /**
   * Arguments that restoring the old program does not restore, after any change or only after
   * lowering.
   */
  readonly irreversible?: Readonly<Record<string, "whenChanged" | "whenLowered">>;
  /** Arguments that no request contains, so that the server has no value. */
  readonly unsent?: readonly string[];
  /** Completely declared lists, with the path of the current list in outputs. */
  readonly completeLists?: Readonly<Record<string, readonly string[]>>;
}

const table: Readonly<Record<string, ResourceType>> = resourceTable;

/** Matches type tokens of dynamic and native resources. */
const TOKEN = /^(?:pulumi-nodejs:dynamic\/)?clouddb(?::index(?:\/\w+)?)?:(\w+)$/;

/** The facts for a type token; undefined for other packages. */
export function resourceTypeOf(token: string): ResourceType | undefined {
  const [, name = ""] = TOKEN.exec(token) ?? [];
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * The parts of `urn:pulumi:<stack>::<project>::<types of parents>$<type>::<name>`. A name may
 * contain colons.
 */
export function parseUrn(urn: string) {
  const [start = "", project = "", types = "", ...name] = urn.split("::");
  const [, , stack = ""] = start.split(":");
  return { stack, project, types, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
