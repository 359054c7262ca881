import type { StackValidationArgs } from "@pulumi/policy";
import {
  type Field,
  fieldPathsOf,
  knownValue,
  type Properties,
  resources,
  scalingFields,
  valueAt,
} from "pulumi-clouddb/definitions";
import { canonicalId, hasUnknown, type ResourceName, UNKNOWN } from "pulumi-clouddb-facts";
import { finishedResource, isExcluded, isOurs, type PolicyResource } from "./resource";

/*
 * Groups related resources of a stack: a service with its ServiceScaling and ServiceAccess
 * resources.
 */

/** A resource with the origins of its arguments. */
export interface StackResource extends PolicyResource {
  /** The resources that an argument's value comes from. */
  readonly sourcesOf: (argument: string) => readonly PolicyResource[];
}

/** This provider's resources at the end of a preview or update. */
export function finishedResources({ resources: received }: StackValidationArgs): StackResource[] {
  // Sorted, because the engine's order is random, and messages should not vary.
  const inOrder = received
    .filter((resource) => isOurs(resource) && !isExcluded(resource))
    .sort((one, other) => (one.urn < other.urn ? -1 : 1));
  return inOrder.map((resource) => ({
    ...finishedResource(resource),
    sourcesOf: (argument) =>
      (resource.propertyDependencies[argument] ?? []).filter(isOurs).map(finishedResource),
  }));
}

/**
 * Groups resources of a type by their service, which is undefined outside of the stack. The service
 * of `unresolved` resources is unknown.
 */
export function groupByTarget(all: readonly StackResource[], type: ResourceName) {
  const services = all.filter((resource) => resource.type === "Service");
  // Of two services that adopt the same id, the first one counts.
  const adopted = new Map(
    services
      .map(({ inputs, urn }) => [canonicalId(inputs.existingServiceId), urn] as const)
      .reverse(),
  );
  const groups = new Map<string, StackResource[]>(services.map(({ urn }) => [urn, []]));
  const unresolved: StackResource[] = [];
  for (const member of all.filter((resource) => resource.type === type)) {
    const target = targetOf(member, adopted);
    if (target === undefined) unresolved.push(member);
    else groups.set(target, [...(groups.get(target) ?? []), member]);
  }
  const byUrn = new Map(services.map((service) => [service.urn, service]));
  return {
    services: [...groups].map(([urn, members]) => ({ service: byUrn.get(urn), members })),
    unresolved,
  };
}

/** The URN of a service in the stack, or else the service's id. */
function targetOf(
  member: StackResource,
  adopted: ReadonlyMap<unknown, string>,
): string | undefined {
  const { serviceId } = member.properties;
  const id =
    typeof serviceId === "string" && serviceId !== UNKNOWN ? canonicalId(serviceId) : undefined;
  const urn = id && adopted.get(id);
  if (urn !== undefined) return urn;
  // A new service has no id in its outputs, so it is found as the source of the argument.
  const [source, ...more] = member.sourcesOf("serviceId").filter(({ type }) => type === "Service");
  return source && more.length === 0 ? source.urn : id;
}

/** `maxTotalMemoryGb` is the deprecated form of these arguments. */
const SCALING_ARGUMENTS = [...Object.keys(scalingFields()), "maxTotalMemoryGb"];

/** The scaling arguments in properties. */
export function scalingOf(properties: Readonly<Properties>): Properties {
  return Object.fromEntries(
    SCALING_ARGUMENTS.flatMap((name) =>
      properties[name] === undefined ? [] : [[name, properties[name]]],
    ),
  );
}

/** A service and the ServiceScaling resources that target it. */
export interface ScaledService {
  /**
   * The resource in messages: the service, or the ServiceScaling of a service outside of the stack.
   */
  readonly resource: StackResource;
  readonly scalings: readonly StackResource[];
  /** The scaling arguments that these resources declare. */
  readonly declared: Properties;
  /** `declared`, completed with outputs of these resources. */
  readonly known: Properties;
  /** True if one of these resources marks the argument as secret. */
  readonly isSecret: PolicyResource["isSecret"];
}

export function groupByService(all: readonly StackResource[]) {
  const { services, unresolved } = groupByTarget(all, "ServiceScaling");
  const scaled = services.flatMap(({ service, members }): ScaledService[] => {
    const parts = [...(service ? [service] : []), ...members];
    const [resource] = parts;
    const merge = (source: "inputs" | "properties"): Properties =>
      Object.assign({}, ...parts.map((part) => scalingOf(part[source])));
    const isSecret = (name: string) => parts.some((part) => part.isSecret(name));
    return resource
      ? [
          {
            resource,
            scalings: members,
            declared: merge("inputs"),
            known: merge("properties"),
            isSecret,
          },
        ]
      : [];
  });
  return { services: scaled, unresolved };
}

/** A list that ServiceAccess resources add entries to. */
export interface AccessList {
  readonly name: string;
  readonly rules: NonNullable<Field["list"]>;
}

export const ACCESS_LISTS: readonly AccessList[] = fieldPathsOf(
  resources.ServiceAccess.definition.fields,
).flatMap(({ name, field }) => (field.list === undefined ? [] : [{ name, rules: field.list }]));

/** A resource's declared entries in a list; undefined if the whole list is unknown. */
export function declaredEntries(
  { inputs }: PolicyResource,
  name: string,
): readonly unknown[] | undefined {
  const list = valueAt(inputs, [name]) ?? [];
  return Array.isArray(list) ? list : undefined;
}

/** The entries that ServiceAccess resources add to a service's lists. */
function addedLists(members: readonly StackResource[]): Properties {
  const added = ACCESS_LISTS.map(({ name }) => [
    name,
    members.flatMap(({ inputs }) =>
      hasUnknown(inputs[name]) ? [inputs[name]] : (inputs[name] ?? []),
    ),
  ]);
  return Object.fromEntries(added.filter(([, entries]) => entries?.length));
}

/** Views of all resources at the end, to evaluate outputs of undeclared arguments. */
export function outputViews(all: readonly StackResource[]): PolicyResource[] {
  const { services, unresolved } = groupByService(all);
  const possible = new Set(unresolved.flatMap(({ inputs }) => Object.keys(scalingOf(inputs))));
  const access = groupByTarget(all, "ServiceAccess").services;
  const added = new Map(access.map(({ service, members }) => [service?.urn, addedLists(members)]));
  const others = all.filter(({ type }) => type !== "Service" && type !== "ServiceScaling");
  return [
    ...services.map(({ resource, ...scaled }) =>
      outputView(resource, { ...scaled, possible, added: added.get(resource.urn) ?? {} }),
    ),
    ...others.map((resource) => outputView(resource)),
  ];
}

/** Arguments of a resource that other resources declare. */
interface Siblings extends Pick<ScaledService, "declared" | "known" | "isSecret"> {
  /** Arguments of a ServiceScaling whose service is unknown. */
  readonly possible: ReadonlySet<string>;
  /** The access entries of ServiceAccess resources. */
  readonly added: Properties;
}

interface FinalArgument {
  /**
   * The value to evaluate; undefined if another resource declares the argument and is evaluated
   * instead.
   */
  readonly value?: unknown;
  readonly effective: unknown;
  readonly isUndeclared?: true;
}

function outputView(
  resource: PolicyResource,
  {
    declared = {},
    known = {},
    possible,
    added = {},
    isSecret = resource.isSecret,
  }: Partial<Siblings> = {},
): PolicyResource {
  const fieldPaths = fieldPathsOf(resources[resource.type].definition.fields);
  const outputAt = (path: string) => {
    const fieldPath = fieldPaths.find(({ name }) => name === path);
    // A ServiceScaling's response is newer than the response to the service's creation.
    return known[path] ?? (fieldPath && knownValue(resource.properties, fieldPath, undefined));
  };
  const find = (path: string): FinalArgument => {
    if (!resource.isUndeclared(path)) return { effective: resource.value(path) };
    const sibling = declared[path];
    if (sibling !== undefined)
      return { effective: sibling, ...(sibling === UNKNOWN && { value: UNKNOWN }) };
    const output = outputAt(path);
    // A ServiceScaling of an unknown service does not provide the missing size of a new service.
    const isLacking = resource.mayBeCreated && output === undefined;
    if (possible?.has(path) && !isLacking) return { value: UNKNOWN, effective: UNKNOWN };
    return { value: output, effective: added[path] ?? output, isUndeclared: true };
  };
  return {
    ...resource,
    evaluates: "outputs",
    isSecret,
    value: (path) => find(path).value,
    effective: (path) => find(path).effective,
    isUndeclared: (path) => find(path).isUndeclared === true,
  };
}
