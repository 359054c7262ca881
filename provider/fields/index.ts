export { check, withoutAbsent } from "./check";
export { DECLARED, inputsFrom } from "./declared";
export { diff } from "./diff";
export type { Definition, Field, Group, ListRules, OutputField, Properties, Rule, RuleContext } from "./field";
export { type Leaf, leavesOf, valueAt, withValue } from "./paths";
export { changesLists, creationBody, pending, updateBody } from "./request";
export { secretNames, secretPaths, secretTexts } from "./secrets";
export { unusableAt, unusableIn } from "./shown";
export {
  accepted,
  acceptedUnread,
  created,
  foundAfter,
  hidesList,
  observed,
  perhapsAccepted,
  recorded,
  withoutUncertain,
  withoutUnshown,
} from "./state";
export { isRecord, UNKNOWN } from "./unknown";
export { namedValue, settingName, settingVariable, shown } from "./words";
