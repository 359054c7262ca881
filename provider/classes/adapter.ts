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
  /** What the engine gets beside the arguments, in which secrets are marked. */
  readonly propertiesOf: (className: string, resourceName: string, args: Properties) => Properties;
  readonly options: pulumi.CustomResourceOptions;
}
