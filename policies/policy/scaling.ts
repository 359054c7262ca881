import { type Properties, scalingFields } from "pulumi-clouddb/definitions";
import { UNKNOWN } from "pulumi-clouddb-facts";
import type { PolicyResource, StackResource } from "./policy-resource";

/** A service and the ServiceScaling resources that target it. */
export interface ScaledService {
  /** Identifies it in messages: the service, or the ServiceScaling of a service outside the stack. */
  readonly resource: PolicyResource;
  readonly scalings: readonly StackResource[];
  /** The scaling arguments that any of these resources declares. */
  readonly declared: Properties;
  /** `declared`, and the outputs of these resources. */
  readonly known: Properties;
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
  const services = stackResources.filter(({ type }) => type === "Service");
  const scalings = stackResources.filter(({ type }) => type === "ServiceScaling");
  const targets = new Map(scalings.map((scaling) => [scaling, targetOf(scaling, services)]));
  const scalingsOf = (target: string) => scalings.filter((scaling) => targets.get(scaling) === target);
  const inStack = new Set(services.map(({ urn }) => urn));
  const outside = new Set([...targets.values()].filter((target) => target !== UNKNOWN && !inStack.has(target)));
  return {
    services: [
      ...services.map((service) => mergeScaling(service, scalingsOf(service.urn))),
      ...[...outside].map((target) => mergeScaling(undefined, scalingsOf(target))),
    ].filter((item) => item !== undefined),
    unresolved: scalingsOf(UNKNOWN),
  };
}

/** The URN of the service in the stack, else the id of the service, else `UNKNOWN`. */
function targetOf(scaling: StackResource, services: readonly PolicyResource[]): string {
  const id = typeof scaling.properties.serviceId === "string" ? scaling.properties.serviceId : UNKNOWN;
  const adopted = id === UNKNOWN ? undefined : services.find(({ inputs }) => inputs.existingServiceId === id);
  if (adopted !== undefined) return adopted.urn;
  // The id of a service that the stack creates is in no output, so the source of the argument identifies it.
  const [source, ...more] = scaling.sourcesOf("serviceId").filter(({ type }) => type === "Service");
  return source && more.length === 0 ? source.urn : id;
}

function mergeScaling(
  service: PolicyResource | undefined,
  scalings: readonly StackResource[],
): ScaledService | undefined {
  const resource = service ?? scalings[0];
  if (resource === undefined) return undefined;
  const merge = (source: "inputs" | "properties") =>
    Object.assign({}, ...[service, ...scalings].map((item) => (item ? scalingOf(item[source]) : {})));
  return { resource, scalings, declared: merge("inputs"), known: merge("properties") };
}
