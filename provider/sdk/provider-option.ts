import type * as pulumi from "@pulumi/pulumi";
import { coded } from "../errors";
import { DYNAMIC_PACKAGE, NATIVE_PACKAGE } from "../names";
import { programError, typeOf } from "./pulumi-internals";

/** An adapter that runs resources and functions, with its own explicit providers. */
export interface ProviderSource {
  /** The module that programs import. */
  readonly entry: string;
  /** The package of its provider. */
  readonly package: string;
}

export const DYNAMIC: ProviderSource = { entry: "pulumi-clouddb", package: DYNAMIC_PACKAGE };
export const NATIVE: ProviderSource = { entry: "pulumi-clouddb/native", package: NATIVE_PACKAGE };

/** Reject a provider of the other adapter: the engine's own error would name neither. */
export function assertProvider(source: ProviderSource, user: string, provider: pulumi.ProviderResource): void {
  if (typeOf(provider) === `pulumi:providers:${source.package}`) return;
  throw programError(
    coded(
      "CDB2004",
      `The provider of ${user} must be a Provider imported from "${source.entry}", like ${user} itself.`,
    ),
  );
}
