/** The field tables of the resources, for policies and reports. */
export {
  check,
  type Definition,
  describeDeprecation,
  displayValue,
  type Field,
  type FieldPath,
  fieldPathsOf,
  isRecord,
  nameWithValue,
  type Properties,
  type RuleContext,
  UNKNOWN,
  valueAt,
} from "./fields";
export { hasUnknown } from "./fields/engine-values";
export { knownValue } from "./fields/paths";
export { REFUSED } from "./names";
export { resources } from "./resources";
export { networkOf } from "./resources/service/access-list";
export { scalingFields } from "./resources/service-scaling/scaling-fields";
