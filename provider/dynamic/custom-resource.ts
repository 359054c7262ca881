import * as pulumi from "@pulumi/pulumi";
import type { Definition } from "../fields";
import type { OwnedObject } from "./duplicate-owners";
import { registeredProperties, warnOfDeprecated, withoutTraces, withSecretOutputs } from "./registration";
import { assertResourceArguments } from "./resource-arguments";
import type { ClassParameters, ReadableClass, ReadParameters, ResourceClass } from "./resource-class";
import { typeToken } from "./stored-names";

type Options = pulumi.CustomResourceOptions;

/** What one class has of its own. */
export interface ClassDescription<Args> {
  /** Its name in programs. */
  readonly name: string;
  readonly definition: Definition;
  /** What there is instead of Pulumi's import option. */
  readonly adoptionHint: string;
  /** What no other resource of the program may manage. */
  readonly ownedObjects: (args: Args, opts: Options) => readonly OwnedObject[];
  readonly applyDefaultOptions?: (opts: Options) => Options;
  /** Runs once the resource is registered. */
  readonly onRegistered?: (resource: pulumi.CustomResource, name: string, args: Args, opts: Options) => void;
}

/**
 * Makes the class of a resource. A common base class would not do: Pulumi takes the caller of the class that extends
 * `CustomResource` as the resource's place in the program, and another constructor between them would be that place.
 */
export function createResourceClass<Resource extends pulumi.CustomResource, Rest extends ClassParameters>(
  description: ClassDescription<NonNullable<Rest[0]>>,
): ResourceClass<Resource, Rest> {
  const { name: className, definition, adoptionHint, ownedObjects, applyDefaultOptions, onRegistered } = description;
  const type = typeToken(className);
  const classes = {
    // The key is the name that traces show.
    [className]: class extends pulumi.CustomResource {
      static readonly __pulumiType = type;

      static override isInstance(value: unknown): value is Resource {
        return pulumi.CustomResource.isInstance(value) && (value as { __pulumiType?: string }).__pulumiType === type;
      }

      constructor(name: string, ...[given, opts = {}]: Rest) {
        const args = assertResourceArguments(definition, `${className} "${name}"`, given, opts, adoptionHint);
        const properties = registeredProperties(className, definition, name, args, ownedObjects(args, opts));
        const options = withSecretOutputs(definition, applyDefaultOptions?.(opts) ?? opts);
        const end = withoutTraces();
        try {
          super(type, name, properties, options);
        } catch (error) {
          throw end(error);
        }
        end();
        onRegistered?.(this, name, args, opts);
        warnOfDeprecated(definition, args, this);
      }
    },
  };
  return classes[className] as unknown as ResourceClass<Resource, Rest>;
}

/** The same with `get`, which makes the arguments of the id and the state that it is given. */
export function createReadableClass<
  Resource extends pulumi.CustomResource,
  Rest extends ClassParameters,
  ReadRest extends ReadParameters,
>(
  description: ClassDescription<NonNullable<Rest[0]>>,
  argumentsOf: (id: pulumi.Input<pulumi.ID>, state: NonNullable<ReadRest[0]>) => NonNullable<Rest[0]>,
  defaultOptions: Options = {},
): ReadableClass<Resource, Rest, ReadRest> {
  const made = createResourceClass<Resource, [args: object, opts: Options]>(description as ClassDescription<object>);
  function get(name: string, id: pulumi.Input<pulumi.ID>, state: object = {}, opts: Options = {}): Resource {
    return new made(name, argumentsOf(id, state), { ...defaultOptions, ...opts, id });
  }
  return Object.assign(made, { get }) as unknown as ReadableClass<Resource, Rest, ReadRest>;
}
