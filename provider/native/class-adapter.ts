import type { ClassAdapter } from "../classes/adapter";
import { dynamicType, nativeType } from "../names/stored-names";
import { pluginDownloadURL, version } from "../process/version";
import { NATIVE } from "../program/provider-option";

/** The plugin that the engine looks for: that of the same release, which knows the same arguments. */
export const RELEASE = { version, pluginDownloadURL };

/** Resources that the native plugin runs. */
export const nativeAdapter: ClassAdapter = {
  ...NATIVE,
  typeOf: nativeType,
  otherTypeOf: dynamicType,
  canImport: true,
  checkWarns: true,
  propertiesOf: () => ({}),
  options: RELEASE,
};
