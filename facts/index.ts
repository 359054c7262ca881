export { capacityGb, maxMonthlyCost } from "./capacity";
export { parseDate, parseDelayMs } from "./delay";
export * from "./networks";
export { findProjectFile, readPulumiFile } from "./project";
export {
  basic,
  bracketed,
  encodedLogin,
  environmentProxy,
  type HttpProxy,
  INVALID_PROXY,
  isLoopback,
} from "./proxy";
export { createRedactor } from "./redactor";
export { parseUrn, type ResourceName, resourceTypeOf } from "./resource-types";
export { capitalized, cut, decodeEntities, escapeMarkdown, plainText, toSingleLine } from "./text";
export { UnfinishedError, untilSettled } from "./unfinished";
export {
  canonicalId,
  hasUnknown,
  isRecord,
  isUnknown,
  overlap,
  SECRET_MARK,
  SIGNATURE,
  UNKNOWN,
} from "./values";
