import { DYNAMIC_PACKAGE } from "../names";
import { byConfigurationKey, explicitSettings } from "./explicit-settings";
import type { ProviderArgs } from "./provider-args";
import * as pulumi from "./pulumi";

/**
 * An explicit provider, for a second account or another API address. Pass it as `provider` in the options of
 * resources and functions.
 *
 * An omitted argument defaults to the stack's configuration (`clouddb:…`), then to the environment variable. If an
 * argument is unknown in a preview, the engine neither checks nor diffs the resources that use the provider.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import * as clouddb from "pulumi-clouddb";
 *
 * const config = new pulumi.Config();
 * const provider = new clouddb.Provider("second-account", {
 *   keyId: config.require("secondKeyId"),
 *   keySecret: config.requireSecret("secondKeySecret"),
 *   organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
 * });
 *
 * new clouddb.ServiceScaling("size", { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 3 }, { provider });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  /** The settings by configuration key, for functions that are called with this provider. */
  readonly configuration: pulumi.Output<Record<string, string | undefined>>;

  constructor(name: string, args: ProviderArgs = {}, opts: pulumi.ResourceOptions = {}) {
    const settings = byConfigurationKey(explicitSettings(name, args));
    super(DYNAMIC_PACKAGE, name, settings, opts);
    this.configuration = pulumi.output(settings);
  }
}

// In a separate file, because a program's compiler reads this declaration and must not need other libraries' types.

/** The options of a function. */
export interface FunctionOptions {
  /** An explicit provider. Defaults to the stack's configuration and the environment. */
  readonly provider?: pulumi.ProviderResource;
}
