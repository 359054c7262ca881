import { parseUrn } from "../../../provider/names";
import { resources } from "../../../provider/resources";
import {
  ADAPTER,
  type AdapterProcess,
  type Handlers,
  type Properties,
  type ResourceType,
} from "../adapters/handlers";

export type { ResourceType };

/** The engine's options of a resource that its state keeps. */
interface Kept {
  readonly protect?: boolean | undefined;
  readonly retainOnDelete?: boolean | undefined;
}

/** A resource of a program. */
export interface Declared extends Kept {
  readonly name: string;
  readonly type: ResourceType;
  /** The arguments that reach the engine: transformations run after the class. */
  readonly args: Properties;
  /** The resource whose ID is the argument `serviceId`. */
  readonly serviceFrom?: string | undefined;
  /** The former name of a renamed resource. */
  readonly alias?: string | undefined;
  readonly isInComponent?: boolean;
  /** The order of a replacement by `--replace` or a taint. */
  readonly replace?: "create first" | "delete first" | undefined;
  readonly ignoreChanges?: readonly string[] | undefined;
  /** Takes precedence over the diff's order of a replacement. */
  readonly deleteBeforeReplace?: boolean;
  /** True if the resource is not among the targets of the command. */
  readonly isNoTarget?: boolean;
  /** The names of the resources that it depends on. */
  readonly after: readonly string[];
}

/** The engine's record of an object. */
export interface Stored {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /**
   * True after a partial failure (`initErrors`): the next step is an update, whatever diff returns.
   */
  readonly isPartial: boolean;
}

/** A resource in a state. */
export interface StateResource extends Stored, Kept {
  readonly urn: string;
  /** True if a replacement has been created. */
  readonly isToDelete?: boolean;
  /** True if the resource has been deleted and its replacement has not been created. */
  readonly isDeleted?: boolean;
  /** The URNs of the resources that it depends on. */
  readonly dependencies?: readonly string[];
  /** The URN of the resource whose ID is the argument `serviceId`. */
  readonly serviceFrom?: string | undefined;
}

/** The state of a stack, which the commands of all machines share. */
export interface Stack {
  readonly name: string;
  readonly project?: string;
  /** The resources, in the order of their last steps. */
  resources: readonly StateResource[];
}

const TYPE_PREFIX = { dynamic: "pulumi-nodejs:dynamic/clouddb", native: "clouddb:index" }[ADAPTER];

export function urnOf(
  { name: stack, project = "shop" }: Stack,
  type: ResourceType,
  name: string,
  isInComponent = false,
): string {
  const parent = isInComponent ? "shop:Team$" : "";
  return `urn:pulumi:${stack}::${project}::${parent}${TYPE_PREFIX}:${type}::${name}`;
}

export const nameIn = (urn: string) => urn.split("::").at(-1) ?? "";
export const typeIn = (urn: string) => parseUrn(urn).type.split(":").at(-1) as ResourceType;
export const isAccess = ({ urn }: StateResource) => typeIn(urn) === "ServiceAccess";
export const isReadable = (urn: string) => resources[typeIn(urn)].definition.read !== undefined;

/** The operations of a resource, with everything that a state holds. */
export function handlersAt({ handlersFor }: AdapterProcess, urn: string): Handlers {
  return handlersFor(typeIn(urn), urn);
}

export function findByName({ resources }: Stack, name: string): StateResource | undefined {
  return resources.find(({ urn, isToDelete }) => nameIn(urn) === name && !isToDelete);
}

/** Puts those first that a command has stored, in the order of their steps. */
export function arrange(stack: Stack, stored: ReadonlySet<StateResource>): void {
  const present = new Set(stack.resources);
  const first = [...stored].filter((resource) => present.has(resource));
  stack.resources = [...first, ...stack.resources.filter((resource) => !stored.has(resource))];
}

/** Changes a resource without changing the order of deletions. */
export function replaceInPlace(
  stack: Stack,
  before: StateResource,
  ...after: StateResource[]
): void {
  stack.resources = stack.resources.flatMap((resource) => (resource === before ? after : resource));
}
