import { UnknownValueError } from "@pulumi/policy";
import { fieldPathsOf, type Properties, REFUSED, resources, valueAt } from "pulumi-clouddb/definitions";
import { type ResourceName, resourceTypeOf, UNKNOWN } from "pulumi-clouddb-facts";
import { declarations } from "./run-memory";
import { isSecretAt, SECRET } from "./secrets";

/** A resource of the program, as policies see it. */
export interface PolicyResource {
  readonly type: ResourceName;
  readonly name: string;
  readonly urn: string;
  readonly stack: string;
  /** The declared arguments; `UNKNOWN` stands for a value that a preview cannot know. */
  readonly inputs: Properties;
  /** The inputs, and the outputs where they are known: stored ones in a preview, new ones after an update. */
  readonly properties: Properties;
  readonly isProtected: boolean;
  /** True if the program creates or created it rather than adopting it. */
  readonly isCreated: boolean;
  /** True also if `existingServiceId` is not known yet and may be absent. */
  readonly mayBeCreated: boolean;
  /** Declared arguments are evaluated first; at the end, the outputs of arguments that are not declared. */
  readonly evaluates: "arguments" | "outputs";
  /** The value to evaluate at a path such as `settings.engineMaxThreads`. */
  readonly value: (path: string) => unknown;
  /** The value at a path, whichever resource declares it; else the output. */
  readonly effective: (path: string) => unknown;
  /** True if no resource of the program declares the path. */
  readonly isUndeclared: (path: string) => boolean;
  /** True if the program marks the value at the path as secret. */
  readonly isSecret: (path: string) => boolean;
}

/** A resource together with where its arguments come from. */
export interface StackResource extends PolicyResource {
  /** The resources that the value of an argument comes from. */
  readonly sourcesOf: (argument: string) => readonly PolicyResource[];
}

/** A resource as the SDK passes it to a policy. */
interface ReceivedResource {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly props: Record<string, unknown>;
  readonly opts: { readonly protect: boolean };
}

/** Stores the declarations of a resource for stack policies; undefined for a resource of another provider. */
export function recordDeclaration(received: ReceivedResource): PolicyResource | undefined {
  const type = resourceTypeOf(received.type)?.name;
  if (type === undefined) return undefined;
  const { [REFUSED]: refused = [], ...valid } = withUnknowns(received.props);
  // The provider has already reported these.
  const inputs = { ...valid, ...Object.fromEntries((refused as string[]).map((name) => [name, UNKNOWN])) };
  declarations.set(received.urn, inputs);
  return policyResource(type, received, inputs, inputs);
}

/** A resource at the end of a preview or an update. */
export function resourceWithOutputs(received: ReceivedResource): PolicyResource | undefined {
  const type = resourceTypeOf(received.type)?.name;
  if (type === undefined) return undefined;
  const properties = withUnknowns(received.props);
  const inputs = declarations.get(received.urn) ?? properties;
  return policyResource(type, received, inputs, { ...withoutUnknown(properties), ...inputs });
}

/**
 * True if the engine passes one of our resources without arguments: `--target` excludes it, or its provider is not
 * configured yet. Otherwise check has resolved at least its organization.
 */
export function isExcluded({ type, props }: ReceivedResource): boolean {
  return resourceTypeOf(type) !== undefined && visibleNames(props).length === 0;
}

/** `urn:pulumi:<stack>::…` */
function stackOf(urn: string): string {
  return urn.split(":")[2] ?? "";
}

function policyResource(
  type: ResourceName,
  { name, urn, opts }: ReceivedResource,
  inputs: Properties,
  properties: Properties,
): PolicyResource {
  const value = (path: string) => valueAt(inputs, path.split("."));
  const { existingServiceId } = inputs;
  const isCreated = type === "Service" && existingServiceId === undefined;
  return {
    type,
    name,
    urn,
    stack: stackOf(urn),
    inputs,
    properties,
    isProtected: opts.protect,
    isCreated,
    mayBeCreated: isCreated || (type === "Service" && existingServiceId === UNKNOWN),
    evaluates: "arguments",
    value,
    effective: value,
    isUndeclared: (path) => value(path) === undefined,
    isSecret: (path) => [path, observedPlace(type, path)].some((place) => isSecretAt(urn, place)),
  };
}

/** The output that shows an argument, where that is not the one of its own name. */
function observedPlace(type: ResourceName, path: string): string {
  const fieldPath = fieldPathsOf(resources[type].definition.fields).find(({ name }) => name === path);
  return fieldPath?.observedPath?.join(".") ?? path;
}

/** The text of a value for a message. */
export function shown({ isSecret }: Pick<PolicyResource, "isSecret">, path: string, value: unknown): string {
  return isSecret(path) ? SECRET : String(value);
}

/** A plain copy of properties that throw where they are unknown: one read that throws would end a whole policy. */
function withUnknowns(props: object): Properties {
  return Object.fromEntries(visibleNames(props).map((name) => [name, read(props, name)]));
}

/** A native resource's preview has an unknown output for each argument that the API may fill in; a dynamic one's has none. */
function withoutUnknown(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== UNKNOWN));
}

function visibleNames(props: object): string[] {
  return Object.keys(props).filter((name) => !name.startsWith("__"));
}

function read(holder: object, name: string | number): unknown {
  try {
    const value: unknown = (holder as Record<string | number, unknown>)[name];
    if (Array.isArray(value)) return Array.from({ length: value.length }, (_, index) => read(value, index));
    return typeof value === "object" && value !== null ? withUnknowns(value) : value;
  } catch (error) {
    if (error instanceof UnknownValueError) return UNKNOWN;
    throw error;
  }
}
