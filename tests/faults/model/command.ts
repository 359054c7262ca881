import type { LocalProcess } from "../../support/adapters/handlers";
import { refresh } from "../../support/stack-model";
import type { Event, Schedule } from "./schedule";
import {
  type Declared,
  handlersAt,
  nameIn,
  replaceInPlace,
  type Stack,
  type StateResource,
} from "./state";
import { differ, type Plan, planFor, type Step, storeDeletion } from "./steps";

/*
 * The engine's commands on one stack (pulumi 3.220): registrations one after the other, each with check and diff, steps
 * in parallel, and deletions last.
 */

export interface Command {
  readonly stack: Stack;
  readonly process: LocalProcess;
  readonly schedule: Schedule;
  /** The number of steps that run at a time. */
  readonly parallel: number;
  /** True for `--continue-on-error`: a failure stops no other resource. */
  readonly continuesOnError?: boolean | undefined;
  readonly result: Result;
}

export interface Result {
  readonly errors: string[];
  /** The step of each resource, or the steps of its replacement. */
  readonly actions: Map<string, string>;
  /** The resources that a refresh shows as changed. */
  readonly drift: Set<string>;
}

/** `pulumi up`, or `pulumi preview`, which makes no steps. */
export async function runProgram(
  command: Command,
  program: readonly Declared[],
  isPreview = false,
): Promise<void> {
  const { stack, schedule, result } = command;
  const registered = new Set<string>();
  const done = new Set<string>();
  const left = [...program];
  const queue = createQueue(command, (name) => done.add(name));
  let isRegistering = false;

  async function register(declared: Declared): Promise<void> {
    left.splice(left.indexOf(declared), 1);
    isRegistering = true;
    await planFor(command, declared, registered)
      .then(({ action, step }: Plan) => {
        result.actions.set(declared.name, action);
        if (isPreview) done.add(declared.name);
        else queue.add(declared.name, step);
      })
      .catch(failing(command, declared.name));
    isRegistering = false;
  }

  function ready(): readonly Declared[] {
    // The engine plans one step more than it runs.
    if (isStopped(command) || isRegistering || !queue.isEmpty()) return [];
    return left.filter(({ after }) => after.every((name) => done.has(name)));
  }

  await schedule.run(
    () =>
      !isRegistering &&
      queue.isIdle() &&
      (isStopped(command) || (ready().length === 0 && queue.isEmpty())),
    () => [...queue.starts(), ...ready().map((declared) => () => void register(declared))],
  );
  if (isPreview || result.errors.length > 0 || schedule.isDead()) return;
  const deleted = stack.resources.filter(
    ({ urn, isToDelete }) => isToDelete || !registered.has(urn),
  );
  await runDeletions(command, program.some(({ isNoTarget }) => isNoTarget) ? [] : deleted);
}

/** `pulumi destroy`, and the end of an `up`: the newest resources first. */
export async function runDeletions(
  command: Command,
  resources: readonly StateResource[],
): Promise<void> {
  const { result, schedule } = command;
  const queue = createQueue(command, () => {});
  for (const resource of [...resources].reverse()) {
    result.actions.set(`delete ${resource.urn} ${resource.isToDelete === true}`, "delete");
    queue.add(resource.urn, () => storeDeletion(command, resource));
  }
  await schedule.run(
    () => queue.isIdle() && (queue.isEmpty() || result.errors.length > 0),
    queue.starts,
  );
}

/** The refresh of a command: all reads, each with a diff of the former inputs to what was read. */
export async function runRefresh(command: Command): Promise<void> {
  const { stack, process, schedule, result } = command;
  const queue = createQueue(command, () => {});
  for (const resource of stack.resources) {
    if (resource.isDeleted) continue;
    queue.add(resource.urn, async () => {
      const { urn, id, inputs } = resource;
      const handlers = handlersAt(process, urn);
      const { stored: current, error } = await refresh(handlers, resource);
      if (error) throw error;
      // Nothing deletes a service or a pipe in the model.
      if (current === undefined) throw new Error("a refresh drops it from the state");
      const { changes } = await handlers.diff(id, current.outputs, inputs, current.inputs);
      if (changes ?? differ(current.inputs, inputs)) result.drift.add(urn);
      await schedule.turn();
      replaceInPlace(stack, resource, { ...resource, ...current });
    });
  }
  await schedule.run(
    () => queue.isIdle() && (queue.isEmpty() || result.errors.length > 0),
    queue.starts,
  );
}

interface QueuedStep {
  readonly name: string;
  readonly step: Step;
}

/** Steps that wait for a place among those that run. */
function createQueue(command: Command, onDone: (name: string) => void) {
  const waiting = new Set<QueuedStep>();
  const running = new Set<QueuedStep>();

  async function start(queued: QueuedStep): Promise<void> {
    waiting.delete(queued);
    running.add(queued);
    await queued.step().catch(failing(command, queued.name));
    running.delete(queued);
    onDone(queued.name);
  }

  return {
    add: (name: string, step: Step) => void waiting.add({ name, step }),
    isEmpty: () => waiting.size === 0,
    isIdle: () => running.size === 0,
    starts: (): Event[] => {
      const isFull = running.size >= command.parallel || isStopped(command);
      return isFull ? [] : [...waiting].map((queued) => () => void start(queued));
    },
  };
}

function isStopped({ result, continuesOnError = false }: Command): boolean {
  return result.errors.length > 0 && !continuesOnError;
}

function failing({ result }: Command, name: string) {
  return (error: Error) => void result.errors.push(`${nameIn(name)}: ${error.message}`);
}
