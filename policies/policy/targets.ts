import { type ResourceName, UNKNOWN } from "pulumi-clouddb-facts";
import type { PolicyResource, StackResource } from "./policy-resource";

/** A service, and the resources of one type that target it. */
export interface Targeted {
  /** Undefined for a service outside the stack. */
  readonly service: StackResource | undefined;
  readonly members: readonly StackResource[];
}

export interface Targets {
  readonly services: readonly Targeted[];
  /** Resources whose service a preview cannot know. */
  readonly unresolved: readonly StackResource[];
}

/** Groups the resources of a type by the service that their `serviceId` names. */
export function groupByTarget(stackResources: readonly StackResource[], type: ResourceName): Targets {
  const services = stackResources.filter((resource) => resource.type === "Service");
  const members = stackResources.filter((resource) => resource.type === type);
  const targets = new Map(members.map((member) => [member, targetOf(member, services)]));
  const membersOf = (target: string) => members.filter((member) => targets.get(member) === target);
  const inStack = new Set(services.map(({ urn }) => urn));
  const outside = new Set([...targets.values()].filter((target) => target !== UNKNOWN && !inStack.has(target)));
  return {
    services: [
      ...services.map((service) => ({ service, members: membersOf(service.urn) })),
      ...[...outside].map((target) => ({ service: undefined, members: membersOf(target) })),
    ],
    unresolved: membersOf(UNKNOWN),
  };
}

/** The URN of the service in the stack, else the id of the service, else `UNKNOWN`. */
function targetOf(member: StackResource, services: readonly PolicyResource[]): string {
  const id = typeof member.properties.serviceId === "string" ? member.properties.serviceId : UNKNOWN;
  const adopted = id === UNKNOWN ? undefined : services.find(({ inputs }) => inputs.existingServiceId === id);
  if (adopted !== undefined) return adopted.urn;
  // The id of a service that the stack creates is in no output, so the source of the argument identifies it.
  const [source, ...more] = member.sourcesOf("serviceId").filter(({ type }) => type === "Service");
  return source && more.length === 0 ? source.urn : id;
}
