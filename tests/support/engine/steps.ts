import { isDeepStrictEqual } from "node:util";
import type { Failure, Properties } from "../adapters/handlers";
import type { Command, Operation } from "./command";
import { arrange, nameIn, replaceInPlace, type StateResource, type Stored } from "./state";

/** The steps of one resource, as the engine notes them and stores their results. */

export type Step = () => Promise<void>;

/** A registered resource: what a step stores beside its result. */
export type Goal = Omit<StateResource, keyof Stored | "isToDelete" | "isDeleted">;

/** Notes an operation as the engine's event log does. */
export function note(
  { result }: Command,
  name: string,
  urn: string,
  old?: Operation["old"],
  next?: Operation["new"],
  keys: readonly string[] = [],
): Operation {
  const operation = { urn, name, old, new: next, keys };
  result.operations.push(operation);
  return operation;
}

/** Stores a resource in the place of its former state, or after the other ones. */
function storeResource(
  { stack, result }: Command,
  old: StateResource | undefined,
  next: StateResource,
): void {
  if (old) replaceInPlace(stack, old, next);
  else stack.resources = [...stack.resources, next];
  result.stored.add(next);
  arrange(stack, result.stored);
}

/**
 * Stores the new inputs beside the old outputs. Without a change, the next step writes the new
 * order.
 */
export function same(command: Command, goal: Goal, old: StateResource, inputs: Properties): Step {
  return async () => {
    const { id, outputs, isPartial } = old;
    const next = { ...goal, id, inputs, outputs, isPartial };
    note(command, "same", goal.urn, old, next);
    if (command.isPreview) return;
    if (isDeepStrictEqual(next, old)) command.result.stored.add(old);
    else storeResource(command, old, next);
  };
}

/** Creates a resource; the former one, if it still exists, is to be deleted. */
export function create(
  command: Command,
  goal: Goal,
  inputs: Properties,
  former?: StateResource,
): Step {
  return async () => {
    const operation = former ? "create-replacement" : "create";
    note(command, operation, goal.urn, former, { ...goal, inputs });
    const handlers = command.handlersFor(goal.urn);
    if (command.isPreview) return handlers.preview?.create(inputs);
    const isKept = former !== undefined && !former.isDeleted;
    await store(command, "create", { ...goal, inputs }, former, isKept, async () => {
      const { id, outs } = await handlers.create(inputs);
      return { id, outputs: outs };
    });
  };
}

export function update(command: Command, goal: Goal, old: StateResource, inputs: Properties): Step {
  return async () => {
    const { id, outputs } = old;
    note(command, "update", goal.urn, old, { ...goal, id, inputs, outputs });
    const handlers = command.handlersFor(goal.urn);
    if (command.isPreview) return handlers.preview?.update(id, outputs, inputs);
    await store(command, "update", { ...goal, inputs }, old, false, async () => {
      const { outs } = await handlers.update(id, outputs, inputs);
      return { id, outputs: outs };
    });
  };
}

/**
 * Stores the result of a creation or an update. A failure without an ID leaves the state as it is.
 */
async function store(
  command: Command,
  operation: "create" | "update",
  next: Goal & Pick<Stored, "inputs">,
  old: StateResource | undefined,
  isKept: boolean,
  work: () => Promise<Pick<Stored, "id" | "outputs">>,
): Promise<void> {
  let failure: Failure | undefined;
  const result = await work().catch((error: Failure) => {
    failure = error;
    const { id, properties = {} } = error;
    return id === undefined ? undefined : { id, outputs: properties };
  });
  await command.schedule.turn();
  if (result) {
    // An update that fails in part keeps the old inputs.
    const { inputs } = failure && operation === "update" && old ? old : next;
    if (old && isKept) replaceInPlace(command.stack, old, { ...old, isToDelete: true });
    storeResource(command, isKept ? undefined : old, {
      ...next,
      ...result,
      inputs,
      isPartial: failure !== undefined,
    });
  }
  if (failure) throw failure;
}

/** Replaces a resource, and first deletes those that its replacement would replace. */
export function replace(
  command: Command,
  goal: Goal,
  old: StateResource,
  inputs: Properties,
  isDeletedFirst: boolean,
  dependents: readonly StateResource[],
  keys: readonly string[],
): Step {
  const noteReplacement = () =>
    void note(command, "replace", goal.urn, old, { ...goal, inputs }, keys);
  return async () => {
    if (!isDeletedFirst) {
      await create(command, goal, inputs, old)();
      return noteReplacement();
    }
    for (const dependent of dependents) await deleteFirst(command, dependent);
    const deleted = old.isDeleted ? old : await deleteFirst(command, old);
    noteReplacement();
    await create(command, goal, inputs, deleted)();
  };
}

/** Deletes a resource before its replacement, and leaves a mark in the state. */
async function deleteFirst(command: Command, old: StateResource): Promise<StateResource> {
  note(command, "delete-replaced", old.urn, old);
  const deleted = { ...old, isDeleted: true };
  if (command.isPreview) return deleted;
  await callDelete(command, old);
  await command.schedule.turn();
  replaceInPlace(command.stack, old, deleted);
  return deleted;
}

/** Deletes a resource that the program no longer declares, or that has been replaced. */
export function remove(command: Command, old: StateResource): Step {
  const { urn, isDeleted, isToDelete = false, protect } = old;
  return async () => {
    note(command, isDeleted ? "remove-pending-replace" : deletionOf(old), urn, old);
    if (protect && !isToDelete && !isDeleted) throw new ProtectedError(urn);
    if (command.isPreview) return;
    if (!isDeleted) await callDelete(command, old);
    await command.schedule.turn();
    replaceInPlace(command.stack, old);
  };
}

export const deletionOf = ({ isToDelete }: StateResource) =>
  isToDelete ? "delete-replaced" : "delete";

async function callDelete({ handlersFor }: Command, old: StateResource): Promise<void> {
  if (!old.retainOnDelete) await handlersFor(old.urn).delete(old.id, old.outputs);
}

/** The engine itself refuses to delete or replace a protected resource. */
export class ProtectedError extends Error {
  constructor(urn: string) {
    super(`${nameIn(urn)} is protected`);
  }
}
