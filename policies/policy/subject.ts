import { UnknownValueError } from "@pulumi/policy";
import { type Properties, REFUSED, resources, UNKNOWN, valueAt } from "pulumi-clouddb/definitions";

/** The resources that policies judge. */
export type Kind = "Service" | "ServiceScaling" | "Organization" | "Pipe";

/** A resource of the program, as policies see it. */
export interface Subject {
  readonly kind: Kind;
  readonly name: string;
  readonly urn: string;
  readonly stack: string;
  /** What the program declares; `UNKNOWN` stands for what a preview cannot know. */
  readonly inputs: Properties;
  /** The same with what is known of the rest: after an `up`, what the API has filled in. */
  readonly properties: Properties;
  readonly isProtected: boolean;
  /** Whether the program creates it. What is adopted exists already, with values that its outputs show. */
  readonly isCreated: boolean;
  /** First the declared arguments are judged; at the end, the outputs of those that are not declared. */
  readonly stage: "declared" | "undeclared";
  /** The value at a place such as `settings.engineMaxThreads` that is judged at this stage. */
  readonly value: (place: string) => unknown;
  /** Whether the program leaves the place to the API. */
  readonly isUndeclared: (place: string) => boolean;
}

/** A resource among the others of its stack. */
export interface StackSubject extends Subject {
  /** The resources that the value of an argument comes from. */
  readonly sourcesOf: (argument: string) => readonly Subject[];
}

interface Given {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly props: Record<string, unknown>;
  readonly opts: { readonly protect: boolean };
}

/** Dynamic resources today; the same kinds of a provider of its own later. */
const TYPE = /^(?:pulumi-nodejs:dynamic\/)?clouddb(?::index(?:\/\w+)?)?:(\w+)$/;

/** Declared values by URN: a stack policy gets what became of a resource, not what was declared. */
const declared = new Map<string, Properties>();

/** A resource about to be created, changed or kept; nothing where it is not one of ours. */
export function declaredSubject(given: Given): Subject | undefined {
  const kind = kindOf(given.type);
  if (kind === undefined) return undefined;
  const { [REFUSED]: refused = [], ...sound } = withUnknowns(given.props);
  // The provider has said what is wrong with these.
  const inputs = { ...sound, ...Object.fromEntries((refused as string[]).map((name) => [name, UNKNOWN])) };
  declared.set(given.urn, inputs);
  return subject(kind, given, inputs, inputs);
}

/** A resource at the end of a preview or an update. */
export function finishedSubject(given: Given): Subject | undefined {
  const kind = kindOf(given.type);
  if (kind === undefined) return undefined;
  const properties = withUnknowns(given.props);
  const inputs = declared.get(given.urn) ?? properties;
  return subject(kind, given, inputs, { ...properties, ...inputs });
}

/**
 * Whether the engine shows a resource of ours without arguments: `--target` leaves it out, or its provider is not
 * configured yet. Otherwise check has resolved its organization at least.
 */
export function isLeftOut({ type, props }: Given): boolean {
  return kindOf(type) !== undefined && namesOf(props).length === 0;
}

/** `urn:pulumi:<stack>::…` */
export function stackOf(urn: string): string {
  return urn.split(":")[2] ?? "";
}

function kindOf(type: string): Kind | undefined {
  const [, name = ""] = TYPE.exec(type) ?? [];
  return Object.hasOwn(resources, name) ? (name as Kind) : undefined;
}

function subject(kind: Kind, { name, urn, opts }: Given, inputs: Properties, properties: Properties): Subject {
  const value = (place: string) => valueAt(inputs, place.split("."));
  return {
    kind,
    name,
    urn,
    stack: stackOf(urn),
    inputs,
    properties,
    isProtected: opts.protect,
    isCreated: kind === "Service" && inputs.existingServiceId === undefined,
    stage: "declared",
    value,
    isUndeclared: (place) => value(place) === undefined,
  };
}

/** A plain copy of what throws where it is not known: one read that throws would end a whole policy. */
function withUnknowns(props: object): Properties {
  return Object.fromEntries(namesOf(props).map((name) => [name, read(props, name)]));
}

function namesOf(props: object): string[] {
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
