import type * as pulumi from "@pulumi/pulumi";

// A file of its own: programs' compilers read its declarations, which must not mention types of other libraries.

/** The parameters of a constructor after the resource's name. */
export type ClassParameters = readonly [args?: object, opts?: pulumi.CustomResourceOptions];

/** The class of a resource. */
export interface ResourceClass<Resource, Rest extends ClassParameters> {
  new (name: string, ...rest: Rest): Resource;
  readonly prototype: Resource;
  /** The type under which states know it. */
  readonly __pulumiType: string;
  /** True for an instance of this class, whichever copy of the package it came from. */
  isInstance(value: unknown): value is Resource;
}

/** The parameters of `get` after the name and the id. */
export type ReadParameters = readonly [state?: object, opts?: pulumi.CustomResourceOptions];

/** A class whose objects can be read, too. */
export interface ReadableClass<
  Resource,
  Rest extends ClassParameters,
  ReadRest extends ReadParameters,
> extends ResourceClass<Resource, Rest> {
  /**
   * Reads an object that exists without managing it.
   *
   * @param name The name of the resource in the program.
   * @param id The id of the object.
   * @param rest The ids of the objects that contain it, and Pulumi's options, such as an explicit provider. The
   * organization defaults to the provider's.
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, ...rest: ReadRest): Resource;
}
