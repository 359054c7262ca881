import type * as pulumi from "@pulumi/pulumi";
import type { ClassTable } from "./class-table";
import type { OwnedObject } from "./duplicate-owners";

type Options = pulumi.CustomResourceOptions;

/** What one class has of its own. */
export interface ClassDescription<Args> {
  /** Its name in programs. */
  readonly name: string;
  readonly table: ClassTable;
  /** What there is instead of Pulumi's import option. */
  readonly adoptionHint: string;
  /** What no other resource of the program may manage. */
  readonly ownedObjects: (args: Args, opts: Options) => readonly OwnedObject[];
  readonly applyDefaultOptions?: (opts: Options) => Options;
  /** Runs once the resource is registered. */
  readonly onRegistered?: (resource: pulumi.CustomResource, name: string, args: Args, opts: Options) => void;
}

/** The same of a class with `get`. */
export interface ReadableDescription<Args, State> extends ClassDescription<Args> {
  /** The arguments of the id and the state that `get` is given. */
  readonly argumentsOf: (id: pulumi.Input<pulumi.ID>, state: State) => Args;
  readonly readOptions?: Options;
}
