import { isDeepStrictEqual } from "node:util";
import type { Failure, Properties } from "../../../support/adapters/handlers";
import { UNKNOWN } from "../../../support/adapters/values";
import type { Command } from "./command";
import { type Declared, findByName, replaceIn, type Stack, type StateResource, urnOf } from "./state";

/** The steps of one resource, as the engine plans them and stores their results. */

export type Step = () => Promise<void>;

export interface Plan {
  readonly action: string;
  readonly step: Step;
}

/** Registers a resource: check, diff, and the step that follows from them. */
export async function planFor(command: Command, declared: Declared, registered: Set<string>): Promise<Plan> {
  const { stack, operations } = command;
  const urn = urnOf(stack, declared.type, declared.name, declared.isInComponent);
  const stored = adoptUrn(stack, urn, declared, registered);
  registered.add(urn);
  if (declared.isNoTarget) return { action: "no target", step: async () => {} };
  const args = argumentsOf(stack, declared, stored);
  const inputs = await check(command, urn, declared.replace ? undefined : stored, args);
  if (stored === undefined) return { action: "create", step: () => create(command, urn, inputs, undefined) };
  if (declared.replace) return replace(command, stored, inputs, declared.replace === "delete first");

  const difference = await operations.diff(urn, stored.id, stored.outputs, stored.inputs, inputs);
  if (difference.replaces.length > 0 || stored.isDeleted) {
    return replace(command, stored, await check(command, urn, undefined, args), difference.deleteBeforeReplace);
  }
  const hasChanges = difference.changes ?? differ(stored.inputs, inputs);
  if (hasChanges || stored.isPartial) return { action: "update", step: () => update(command, stored, inputs) };
  // A step without changes stores the new inputs and the old outputs.
  return { action: "same", step: async () => replaceInPlace(stack, stored, { ...stored, inputs }) };
}

/** The resource's state, which gets the new URN at once. */
function adoptUrn(stack: Stack, urn: string, { alias, type }: Declared, registered: Set<string>) {
  const current = stack.resources.filter(({ isToDelete }) => !isToDelete);
  const former = alias === undefined ? [] : [false, true].map((isIn) => urnOf(stack, type, alias, isIn));
  const isFormer = (each: StateResource) => former.includes(each.urn) && !registered.has(each.urn);
  const stored = current.find((each) => each.urn === urn) ?? current.find(isFormer);
  if (stored === undefined || stored.urn === urn) return stored;
  const renamed = { ...stored, urn };
  replaceInPlace(stack, stored, renamed);
  return renamed;
}

/** The arguments with the ID of another resource, and with what `ignoreChanges` puts back. */
function argumentsOf(stack: Stack, declared: Declared, stored: StateResource | undefined): Properties {
  const { args, serviceFrom, ignoreChanges = [] } = declared;
  const serviceId = serviceFrom === undefined ? {} : { serviceId: findByName(stack, serviceFrom)?.id ?? UNKNOWN };
  if (stored === undefined) return { ...args, ...serviceId };
  const put = ignoreChanges.map((name) => [name, stored.inputs[name]] as const);
  const all = { ...args, ...serviceId, ...Object.fromEntries(put) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

async function check({ operations }: Command, urn: string, stored: StateResource | undefined, args: Properties) {
  const { inputs, reasons } = await operations.check(urn, stored?.inputs ?? {}, args);
  if (reasons.length > 0) throw new Error(reasons.join(" "));
  return inputs;
}

/** The engine's own comparison, without members of its own. */
export function differ(one: Properties, other: Properties): boolean {
  const shownIn = (inputs: Properties) => Object.entries(inputs).filter(([name]) => !name.startsWith("__"));
  return !isDeepStrictEqual(Object.fromEntries(shownIn(one)), Object.fromEntries(shownIn(other)));
}

async function create(
  { stack, operations, schedule, result }: Command,
  urn: string,
  inputs: Properties,
  former: StateResource | undefined,
): Promise<void> {
  const created = await operations.create(urn, inputs).catch((error: Failure) => partial(result, urn, error));
  await schedule.turn();
  if (created === undefined) return;
  const isToDelete = former !== undefined && !former.isDeleted;
  const next = { urn, inputs, ...created };
  replaceIn(stack, former, ...(isToDelete ? [{ ...former, isToDelete }] : []), next);
}

async function update(
  { stack, operations, schedule, result }: Command,
  stored: StateResource,
  inputs: Properties,
): Promise<void> {
  const { urn, id, outputs } = stored;
  const updated = await operations
    .update(urn, id, outputs, inputs)
    .then((next) => ({ id, outputs: next, isPartial: false }))
    .catch((error: Failure) => partial(result, urn, error));
  await schedule.turn();
  if (updated !== undefined) replaceIn(stack, stored, { urn, inputs, ...updated });
}

/** The state that the engine stores after a failure, if any. */
function partial({ errors }: Command["result"], urn: string, { message, id, properties }: Failure) {
  errors.push(`${urn.split("::").at(-1)}: ${message}`);
  return id === undefined || properties === undefined ? undefined : { id, outputs: properties, isPartial: true };
}

function replace(command: Command, stored: StateResource, inputs: Properties, isDeletedFirst: boolean): Plan {
  const { stack, operations, schedule } = command;
  const { urn, id, outputs } = stored;
  if (!isDeletedFirst) return { action: "replace", step: () => create(command, urn, inputs, stored) };
  return {
    action: "delete, create",
    async step() {
      const deleted = { ...stored, isDeleted: true };
      if (!stored.isDeleted) {
        await operations.delete(urn, id, outputs);
        await schedule.turn();
        replaceInPlace(stack, stored, deleted);
      }
      await create(command, urn, inputs, stored.isDeleted ? stored : deleted);
    },
  };
}

/** Deletes a resource that the program no longer declares. */
export async function storeDeletion({ stack, operations, schedule }: Command, stored: StateResource): Promise<void> {
  const { urn, id, outputs, isDeleted } = stored;
  if (!isDeleted) await operations.delete(urn, id, outputs);
  await schedule.turn();
  replaceIn(stack, stored);
}

function replaceInPlace(stack: Stack, before: StateResource, after: StateResource): void {
  stack.resources = stack.resources.map((resource) => (resource === before ? after : resource));
}
