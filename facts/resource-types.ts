import types from "./resource-types.json";

export type ResourceName = "Service" | "ServiceScaling" | "Organization" | "Pipe";

/** Facts about a resource type of pulumi-clouddb, from its field table. */
export interface ResourceType {
  readonly name: ResourceName;
  /** True if the API cannot delete it: it keeps running and costing money. */
  readonly staysWhenDeleted: boolean;
  /** The argument by which a program adopts an object instead of creating one. */
  readonly adoptionArgument?: string;
  readonly secrets: readonly string[];
}

/** The dynamic resources of TypeScript, and the resource types of the native plugin. */
const TOKEN = /^(?:pulumi-nodejs:dynamic\/)?clouddb(?::index(?:\/\w+)?)?:(\w+)$/;

/** Undefined for types of other packages. */
export function resourceTypeOf(token: string): ResourceType | undefined {
  const [, name = ""] = TOKEN.exec(token) ?? [];
  return Object.hasOwn(types, name) ? ((types as Readonly<Record<string, unknown>>)[name] as ResourceType) : undefined;
}
