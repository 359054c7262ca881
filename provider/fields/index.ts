export { type CheckResult, check, type Problem, withoutAbsent } from "./check";
export { DECLARED, inputsFromState } from "./declared";
export { diff, type FieldDifference } from "./diff";
export { describeDeprecation, displayValue, nameWithValue } from "./display";
export { asSecret, hasUnknown, isRecord, UNKNOWN } from "./engine-values";
export type { Definition, Field, Group, ListRules, OutputField, Properties, Rule, RuleContext } from "./field";
export { foreignEntries, omitsChangedList } from "./list-changes";
export { invalidFields, invalidPaths } from "./observation";
export { type FieldPath, fieldPathsOf, valueAt, withValue } from "./paths";
export { buildCreateBody, buildUpdateBody, editsLists, pendingFields } from "./request";
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
export { entriesToOwn, sharedFields, withEmptiedLists, withOwnEntries, withoutEntries } from "./shared";
export {
  recordDeclared,
  stateAfterCreate,
  stateAfterRead,
  stateAfterReread,
  stateAfterUnreadableUpdate,
  stateAfterUpdate,
} from "./state";
export { assumeListsAccepted, forgetUncertain, forgetUnobservable } from "./uncertain";
