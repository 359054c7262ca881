/** The tables that resources are made from, for tools that judge programs: policies, reports. */
export {
  check,
  type Definition,
  type Field,
  isRecord,
  type Leaf,
  leavesOf,
  type Properties,
  type RuleContext,
  shown,
  UNKNOWN,
  valueAt,
} from "./fields";
export { knownValue } from "./fields/paths";
export { hasUnknown } from "./fields/unknown";
export { resources } from "./resources";
export { REFUSED } from "./resources/names";
export { scalingFields } from "./resources/scaling";
export { networkOf } from "./resources/service/access-list";
