import { exemptionsDefinition, refuseAmbiguous } from "../core/exemptions";
import { type CloudDbPolicy, createPolicy } from "../core/policy";
import * as access from "./access";
import * as budget from "./budget";
import * as conventions from "./conventions";
import * as openAccess from "./open-access";
import * as production from "./production";
import * as scaling from "./scaling";
import * as secrets from "./secrets";

export * from "./access";
export * from "./budget";
export * from "./conventions";
export * from "./open-access";
export * from "./production";
export * from "./scaling";
export * from "./secrets";

export const exemptions = { ...createPolicy(exemptionsDefinition), validateStack: refuseAmbiguous };

/** All policies, in the order of the documentation. */
export const policies = [
  scaling.memoryWithinBounds,
  scaling.replicasWithinBounds,
  budget.capacityBudget,
  scaling.oneOwnerForScaling,
  access.oneOwnerForAccess,
  openAccess.noOpenAccess,
  openAccess.noOpenAccessByOthers,
  access.accessListRequired,
  access.accessEntriesDescribed,
  production.productionIsProtected,
  production.productionIsReplicated,
  production.idleSavesMoney,
  conventions.encryptionRequired,
  secrets.secretsByReference,
  conventions.regionsAllowed,
  conventions.noDeprecatedArguments,
  conventions.namesFollowConvention,
  conventions.pipeSettingsWithinBounds,
  exemptions,
] as const satisfies readonly CloudDbPolicy[];
