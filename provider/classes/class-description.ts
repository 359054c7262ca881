import type * as pulumi from "@pulumi/pulumi";
import type { ClassTable } from "./class-table";
import type { OwnedObject } from "./duplicate-owners";

type Options = pulumi.CustomResourceOptions;

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
