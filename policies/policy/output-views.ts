import { fieldPathsOf, knownValue, type Properties, resources } from "pulumi-clouddb/definitions";
import { UNKNOWN } from "pulumi-clouddb-facts";
import { addedLists } from "./access";
import type { PolicyResource, StackResource } from "./policy-resource";
import { groupByService, scalingOf } from "./scaling";

/** The arguments that other resources declare for a service. */
interface SiblingContext {
  /** Declared by the service or a ServiceScaling of it. */
  readonly declared: Properties;
  /** `declared`, and the outputs of both. */
  readonly known: Properties;
  /** Declared by a ServiceScaling that may be of this service or of another one. */
  readonly possible: ReadonlySet<string>;
  /** The access lists that ServiceAccess resources fill. */
  readonly added: Properties;
  /** True if any of these resources marks the argument as secret. */
  readonly isSecret: PolicyResource["isSecret"];
}

/** The resources at the end, to evaluate the outputs of arguments that no resource declares. */
export function outputViews(stackResources: readonly StackResource[]): PolicyResource[] {
  const { services, unresolved } = groupByService(stackResources);
  const possible = new Set(unresolved.flatMap(({ inputs }) => Object.keys(scalingOf(inputs))));
  const added = addedLists(stackResources);
  const others = stackResources.filter(({ type }) => type !== "Service" && type !== "ServiceScaling");
  return [
    ...services.map(({ resource, declared, known, isSecret }) =>
      outputView(resource, { declared, known, possible, added: added.get(resource.urn) ?? {}, isSecret }),
    ),
    ...others.map((resource) =>
      outputView(resource, {
        declared: {},
        known: {},
        possible: new Set(),
        added: {},
        isSecret: resource.isSecret,
      }),
    ),
  ];
}

function outputView(
  resource: PolicyResource,
  { declared, known, possible, added, isSecret }: SiblingContext,
): PolicyResource {
  const fieldPaths = fieldPathsOf(resources[resource.type]?.definition.fields ?? {});
  const outputAt = (path: string) => {
    const fieldPath = fieldPaths.find(({ name }) => name === path);
    // A ServiceScaling's response is newer than the one that the service was created with.
    return known[path] ?? (fieldPath && knownValue(resource.properties, fieldPath, undefined));
  };
  // A ServiceScaling that may be of another service does not make up for a size that a new service lacks.
  const isPossible = (path: string) => possible.has(path) && !(resource.mayBeCreated && outputAt(path) === undefined);
  const isUndeclared = (path: string) =>
    resource.isUndeclared(path) && declared[path] === undefined && !isPossible(path);
  const value = (path: string) => {
    if (isUndeclared(path)) return outputAt(path);
    // Declared values are evaluated where they are declared.
    if (!resource.isUndeclared(path) || (declared[path] !== undefined && declared[path] !== UNKNOWN)) return undefined;
    return UNKNOWN;
  };
  return {
    ...resource,
    evaluates: "outputs",
    isUndeclared,
    isSecret,
    value,
    effective: (path) => resource.value(path) ?? declared[path] ?? added[path] ?? value(path),
  };
}
