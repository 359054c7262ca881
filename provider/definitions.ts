/** The field tables of the resources, for policies and reports. */
export {
  check,
  type Definition,
  type Field,
  fieldPathsOf,
  knownValue,
  nameWithValue,
  type Properties,
  type RuleContext,
  valueAt,
} from "./fields";
export { REFUSED } from "./names";
export { resources } from "./resources";
export { scalingFields } from "./resources/service-scaling/service-scaling";
