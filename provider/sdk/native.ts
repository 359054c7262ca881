import { dynamicType, NATIVE_PACKAGE, nativeType, pluginDownloadURL, version } from "../names";
import type { ClassAdapter } from "./class-description";
import { byConfigurationKey, explicitSettings } from "./explicit-settings";
import type { ProviderArgs } from "./provider-args";
import { NATIVE } from "./provider-option";
import * as pulumi from "./pulumi";

/** The plugin that the engine looks for: that of the same release, which knows the same arguments. */
export const RELEASE = { version, pluginDownloadURL };

/** Resources that the native plugin runs. */
export const nativeAdapter: ClassAdapter = {
  ...NATIVE,
  typeOf: nativeType,
  otherTypeOf: dynamicType,
  isNative: true,
  checkWarns: true,
  propertiesOf: () => ({}),
  options: RELEASE,
};

/** An explicit provider of the native plugin. */
export class Provider extends pulumi.ProviderResource {
  readonly configuration: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const settings = explicitSettings(name, args);
    super(NATIVE_PACKAGE, name, settings, { ...RELEASE, ...opts });
    this.configuration = pulumi.output(byConfigurationKey(settings));
  }
}
