export { capacityGb, maxMonthlyCost } from "./capacity";
export {
  type Family,
  type Network,
  networkOf,
  OPEN_SHARE,
  prefixOf,
  type Range,
  rangesOf,
  shareOfInternet,
  subtract,
} from "./networks";
export { findProjectFile, readPulumiFile } from "./project";
export { createRedactor } from "./redactor";
export { type ResourceName, resourceTypeOf } from "./resource-types";
export { cut, decodeEntities, escapeMarkdown, plainText, toSingleLine } from "./text";
export { hasUnknown, isRecord, isUnknown, SECRET_MARK, SIGNATURE, UNKNOWN } from "./values";
