// The tables that files are generated from, each as a list.
import type { Resource as ResourceType } from "../../provider/core/object/resource";
import { type SettingKey, settingsTable } from "../../provider/core/session/settings";
import type { OutputField } from "../../provider/fields";
import { type FunctionDefinition, functions } from "../../provider/resources/functions";
import { resources } from "../../provider/resources/index";

export interface Resource {
  readonly folder: string;
  readonly definition: ResourceType;
}

export interface Setting extends Pick<OutputField, "schema" | "description" | "unit" | "secret"> {
  readonly default?: unknown;
}

export const allResources = Object.entries<Resource>(resources);
export const allFunctions = Object.entries<FunctionDefinition>(functions);
export const allSettings = Object.entries(settingsTable) as [SettingKey, Setting][];

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
