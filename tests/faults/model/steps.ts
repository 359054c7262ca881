import { isDeepStrictEqual } from "node:util";
import type { Handlers, Properties } from "../../support/adapters/handlers";
import { UNKNOWN } from "../../support/adapters/values";
import { create as createResource, type StepResult, update } from "../../support/stack-model";
import type { Command } from "./command";
import {
  type Declared,
  findByName,
  handlersAt,
  nameIn,
  replaceIn,
  replaceInPlace,
  type Stack,
  type StateResource,
  urnOf,
} from "./state";

/** The steps of one resource, as the engine plans them and stores their results. */

export type Step = () => Promise<void>;

export interface Plan {
  readonly action: string;
  readonly step: Step;
}

/** Registers a resource: check, diff, and the step that follows from them. */
export async function planFor(
  command: Command,
  declared: Declared,
  registered: Set<string>,
): Promise<Plan> {
  const { stack, process } = command;
  const urn = urnOf(stack, declared.type, declared.name, declared.isInComponent);
  const handlers = handlersAt(process, urn);
  const stored = adoptUrn(stack, urn, declared, registered);
  registered.add(urn);
  if (declared.isNoTarget) return { action: "no target", step: async () => {} };
  const args = argumentsOf(stack, declared, stored);
  const inputs = await check(handlers, declared.replace ? undefined : stored, args);
  if (stored === undefined) return { action: "create", step: () => create(command, urn, inputs) };
  if (declared.replace)
    return replace(command, stored, inputs, declared.replace === "delete first");

  const difference = await handlers.diff(stored.id, stored.outputs, inputs, stored.inputs);
  if (difference.replaces.length > 0 || stored.isDeleted) {
    return replace(
      command,
      stored,
      await check(handlers, undefined, args),
      difference.deleteBeforeReplace,
    );
  }
  const hasChanges = difference.changes ?? differ(stored.inputs, inputs);
  if (hasChanges || stored.isPartial) {
    const step = () => store(command, urn, update(handlers, stored, inputs), stored);
    return { action: "update", step };
  }
  // A step without changes stores the new inputs and the old outputs.
  return { action: "same", step: async () => replaceInPlace(stack, stored, { ...stored, inputs }) };
}

/** The resource's state, which gets the new URN at once. */
function adoptUrn(stack: Stack, urn: string, { alias, type }: Declared, registered: Set<string>) {
  const current = stack.resources.filter(({ isToDelete }) => !isToDelete);
  const former =
    alias === undefined ? [] : [false, true].map((isIn) => urnOf(stack, type, alias, isIn));
  const isFormer = (each: StateResource) => former.includes(each.urn) && !registered.has(each.urn);
  const stored = current.find((each) => each.urn === urn) ?? current.find(isFormer);
  if (stored === undefined || stored.urn === urn) return stored;
  const renamed = { ...stored, urn };
  replaceInPlace(stack, stored, renamed);
  return renamed;
}

/** The arguments with the ID of another resource, and with what `ignoreChanges` puts back. */
function argumentsOf(
  stack: Stack,
  declared: Declared,
  stored: StateResource | undefined,
): Properties {
  const { args, serviceFrom, ignoreChanges = [] } = declared;
  const serviceId =
    serviceFrom === undefined ? {} : { serviceId: findByName(stack, serviceFrom)?.id ?? UNKNOWN };
  if (stored === undefined) return { ...args, ...serviceId };
  const put = ignoreChanges.map((name) => [name, stored.inputs[name]] as const);
  const all = { ...args, ...serviceId, ...Object.fromEntries(put) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

async function check(
  handlers: Handlers,
  stored: StateResource | undefined,
  args: Properties,
): Promise<Properties> {
  const { inputs, failures } = await handlers.check(stored?.inputs ?? {}, args);
  if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join(" "));
  return inputs;
}

/** The engine's own comparison, without members of its own. */
export function differ(one: Properties, other: Properties): boolean {
  const shownIn = (inputs: Properties) =>
    Object.entries(inputs).filter(([name]) => !name.startsWith("__"));
  return !isDeepStrictEqual(Object.fromEntries(shownIn(one)), Object.fromEntries(shownIn(other)));
}

/** Stores the result of a creation or an update, unless the engine dies first. */
async function store(
  { stack, schedule, result }: Command,
  urn: string,
  step: Promise<StepResult>,
  before: StateResource | undefined,
  ...kept: StateResource[]
): Promise<void> {
  const { stored, error } = await step;
  if (error) result.errors.push(`${nameIn(urn)}: ${error.message}`);
  await schedule.turn();
  // Without a partial failure, the engine keeps what it has.
  if (stored !== undefined && !(error && stored === before))
    replaceIn(stack, before, ...kept, { ...stored, urn });
}

function create(
  command: Command,
  urn: string,
  inputs: Properties,
  former?: StateResource,
): Promise<void> {
  const step = createResource(handlersAt(command.process, urn), inputs);
  const kept = former && !former.isDeleted ? [{ ...former, isToDelete: true }] : [];
  return store(command, urn, step, former, ...kept);
}

function replace(
  command: Command,
  stored: StateResource,
  inputs: Properties,
  isDeletedFirst: boolean,
): Plan {
  const { stack, process, schedule } = command;
  const { urn, id, outputs } = stored;
  if (!isDeletedFirst)
    return { action: "replace", step: () => create(command, urn, inputs, stored) };
  return {
    action: "delete, create",
    async step() {
      const deleted = { ...stored, isDeleted: true };
      if (!stored.isDeleted) {
        await handlersAt(process, urn).delete(id, outputs);
        await schedule.turn();
        replaceInPlace(stack, stored, deleted);
      }
      await create(command, urn, inputs, stored.isDeleted ? stored : deleted);
    },
  };
}

/** Deletes a resource that the program no longer declares. */
export async function storeDeletion(
  { stack, process, schedule }: Command,
  stored: StateResource,
): Promise<void> {
  const { urn, id, outputs, isDeleted } = stored;
  if (!isDeleted) await handlersAt(process, urn).delete(id, outputs);
  await schedule.turn();
  replaceIn(stack, stored);
}
