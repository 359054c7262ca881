import type * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../fields";
import type { ProviderSource } from "../program/provider-option";

/** An adapter's part of the resource classes. */
export interface ClassAdapter extends ProviderSource {
  readonly typeOf: (className: string) => string;
  /** The type of the same resources in the other adapter. */
  readonly otherTypeOf: (className: string) => string;
  /** True if Pulumi's import option works. */
  readonly canImport: boolean;
  /** True if the check itself warns of deprecated arguments, beside the resource. */
  readonly checkWarns: boolean;
  /** Properties for the engine besides the arguments. */
  readonly propertiesOf: (className: string, resourceName: string) => Properties;
  readonly options: pulumi.CustomResourceOptions;
}
