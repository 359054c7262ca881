import type { ResourceName } from "pulumi-clouddb-facts";
import type { Definition } from "./fields/field";
import { resources as all } from "./resources";

/** The field tables of the resources, for policies and reports. */
export const resources: Readonly<Record<ResourceName, { readonly definition: Definition }>> = all;

export { check } from "./fields/check";
export { nameWithValue } from "./fields/display";
export type { Definition, Field, Properties, RuleContext } from "./fields/field";
export { type FieldPath, fieldPathsOf, knownValue, valueAt } from "./fields/paths";
export { REFUSED } from "./names";
export { scalingFields } from "./resources/service-scaling/scaling-fields";
