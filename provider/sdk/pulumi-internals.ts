import * as config from "@pulumi/pulumi/runtime/config";
import * as dependencies from "@pulumi/pulumi/runtime/dependsOn";
import { getMonitor } from "@pulumi/pulumi/runtime/settings";
import { type Message, render } from "../errors";
import * as pulumi from "./pulumi";

/*
 * Undocumented behavior of Pulumi's SDK that programs depend on. A new SDK breaks here: each export
 * has a test.
 */

/** The type token of a resource or an explicit provider. */
export function typeOf(resource: pulumi.Resource): string | undefined {
  return (resource as { __pulumiType?: string }).__pulumiType;
}

/** The `protect` option of a resource; children inherit it. */
export function protectionOf(resource: pulumi.Resource | undefined): boolean | undefined {
  return (resource as { __protect?: boolean } | undefined)?.__protect;
}

type Transformable = { __transformations: pulumi.ResourceTransformation[] };

/**
 * Options with a callback that gets the options after all transformations, before the registration.
 * A resource runs its own transformations before those of parents and stack.
 */
export function afterTransformations(
  opts: pulumi.CustomResourceOptions,
  look: (left: pulumi.CustomResourceOptions) => void,
): pulumi.CustomResourceOptions {
  const first: pulumi.ResourceTransformation = ({ resource }) => {
    (resource as unknown as Transformable).__transformations.push(last);
    return undefined;
  };
  const last: pulumi.ResourceTransformation = ({ resource, opts: left }) => {
    // Removes the transformation, since children inherit the list.
    const holder = resource as unknown as Transformable;
    holder.__transformations = holder.__transformations.filter(
      (item) => item !== first && item !== last,
    );
    look(left);
    return undefined;
  };
  return { ...opts, transformations: [first, ...(opts.transformations ?? [])] };
}

/**
 * Suppresses stack traces until the returned function is called, which adds the program's place to
 * an error created meanwhile. The SDK takes four traces for each property to report leaked
 * promises, half of the time of a large preview. It sets its own limit for the resource's position.
 */
export function suppressTraces(): (error?: unknown) => unknown {
  const limit = Error.stackTraceLimit;
  // biome-ignore lint/style/noProcessEnv: debugging a leak in Pulumi's SDK needs the traces
  if (!process.env.PULUMI_DEBUG_PROMISE_LEAKS) Error.stackTraceLimit = 0;
  return function restore(error) {
    Error.stackTraceLimit = limit;
    if (error instanceof Error && !error.stack?.includes("\n    at "))
      Error.captureStackTrace(error, restore);
    return error;
  };
}

/** True in a unit test with `pulumi.runtime.setMocks`, without engine and API. */
export function isMocked(): boolean {
  const monitor = getMonitor();
  return monitor !== undefined && "mocks" in monitor;
}

/** The value of a partly unknown output, for which `apply` never runs. */
export function valueWithUnknowns<Value>(output: pulumi.Output<Value>): Promise<Value> {
  const { promise } = output as unknown as { promise: (withUnknowns: boolean) => Promise<Value> };
  return promise.call(output, true);
}

/** True for an encrypted key in the stack's configuration. */
export const { isConfigSecret } = config as unknown as { isConfigSecret: (key: string) => boolean };

const { gatherExplicitDependencies, getAllTransitivelyReferencedResources } =
  dependencies as unknown as Record<
    "gatherExplicitDependencies" | "getAllTransitivelyReferencedResources",
    (...parameters: unknown[]) => Promise<pulumi.Resource[]>
  >;

/** The ids of resources in `dependsOn`, including resources of components in it. */
export async function idsOfDependencies(dependsOn: unknown): Promise<pulumi.Output<unknown>[]> {
  const named = new Set(await gatherExplicitDependencies(dependsOn));
  const all = await getAllTransitivelyReferencedResources(named, new Set());
  return all.map(
    (resource) => (pulumi.CustomResource.isInstance(resource) && resource.id) || resource.urn,
  );
}

export function programError(message: Message): pulumi.RunError {
  return errorWithoutStack(render(message));
}

/** An error that Pulumi prints without a stack, even if it rejects an Output. */
export function errorWithoutStack(text: string): pulumi.RunError {
  const error = new pulumi.RunError(text);
  error.stack = text;
  return error;
}
