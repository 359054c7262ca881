import * as pulumi from "@pulumi/pulumi";
import { NATIVE_PACKAGE } from "../names/stored-names";
import { byConfigurationKey, explicitSettings } from "../settings/explicit-settings";
import type { ProviderArgs } from "../settings/provider-args";
import { RELEASE } from "./class-adapter";

/** An explicit provider of the native plugin. */
export class Provider extends pulumi.ProviderResource {
  readonly configuration: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const settings = explicitSettings(name, args);
    super(NATIVE_PACKAGE, name, settings, { ...RELEASE, ...opts });
    this.configuration = pulumi.output(byConfigurationKey(settings));
  }
}
