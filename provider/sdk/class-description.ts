import type * as pulumi from "@pulumi/pulumi";
import type { OwnedObject } from "./duplicate-owners";
import type { ProviderSource } from "./provider-option";

type Options = pulumi.CustomResourceOptions;
/** Of `fields`, a program's compiler would read the types of other libraries, too. */
type Properties = Record<string, unknown>;

/** The parts that are specific to one class. */
export interface ClassDescription<Args> {
  /** Its name in programs. */
  readonly name: string;
  readonly table: ClassTable;
  /** The alternative to Pulumi's import option. */
  readonly adoptionHint: string;
  /** Objects that no other resource of the program may manage. */
  readonly ownedObjects: (args: Args, opts: Options) => readonly OwnedObject[];
  readonly applyDefaultOptions?: (opts: Options) => Options;
  /** Runs once the resource is registered. */
  readonly onRegistered?: (resource: pulumi.CustomResource, name: string, args: Args, opts: Options) => void;
}

/** The description of a class with `get`. */
export interface ReadableDescription<Args, State> extends ClassDescription<Args> {
  /** The arguments for the id and the state that `get` receives. */
  readonly argumentsOf: (id: pulumi.Input<pulumi.ID>, state: State) => Args;
  readonly readOptions?: Options;
}

/** The part of a resource's table that its class needs, generated so that a program loads no schemas. */
export interface ClassTable {
  /** The names of all arguments and outputs. */
  readonly properties: readonly string[];
  /** The names of the arguments that no setting stands in for. */
  readonly required: readonly string[];
  /** The places of secret arguments. */
  readonly secretPaths: readonly (readonly string[])[];
  /** The properties that are secrets themselves. */
  readonly secretNames: readonly string[];
  /** The warnings about deprecated arguments. */
  readonly deprecated: Readonly<Record<string, string>>;
  /** The names of the arguments that each update carries. */
  readonly updates: Readonly<Record<string, readonly string[]>>;
}

/** An adapter's part of the resource classes. */
export interface ClassAdapter extends ProviderSource {
  readonly typeOf: (className: string) => string;
  /** The type of the same resources in the other adapter. */
  readonly otherTypeOf: (className: string) => string;
  /** True if Pulumi's options `import` and `customTimeouts` work. */
  readonly isNative: boolean;
  /** True if the check itself warns of deprecated arguments, beside the resource. */
  readonly checkWarns: boolean;
  /** The properties that the engine gets beside the arguments, in which secrets are marked. */
  readonly propertiesOf: (className: string, resourceName: string, args: Properties, opts: Options) => Properties;
  readonly options: pulumi.CustomResourceOptions;
}
