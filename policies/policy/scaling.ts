import { type Properties, scalingFields } from "pulumi-clouddb/definitions";
import type { PolicyResource, StackResource } from "./policy-resource";
import { groupByTarget } from "./targets";

/** A service and the ServiceScaling resources that target it. */
export interface ScaledService {
  /** Identifies it in messages: the service, or the ServiceScaling of a service outside the stack. */
  readonly resource: PolicyResource;
  readonly scalings: readonly StackResource[];
  /** The scaling arguments that any of these resources declares. */
  readonly declared: Properties;
  /** `declared`, and the outputs of these resources. */
  readonly known: Properties;
  /** True if any of these resources marks the argument as secret. */
  readonly isSecret: (name: string) => boolean;
}

export interface ServiceGroups {
  readonly services: readonly ScaledService[];
  /** ServiceScaling resources whose service a preview cannot know. */
  readonly unresolved: readonly StackResource[];
}

/** `maxTotalMemoryGb` is the deprecated argument for the same thing. */
const SCALING_ARGUMENTS = [...Object.keys(scalingFields()), "maxTotalMemoryGb"];

/** The scaling arguments among properties. */
export function scalingOf(properties: Readonly<Properties>): Properties {
  return Object.fromEntries(
    SCALING_ARGUMENTS.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
}

export function groupByService(stackResources: readonly StackResource[]): ServiceGroups {
  const { services, unresolved } = groupByTarget(stackResources, "ServiceScaling");
  return {
    services: services.flatMap(({ service, members }) => mergeScaling(service, members) ?? []),
    unresolved,
  };
}

function mergeScaling(
  service: PolicyResource | undefined,
  scalings: readonly StackResource[],
): ScaledService | undefined {
  const resource = service ?? scalings[0];
  if (resource === undefined) return undefined;
  const merge = (source: "inputs" | "properties") =>
    Object.assign({}, ...[service, ...scalings].map((item) => (item ? scalingOf(item[source]) : {})));
  const isSecret = (name: string) => [resource, ...scalings].some((part) => part.isSecret(name));
  return { resource, scalings, declared: merge("inputs"), known: merge("properties"), isSecret };
}
