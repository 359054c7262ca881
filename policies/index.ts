import { installConfigHook } from "./pack/config";

// A custom pack imports the policies from here; its settings are validated like ours.
installConfigHook();

export { UNKNOWN } from "pulumi-clouddb-facts";
export { CloudDbPolicies, type CloudDbPoliciesConfig } from "./pack/cloud-db-policies";
export type { CloudDbPolicy } from "./policy/policy";
export { policies } from "./rules";
export { accessEntriesDescribed } from "./rules/access-entries-described";
export { accessListRequired } from "./rules/access-list-required";
export { capacityBudget } from "./rules/capacity-budget";
export { encryptionRequired } from "./rules/encryption-required";
export { idleSavesMoney } from "./rules/idle-saves-money";
export { memoryWithinBounds } from "./rules/memory-within-bounds";
export { namesFollowConvention } from "./rules/names-follow-convention";
export { noDeprecatedArguments } from "./rules/no-deprecated-arguments";
export { noOpenAccess } from "./rules/no-open-access";
export { oneOwnerForScaling } from "./rules/one-owner-for-scaling";
export { pipeSettingsWithinBounds } from "./rules/pipe-settings-within-bounds";
export { productionIsProtected } from "./rules/production-is-protected";
export { productionIsReplicated } from "./rules/production-is-replicated";
export { regionsAllowed } from "./rules/regions-allowed";
export { replicasWithinBounds } from "./rules/replicas-within-bounds";
export { type Judgement, judge, remediate } from "./testing/judge";
export type { Program, ProgramResource } from "./testing/program";
