import type * as pulumi from "@pulumi/pulumi";
import type { ClassAdapter, ClassDescription, ReadableDescription } from "./class-description";
import { extendCustomResource } from "./pulumi-internals";
import { registeredOptions, registeredProperties, warnOfDeprecated, withoutNulls } from "./registration";
import { assertResourceArguments } from "./resource-arguments";
import type { ClassParameters, ReadableClass, ReadParameters, ResourceClass } from "./resource-class";

type Options = pulumi.CustomResourceOptions;

/** Create the class of a resource. */
export function createResourceClass<Resource extends pulumi.CustomResource, Rest extends ClassParameters>(
  adapter: ClassAdapter,
  description: ClassDescription<NonNullable<Rest[0]>>,
): ResourceClass<Resource, Rest> {
  const { name: className, table, applyDefaultOptions, onRegistered } = description;
  return extendCustomResource({
    name: className,
    type: adapter.typeOf(className),
    prepare(name, ...[declared, opts = {}]) {
      const args = assertResourceArguments(adapter, description, name, declared, opts);
      return {
        properties: registeredProperties(adapter, description, name, args, opts),
        options: registeredOptions(adapter, description, applyDefaultOptions?.(opts) ?? opts),
        onRegistered(resource) {
          withoutNulls(resource, table);
          onRegistered?.(resource, name, args, opts);
          if (!adapter.checkWarns) warnOfDeprecated(table, args, resource);
        },
      };
    },
  });
}

/** Create the class of a resource, with `get`. */
export function createReadableClass<
  Resource extends pulumi.CustomResource,
  Rest extends ClassParameters,
  ReadRest extends ReadParameters,
>(
  adapter: ClassAdapter,
  description: ReadableDescription<NonNullable<Rest[0]>, NonNullable<ReadRest[0]>>,
): ReadableClass<Resource, Rest, ReadRest> {
  const { argumentsOf, readOptions } = description as ReadableDescription<object, object>;
  const made = createResourceClass<Resource, [args: object, opts: Options]>(adapter, description as never);
  function get(name: string, id: pulumi.Input<pulumi.ID>, state: object = {}, opts: Options = {}): Resource {
    return new made(name, argumentsOf(id, state), { ...readOptions, ...opts, id });
  }
  return Object.assign(made, { get }) as unknown as ReadableClass<Resource, Rest, ReadRest>;
}
