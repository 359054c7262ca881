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
 * The resources of a stack that belong together: a service, its ServiceScaling and its
 * ServiceAccess resources.
 */

/** A resource together with where its arguments come from. */
export interface StackResource extends PolicyResource {
  /** The resources that the value of an argument comes from. */
  readonly sourcesOf: (argument: string) => readonly PolicyResource[];
}

/** Our resources at the end of a preview or an update. */
export function finishedResources({ resources: received }: StackValidationArgs): StackResource[] {
  // The engine's order is random; the same program gets the same messages.
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
 * Groups the resources of a type by their service, which is undefined outside the stack;
 * `unresolved` are those whose service a preview cannot know.
 */
export function groupByTarget(all: readonly StackResource[], type: ResourceName) {
  const services = all.filter((resource) => resource.type === "Service");
  // If two services adopt the same id, the first one counts.
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

/** The URN of the service in the stack, else the id of the service. */
function targetOf(
  member: StackResource,
  adopted: ReadonlyMap<unknown, string>,
): string | undefined {
  const { serviceId } = member.properties;
  const id =
    typeof serviceId === "string" && serviceId !== UNKNOWN ? canonicalId(serviceId) : undefined;
  const urn = id && adopted.get(id);
  if (urn !== undefined) return urn;
  // The id of a service that the stack creates is in no output, so the source of the argument
  // identifies it.
  const [source, ...more] = member.sourcesOf("serviceId").filter(({ type }) => type === "Service");
  return source && more.length === 0 ? source.urn : id;
}

/** `maxTotalMemoryGb` is the deprecated argument for the same thing. */
const SCALING_ARGUMENTS = [...Object.keys(scalingFields()), "maxTotalMemoryGb"];

/** The scaling arguments among properties. */
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
   * Identifies it in messages: the service, or the ServiceScaling of a service outside the stack.
   */
  readonly resource: StackResource;
  readonly scalings: readonly StackResource[];
  /** The scaling arguments that any of these resources declares. */
  readonly declared: Properties;
  /** `declared`, and the outputs of these resources. */
  readonly known: Properties;
  /** True if any of these resources marks the argument as secret. */
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

/** A list to which a ServiceAccess adds entries. */
export interface AccessList {
  readonly name: string;
  readonly rules: NonNullable<Field["list"]>;
}

export const ACCESS_LISTS: readonly AccessList[] = fieldPathsOf(
  resources.ServiceAccess.definition.fields,
).flatMap(({ name, field }) => (field.list === undefined ? [] : [{ name, rules: field.list }]));

/** The entries that a resource declares in a list; undefined while the whole list is unknown. */
export function declaredEntries(
  { inputs }: PolicyResource,
  name: string,
): readonly unknown[] | undefined {
  const list = valueAt(inputs, [name]) ?? [];
  return Array.isArray(list) ? list : undefined;
}

/** The lists that ServiceAccess resources fill for a service. */
function addedLists(members: readonly StackResource[]): Properties {
  const added = ACCESS_LISTS.map(({ name }) => [
    name,
    members.flatMap(({ inputs }) =>
      hasUnknown(inputs[name]) ? [inputs[name]] : (inputs[name] ?? []),
    ),
  ]);
  return Object.fromEntries(added.filter(([, entries]) => entries?.length));
}

/** The resources at the end, to evaluate the outputs of arguments that no resource declares. */
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

/** The arguments that other resources declare for one resource. */
interface Siblings extends Pick<ScaledService, "declared" | "known" | "isSecret"> {
  /** Declared by a ServiceScaling that may be of this service or of another one. */
  readonly possible: ReadonlySet<string>;
  /** The access lists that ServiceAccess resources fill. */
  readonly added: Properties;
}

/** An argument at the end of a preview or an update. */
interface FinalArgument {
  /** The value to evaluate here; undefined if it is evaluated at the resource that declares it. */
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
    // A ServiceScaling's response is newer than the one that the service was created with.
    return known[path] ?? (fieldPath && knownValue(resource.properties, fieldPath, undefined));
  };
  const find = (path: string): FinalArgument => {
    if (!resource.isUndeclared(path)) return { effective: resource.value(path) };
    const sibling = declared[path];
    if (sibling !== undefined)
      return { effective: sibling, ...(sibling === UNKNOWN && { value: UNKNOWN }) };
    const output = outputAt(path);
    // A ServiceScaling that may be of another service does not make up for a size that a new
    // service lacks.
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
