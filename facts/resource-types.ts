import { resourceTable } from "./resource-table";

export type ResourceName = keyof typeof resourceTable;

/** Facts about a resource type of pulumi-clouddb, from its field table. */
export interface ResourceType {
  readonly name: ResourceName;
  /** True if the API cannot delete it: it keeps running and costing money. */
  readonly staysWhenDeleted: boolean;
  /**
   * True if a deletion removes the entries that it has added to lists of another object; deleting
   * any other resource only releases it.
   */
  readonly removesEntries?: true;
  /** The argument by which a program adopts an object instead of creating one. */
  readonly adoptionArgument?: string;
  /** The argument with the id of the object, of resources that the API cannot create. */
  readonly objectArgument?: string;
  readonly secrets: readonly string[];
  /**
   * Secrets that an environment variable may hold, each with the argument that names the variable.
   */
  readonly references?: Readonly<Record<string, string>>;
  /**
   * Arguments whose change, or change to a lower number, is not undone by restoring the old
   * program.
   */
  readonly irreversible?: Readonly<Record<string, "whenChanged" | "whenLowered">>;
  /** Arguments that no request carries: the server has no value of them. */
  readonly unsent?: readonly string[];
  /**
   * Lists that the program declares completely, each with the place of the current list in outputs.
   */
  readonly completeLists?: Readonly<Record<string, readonly string[]>>;
}

const table: Readonly<Record<string, ResourceType>> = resourceTable;

/** The type tokens of TypeScript's dynamic resources, and of the native plugin's resources. */
const TOKEN = /^(?:pulumi-nodejs:dynamic\/)?clouddb(?::index(?:\/\w+)?)?:(\w+)$/;

/** The facts about the type of a token; undefined for types of other packages. */
export function resourceTypeOf(token: string): ResourceType | undefined {
  const [, name = ""] = TOKEN.exec(token) ?? [];
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/**
 * The parts of `urn:pulumi:<stack>::<project>::<types of parents>$<type>::<name>`; a name may
 * contain colons itself.
 */
export function parseUrn(urn: string) {
  const [start = "", project = "", types = "", ...name] = urn.split("::");
  const [, , stack = ""] = start.split(":");
  return { stack, project, types, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
