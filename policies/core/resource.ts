import { type ResourceValidationArgs, UnknownValueError } from "@pulumi/policy";
import {
  fieldPathsOf,
  type Properties,
  REFUSED,
  resources,
  valueAt,
} from "pulumi-clouddb/definitions";
import {
  isRecord,
  overlap,
  parseUrn,
  type ResourceName,
  resourceTypeOf,
  SECRET_MARK,
  SIGNATURE,
  UNKNOWN,
} from "pulumi-clouddb-facts";

/** A resource as policies see it. */
export interface PolicyResource {
  readonly type: ResourceName;
  readonly name: string;
  readonly urn: string;
  readonly stack: string;
  /** The declared arguments. `UNKNOWN` replaces an unknown value. */
  readonly inputs: Properties;
  /** The inputs and known outputs: stored ones in a preview, new ones after an update. */
  readonly properties: Properties;
  readonly isProtected: boolean;
  /** True if the program creates or created the object instead of adopting it. */
  readonly isCreated: boolean;
  /** Also true if `existingServiceId` is unknown and may be absent. */
  readonly mayBeCreated: boolean;
  /**
   * The values under evaluation: declared arguments first, and outputs of undeclared arguments at
   * the end.
   */
  readonly evaluates: "arguments" | "outputs";
  /** The value to evaluate at a path such as `settings.engineMaxThreads`. */
  readonly value: (path: string) => unknown;
  /** The value at a path from any declaring resource, or else the output. */
  readonly effective: (path: string) => unknown;
  /** True if the program declares the secret at a path, or its variable. */
  readonly declaresSecret: (path: string) => boolean;
  /** True if no resource declares the path. */
  readonly isUndeclared: (path: string) => boolean;
  /** True if the program marks the value at the path as secret. */
  readonly isSecret: (path: string) => boolean;
}

/** A resource as the SDK passes it. */
export type ReceivedResource = Pick<
  ResourceValidationArgs,
  "type" | "name" | "urn" | "props" | "opts"
>;

/**
 * Declared values by URN, in the process of a preview or update. Policies over the stack get only
 * outputs.
 */
const declarations = new Map<string, Properties>();

/** The places that the program marks as secret, by URN. */
const secretPlaces = new Map<string, ReadonlySet<string>>();

/** The URNs of excluded resources, which are reported only once. */
export const reportedExclusions = new Set<string>();

/**
 * Values that policies share during one of the engine's requests, since each policy gets a copy of
 * the request.
 */
let shared: Map<string, unknown> | undefined;

/**
 * Computes a value once per request for all policies. Without an engine, computes it for each
 * policy.
 */
export function once<Value>(key: string, compute: () => Value): Value {
  if (shared === undefined) return compute();
  if (!shared.has(key)) shared.set(key, compute());
  return shared.get(key) as Value;
}

export function beginRequest(): void {
  shared = new Map();
}

/** Forgets all state, so that tests can judge several programs in one process. */
export function forgetRun(): void {
  declarations.clear();
  secretPlaces.clear();
  reportedExclusions.clear();
  shared = undefined;
}

export function isOurs({ type }: Pick<ReceivedResource, "type">): boolean {
  return resourceTypeOf(type) !== undefined;
}

/**
 * True if the engine passes a resource without arguments: `--target` excludes it, or its provider
 * is not configured yet. Otherwise, check has added at least the organization.
 */
export function isExcluded({ props }: ReceivedResource): boolean {
  return visibleNames(props).length === 0;
}

/** A resource with its declared arguments, which are stored for policies over the stack. */
export function declaredResource(received: ReceivedResource): PolicyResource {
  const { [REFUSED]: refused = [], ...valid } = withUnknowns(received.props);
  // The provider has already reported refused arguments.
  const inputs = {
    ...valid,
    ...Object.fromEntries((refused as string[]).map((name) => [name, UNKNOWN])),
  };
  declarations.set(received.urn, inputs);
  return resourceFrom(received, inputs, inputs);
}

/** A resource at the end of a preview or an update. */
export function finishedResource(received: ReceivedResource): PolicyResource {
  const outputs = withUnknowns(received.props);
  const inputs = declarations.get(received.urn) ?? outputs;
  // In a preview, the native plugin returns an unknown output for each argument that the API may
  // fill in.
  const known = Object.fromEntries(
    Object.entries(outputs).filter(([, value]) => value !== UNKNOWN),
  );
  return resourceFrom(received, inputs, { ...known, ...inputs });
}

function resourceFrom(
  { type: token, name, urn, opts }: ReceivedResource,
  inputs: Properties,
  properties: Properties,
): PolicyResource {
  const type = resourceTypeOf(token)?.name as ResourceName;
  const value = (path: string) => valueAt(inputs, path.split("."));
  const { existingServiceId } = inputs;
  const isCreated = type === "Service" && existingServiceId === undefined;
  return {
    type,
    name,
    urn,
    stack: parseUrn(urn).stack,
    inputs,
    properties,
    isProtected: opts.protect,
    isCreated,
    mayBeCreated: isCreated || (type === "Service" && existingServiceId === UNKNOWN),
    evaluates: "arguments",
    value,
    effective: value,
    declaresSecret: (path) => {
      const reference = resourceTypeOf(token)?.references?.[path];
      return [path, ...(reference ? [reference] : [])].some((place) => value(place) !== undefined);
    },
    isUndeclared: (path) => value(path) === undefined,
    isSecret: (path) => [path, observedPlace(type, path)].some((place) => isSecretAt(urn, place)),
  };
}

export function describeResource({ type, name }: PolicyResource): string {
  return `${type} "${name}"`;
}

/** A plain copy of properties. Reading an unknown one would throw and end the policy. */
function withUnknowns(props: object): Properties {
  return Object.fromEntries(visibleNames(props).map((name) => [name, read(props, name)]));
}

function visibleNames(props: object): string[] {
  return Object.keys(props).filter((name) => !name.startsWith("__"));
}

function read(holder: object, name: string | number): unknown {
  try {
    const value: unknown = (holder as Record<string | number, unknown>)[name];
    if (Array.isArray(value))
      return Array.from({ length: value.length }, (_, index) => read(value, index));
    return typeof value === "object" && value !== null ? withUnknowns(value) : value;
  } catch (error) {
    if (error instanceof UnknownValueError) return UNKNOWN;
    throw error;
  }
}

/** Replaces a secret value in messages. */
export const SECRET = "[secret]";

/** The text of a value for a message. */
export function shown({ isSecret }: PolicyResource, path: string, value: unknown): string {
  return isSecret(path) ? SECRET : String(value);
}

/** Records a resource's secrets from the engine's properties, since the SDK passes plain values. */
export function recordSecrets(urn: string, properties: object): void {
  const places = placesIn(properties, "");
  if (places.length > 0)
    secretPlaces.set(urn, new Set([...(secretPlaces.get(urn) ?? []), ...places]));
}

/** The places of secrets in a value. A list counts as one place. */
function placesIn(value: unknown, place: string): string[] {
  if (Array.isArray(value))
    return value.some((entry) => placesIn(entry, place).length > 0) ? [place] : [];
  if (!isRecord(value)) return [];
  if (value[SIGNATURE] === SECRET_MARK) return [place];
  return Object.entries(value).flatMap(([name, inner]) =>
    placesIn(inner, place === "" ? name : `${place}.${name}`),
  );
}

/** True if the program marks a value at, in or around a place such as `source.kafka.iamRole`. */
function isSecretAt(urn: string, place: string): boolean {
  return [...(secretPlaces.get(urn) ?? [])].some((secret) => overlap(secret, place));
}

/** The output for an argument, usually with the same name. */
function observedPlace(type: ResourceName, path: string): string {
  const fieldPath = fieldPathsOf(resources[type].definition.fields).find(
    ({ name }) => name === path,
  );
  return fieldPath?.observedPath?.join(".") ?? path;
}
