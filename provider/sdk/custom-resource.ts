import * as pulumi from "@pulumi/pulumi";
import type { ClassAdapter, ClassDescription, ReadableDescription } from "./class-description";
import { registeredOptions, registeredProperties, warnOfDeprecated, withoutNulls, withoutTraces } from "./registration";
import { assertResourceArguments } from "./resource-arguments";
import type { ClassParameters, ReadableClass, ReadParameters, ResourceClass } from "./resource-class";

type Options = pulumi.CustomResourceOptions;

/**
 * Makes the class of a resource. A common base class would not do: Pulumi takes the caller of the class that extends
 * `CustomResource` as the resource's place in the program, and another constructor between them would be that place.
 */
export function createResourceClass<Resource extends pulumi.CustomResource, Rest extends ClassParameters>(
  adapter: ClassAdapter,
  description: ClassDescription<NonNullable<Rest[0]>>,
): ResourceClass<Resource, Rest> {
  const { name: className, table, applyDefaultOptions, onRegistered } = description;
  const type = adapter.typeOf(className);
  const classes = {
    // The key is the name that traces show.
    [className]: class extends pulumi.CustomResource {
      static readonly __pulumiType = type;

      static override isInstance(value: unknown): value is Resource {
        return pulumi.CustomResource.isInstance(value) && (value as { __pulumiType?: string }).__pulumiType === type;
      }

      constructor(name: string, ...[given, opts = {}]: Rest) {
        const args = assertResourceArguments(adapter, description, name, given, opts);
        const properties = registeredProperties(adapter, description, name, args, opts);
        const options = registeredOptions(adapter, description, applyDefaultOptions?.(opts) ?? opts);
        const end = withoutTraces();
        try {
          super(type, name, properties, options);
        } catch (error) {
          throw end(error);
        }
        withoutNulls(this, table);
        end();
        onRegistered?.(this, name, args, opts);
        if (!adapter.checkWarns) warnOfDeprecated(table, args, this);
      }
    },
  };
  return classes[className] as unknown as ResourceClass<Resource, Rest>;
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
