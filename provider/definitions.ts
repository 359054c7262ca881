/** The field tables of the resources, for policies and reports. */
export {
  check,
  type Definition,
  displayValue,
  type Field,
  type FieldPath,
  fieldPathsOf,
  nameWithValue,
  type Properties,
  type RuleContext,
  valueAt,
} from "./fields";
export { knownValue } from "./fields/paths";
export { REFUSED } from "./names";
export { resources } from "./resources";
export { scalingFields } from "./resources/service-scaling/scaling-fields";
