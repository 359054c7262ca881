import type * as pulumi from "@pulumi/pulumi";
import type { Properties } from "../fields";
import type { ProviderSource } from "../program/provider-option";

/** What one way of running resources adds to their classes. */
export interface ClassAdapter extends ProviderSource {
  readonly typeOf: (className: string) => string;
  /** The type under which the other way has the same resources. */
  readonly otherTypeOf: (className: string) => string;
  /** Whether Pulumi's import option works. */
  readonly canImport: boolean;
  /** Whether the check warns of deprecated arguments, beside the resource, by itself. */
  readonly checkWarns: boolean;
  /** What the engine gets beside the arguments, in which secrets are marked. */
  readonly propertiesOf: (className: string, resourceName: string, args: Properties) => Properties;
  readonly options: pulumi.CustomResourceOptions;
}
