import type { CloudDbPolicy } from "../policy/policy";
import { accessEntriesDescribed } from "./access-entries-described";
import { accessListRequired } from "./access-list-required";
import { capacityBudget } from "./capacity-budget";
import { encryptionRequired } from "./encryption-required";
import { exemptions } from "./exemptions";
import { idleSavesMoney } from "./idle-saves-money";
import { memoryWithinBounds } from "./memory-within-bounds";
import { namesFollowConvention } from "./names-follow-convention";
import { noDeprecatedArguments } from "./no-deprecated-arguments";
import { noOpenAccess } from "./no-open-access";
import { oneOwnerForAccess } from "./one-owner-for-access";
import { oneOwnerForScaling } from "./one-owner-for-scaling";
import { pipeSettingsWithinBounds } from "./pipe-settings-within-bounds";
import { productionIsProtected } from "./production-is-protected";
import { productionIsReplicated } from "./production-is-replicated";
import { regionsAllowed } from "./regions-allowed";
import { replicasWithinBounds } from "./replicas-within-bounds";

/** All policies, in the order of the documentation. */
export const policies = [
  memoryWithinBounds,
  replicasWithinBounds,
  capacityBudget,
  oneOwnerForScaling,
  oneOwnerForAccess,
  noOpenAccess,
  accessListRequired,
  accessEntriesDescribed,
  productionIsProtected,
  productionIsReplicated,
  idleSavesMoney,
  encryptionRequired,
  regionsAllowed,
  noDeprecatedArguments,
  namesFollowConvention,
  pipeSettingsWithinBounds,
  // Last: it reports what the others have exempted.
  exemptions,
] as const satisfies readonly CloudDbPolicy[];

export {
  accessEntriesDescribed,
  accessListRequired,
  capacityBudget,
  encryptionRequired,
  exemptions,
  idleSavesMoney,
  memoryWithinBounds,
  namesFollowConvention,
  noDeprecatedArguments,
  noOpenAccess,
  oneOwnerForAccess,
  oneOwnerForScaling,
  pipeSettingsWithinBounds,
  productionIsProtected,
  productionIsReplicated,
  regionsAllowed,
  replicasWithinBounds,
};
