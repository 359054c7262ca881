import type { ResourceName } from "pulumi-clouddb-facts";
import type { Definition } from "./fields";
import { resources as all } from "./resources";

/** The field tables of the resources, for policies and reports. */
export const resources: Readonly<Record<ResourceName, { readonly definition: Definition }>> = all;

export {
  check,
  type Definition,
  type Field,
  type FieldPath,
  fieldPathsOf,
  knownValue,
  leavesOf,
  nameWithValue,
  ORGANIZATION_TIERS,
  type Properties,
  type RuleContext,
  valueAt,
} from "./fields";
export { didYouMean } from "./mistakes";
export { REFUSED } from "./names";
export { scalingFields } from "./resources/service-scaling/service-scaling";
