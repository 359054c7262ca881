export { type CheckResult, check, type Problem, withoutAbsent } from "./check";
export { DECLARED, inputsFromState } from "./declared";
export { diff, type FieldDifference } from "./diff";
export { describeDeprecation, displayValue, nameWithValue } from "./display";
export type { Definition, Field, Group, ListRules, OutputField, Properties, Rule, RuleContext } from "./field";
export { omitsChangedList } from "./list-changes";
export { invalidFields, invalidPaths } from "./observation";
export { type FieldPath, fieldPathsOf, valueAt, withValue } from "./paths";
export { buildCreateBody, buildUpdateBody, editsLists, pendingFields } from "./request";
export { asSecret, SECRETS } from "./secret-marks";
export {
  markedArguments,
  markedPaths,
  markSecrets,
  markState,
  newlyMarked,
  secretNames,
  secretPaths,
  secretTexts,
} from "./secrets";
export { settingKey, settingName, settingVariable } from "./setting-names";
export {
  recordDeclared,
  stateAfterCreate,
  stateAfterRead,
  stateAfterReread,
  stateAfterUnreadableUpdate,
  stateAfterUpdate,
} from "./state";
export { assumeListsAccepted, forgetUncertain, forgetUnobservable } from "./uncertain";
export { hasUnknown, isRecord, UNKNOWN } from "./unknown";
