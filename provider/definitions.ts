/** The tables that resources are made from, for tools that judge programs: policies, reports. */
export {
  check,
  type Definition,
  displayValue,
  type Field,
  type FieldPath,
  fieldPathsOf,
  isRecord,
  type Properties,
  type RuleContext,
  UNKNOWN,
  valueAt,
} from "./fields";
export { knownValue } from "./fields/paths";
export { hasUnknown } from "./fields/unknown";
export { REFUSED } from "./lifecycle/refused";
export { resources } from "./resources";
export { networkOf } from "./resources/service/access-list";
export { scalingFields } from "./resources/service-scaling/scaling-fields";
