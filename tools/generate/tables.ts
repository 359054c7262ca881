// The tables that files are generated from, each as a list.
import type { Operation } from "../../provider/api/operations";
import type { Resource as ResourceType } from "../../provider/core/resource";
import { type SettingKey, settingsTable } from "../../provider/core/settings";
import type { OutputField } from "../../provider/fields";
import { type FunctionDefinition, functions } from "../../provider/resources/functions";
import { resources } from "../../provider/resources/index";

export interface Resource {
  readonly folder: string;
  readonly definition: ResourceType;
}

export interface Setting extends Pick<OutputField, "schema" | "doc" | "unit" | "secret"> {
  readonly default?: unknown;
}

export const allResources = Object.entries<Resource>(resources);
export const allFunctions = Object.entries<FunctionDefinition>(functions);
export const allSettings = Object.entries(settingsTable) as [SettingKey, Setting][];

/** The operations that carry a resource's arguments, by the names that its fields use. */
export function carriersOf({ create, updates }: ResourceType): Readonly<Record<string, Operation>> {
  return { ...(create && { [create.name]: create.operation }), ...updates };
}

const carriers: Readonly<Record<string, Operation>> = Object.fromEntries(
  allResources.flatMap(([, { definition }]) => Object.entries(carriersOf(definition))),
);

/** The operations among the names in a field's table, which also name the request path. */
export function operationsNamed(names: readonly string[]): readonly (readonly [string, Operation])[] {
  return names.flatMap((name) => (carriers[name] ? [[name, carriers[name]] as const] : []));
}

const used: readonly Operation[] = [
  ...Object.values(carriers),
  ...allResources.flatMap(([, { definition }]) => definition.read ?? []),
  ...allFunctions.map(([, { operation }]) => operation),
];

/** Each operation of the resources and functions once. */
export const allOperations: readonly Operation[] = [
  ...new Map(used.map((operation) => [`${operation.method} ${operation.path}`, operation])).values(),
];

/** True if the API can create the resource, and so cannot delete it. */
export function isCreatable({ create }: Pick<ResourceType, "create">): boolean {
  return create !== undefined;
}

/** A file of the repository with the text that it should have. */
export type FileText = readonly [path: string, text: string];

export function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function withArticle(name: string): string {
  return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name}`;
}
