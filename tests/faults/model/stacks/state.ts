import type { Properties } from "../../../support/adapters/handlers";
import { type ResourceType, TYPE_TOKEN } from "./process";

/** A resource of a program. */
export interface Declared {
  readonly name: string;
  readonly type: ResourceType;
  readonly args: Properties;
  /** The resource whose ID is the argument `serviceId`. */
  readonly serviceFrom?: string;
  /** The former name of a renamed resource. */
  readonly alias?: string;
  readonly isInComponent?: boolean;
  /** The order of a replacement by `--replace` or a taint. */
  readonly replace?: "create first" | "delete first" | undefined;
  readonly ignoreChanges?: readonly string[];
  /** True if the resource is not among the targets of the command. */
  readonly isNoTarget?: boolean;
  readonly after: readonly string[];
}

/** A resource in a state. */
export interface StateResource {
  readonly urn: string;
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  /** True if the last step failed partially: the next step is an update. */
  readonly isPartial?: boolean;
  /** True if a replacement has been created. */
  readonly isToDelete?: boolean;
  /** True if the resource has been deleted and its replacement has not been created. */
  readonly isDeleted?: boolean;
}

/** The state of a stack, which the commands of all machines share. */
export interface Stack {
  readonly name: string;
  /** The resources, in the order of their last steps. */
  resources: readonly StateResource[];
}

export function urnOf({ name: stack }: Stack, type: ResourceType, name: string, isInComponent = false): string {
  return `urn:pulumi:${stack}::shop::${isInComponent ? "shop:Team$" : ""}${TYPE_TOKEN(type)}::${name}`;
}

export const nameIn = (urn: string) => urn.split("::").at(-1) ?? "";
export const isAccess = ({ urn }: StateResource) => urn.split("::")[2]?.endsWith(":ServiceAccess") === true;

export function findByName({ resources }: Stack, name: string): StateResource | undefined {
  return resources.find(({ urn, isToDelete }) => nameIn(urn) === name && !isToDelete);
}

/** Puts a resource in the place of another one. */
export function replaceIn(stack: Stack, before: StateResource | undefined, ...after: StateResource[]): void {
  stack.resources = [...stack.resources.filter((resource) => resource !== before), ...after];
}
