import type { Failure, Handlers } from "../adapters/handlers";
import { compare, noRegistrations, planFor } from "./plan";
import {
  arrange,
  type Declared,
  nameIn,
  replaceInPlace,
  type Stack,
  type StateResource,
  type Stored,
} from "./state";
import { deletionOf, note, ProtectedError, remove, type Step } from "./steps";

/*
 * The engine's commands on one stack: registrations one after the other, each with check and diff,
 * steps in parallel, and deletions last. What tests/twin compares has been seen with CLI 3.276.0;
 * resources in components, and those that a replacement of another one replaces, with 3.220.0 only.
 */

/** An event that can happen next. */
export type Event = () => void | Promise<void>;

/** The order of a command's events. */
export interface Schedule {
  /** True once the engine and its plugins have died. */
  readonly isDead: () => boolean;
  /** Resolves once a result may be stored, or never. */
  readonly turn: () => Promise<void>;
  /** Lets events happen until nothing is left to do, or everything is dead. */
  readonly run: (isOver: () => boolean, events: () => readonly Event[]) => Promise<void>;
}

export interface Command {
  readonly stack: Stack;
  readonly handlersFor: (urn: string) => Handlers;
  readonly schedule: Schedule;
  /** The number of steps that run at a time. */
  readonly parallel: number;
  readonly isPreview?: boolean;
  /** True for `--continue-on-error`: the failure of a step stops only what depends on it. */
  readonly continuesOnError?: boolean | undefined;
  readonly result: Result;
}

/** An operation on a resource, with its states before and after. */
export interface Operation {
  readonly urn: string;
  readonly name: string;
  readonly old?: Partial<StateResource> | undefined;
  new?: Partial<StateResource> | undefined;
  /** The arguments whose change replaces the resource. */
  readonly keys?: readonly string[];
}

export type Result = ReturnType<typeof createResult>;

export function createResult() {
  const failures: { readonly urn: string; readonly error: Failure }[] = [];
  return {
    failures,
    /** Messages of failures, each with the name of its resource. */
    get errors() {
      return failures.map(({ urn, error }) => `${nameIn(urn)}: ${error.message}`);
    },
    /** The planned step of each resource, or the steps of its replacement. */
    actions: new Map<string, string>(),
    /** The operations that have begun, as the engine's event log has them. */
    operations: [] as Operation[],
    /** The resources that steps have stored, in their order. */
    stored: new Set<StateResource>(),
    /** The resources that a refresh shows as changed. */
    drift: new Set<string>(),
  };
}

/** `pulumi up` or `pulumi preview`. */
export async function runProgram(command: Command, program: readonly Declared[]): Promise<void> {
  const { stack, schedule, result } = command;
  const registered = noRegistrations();
  /** The names of resources whose steps are over, and of those that have failed or been skipped. */
  const [done, failed] = [new Set<string>(), new Set<string>()];
  const left = [...program];
  const queue = createQueue(command, (urn, isFailed) => {
    if (isFailed) failed.add(nameIn(urn));
    done.add(nameIn(urn));
  });
  let isRegistering = false;
  let isBroken = false;

  async function register(declared: Declared): Promise<void> {
    left.splice(left.indexOf(declared), 1);
    isRegistering = true;
    try {
      const isSkipped = declared.after.some((name) => failed.has(name));
      if (isSkipped) failed.add(declared.name);
      const { goal, action, step } = await planFor(command, declared, registered, isSkipped);
      result.actions.set(declared.name, action);
      queue.add(goal.urn, step);
    } catch (error) {
      // The program ends, also with `--continue-on-error`.
      isBroken = true;
      fail(command, [...registered.urns].at(-1) ?? declared.name, error as Failure);
    }
    isRegistering = false;
  }

  const isEnding = () => isBroken || isStopped(command);
  function ready(): readonly Declared[] {
    // The engine plans one step more than it runs.
    if (isEnding() || isRegistering || !queue.isEmpty()) return [];
    return left.filter(({ after }) => after.every((name) => done.has(name)));
  }

  await schedule.run(
    () =>
      !isRegistering && queue.isIdle() && (isEnding() || (ready().length === 0 && queue.isEmpty())),
    () => [
      ...(isEnding() ? [] : queue.starts()),
      ...ready().map((declared) => () => register(declared)),
    ],
  );
  if (schedule.isDead()) return;
  if (!command.isPreview) arrange(stack, result.stored);
  if (isEnding()) return;
  const { urns } = registered;
  const deleted = stack.resources.filter(({ urn, isToDelete }) => isToDelete || !urns.has(urn));
  const isTarget = targetsOf(program);
  for (const resource of deleted)
    if (!isTarget(resource) && !urns.has(resource.urn))
      note(command, "same", resource.urn, resource, resource);
  await runDeletions(command, deleted.filter(isTarget));
}

/**
 * With targets, the engine deletes nothing else: the other resources that left the program stay.
 */
function targetsOf(program: readonly Declared[]): (resource: StateResource) => boolean {
  if (!program.some(({ isNoTarget }) => isNoTarget)) return () => true;
  const names = program.flatMap(({ name, isNoTarget }) => (isNoTarget ? [] : [name]));
  return ({ urn }) => names.includes(nameIn(urn));
}

/** `pulumi destroy`, and the end of an `up`: dependents first, then the newest resources. */
export async function runDeletions(
  command: Command,
  resources: readonly StateResource[],
): Promise<void> {
  const { result, schedule } = command;
  const blocked = new Set<string>();
  for (const round of roundsOf(resources)) {
    const queue = createQueue(command, (urn, isFailed) => {
      const resource = round.find((each) => each.urn === urn);
      if (isFailed || blocked.has(urn))
        for (const each of resource?.dependencies ?? []) blocked.add(each);
    });
    for (const resource of round) {
      const { urn } = resource;
      result.actions.set(`${deletionOf(resource)} ${urn}`, "delete");
      queue.add(urn, blocked.has(urn) ? async () => {} : remove(command, resource));
    }
    await runQueue(command, queue);
    if (isStopped(command) || schedule.isDead()) return;
  }
}

/** Groups of resources, none of which depends on one of its own or a later group. */
function roundsOf(resources: readonly StateResource[]): StateResource[][] {
  const rounds: StateResource[][] = [];
  let left = [...resources].reverse();
  while (left.length > 0) {
    const urns = new Set(left.map(({ urn }) => urn));
    const isFree = ({ dependencies = [] }: StateResource) =>
      !dependencies.some((each) => urns.has(each));
    const free = left.filter(isFree);
    const round = free.length > 0 ? free : left;
    rounds.unshift(round);
    left = left.filter((each) => !round.includes(each));
  }
  return rounds;
}

/** The refresh of a command: all reads, each with a diff of the former inputs to what was read. */
export async function runRefresh(
  command: Command,
  isTarget: (urn: string) => boolean = () => true,
): Promise<void> {
  const { stack, handlersFor, schedule, result } = command;
  const queue = createQueue(command, () => {});
  for (const resource of stack.resources) {
    const { urn } = resource;
    if (resource.isDeleted || !isTarget(urn)) continue;
    queue.add(urn, async () => {
      const handlers = handlersFor(urn);
      const operation = note(command, "refresh", urn, resource);
      const current = await readCurrent(handlers, resource);
      operation.new = current && { ...resource, ...current };
      if (current) {
        const { changes } = await compare(handlers, current, resource.inputs);
        if (changes) result.drift.add(urn);
      }
      await schedule.turn();
      replaceInPlace(stack, resource, ...(current ? [{ ...resource, ...current }] : []));
    });
  }
  await runQueue(command, queue);
}

/** `pulumi import`; returns the resource unless it cannot be read. */
export async function runImport(
  command: Command,
  urn: string,
  id: string,
): Promise<StateResource | undefined> {
  const { stack, handlersFor, schedule } = command;
  let imported: StateResource | undefined;
  const queue = createQueue(command, () => {});
  queue.add(urn, async () => {
    const current = await readCurrent(handlersFor(urn), { id, inputs: {}, outputs: {} });
    await schedule.turn();
    if (current === undefined) return;
    imported = { ...current, urn, protect: true };
    stack.resources = [...stack.resources, imported];
  });
  await runQueue(command, queue);
  return imported;
}

/** Reads the object of a resource, as a refresh stores it; undefined if it is gone. */
async function readCurrent(
  handlers: Handlers,
  { id, inputs, outputs }: Omit<Stored, "isPartial">,
): Promise<Stored | undefined> {
  const current = await handlers.read(id, outputs, inputs);
  if (!current.id) return undefined;
  const { props = {}, inputs: read = inputs } = current;
  return { id: current.id, inputs: read, outputs: props, isPartial: false };
}

interface QueuedStep {
  readonly urn: string;
  readonly step: Step;
}

type Queue = ReturnType<typeof createQueue>;

/** Steps that wait for a place among those that run. */
function createQueue(command: Command, onDone: (urn: string, isFailed: boolean) => void) {
  const waiting = new Set<QueuedStep>();
  const running = new Set<QueuedStep>();

  async function start(queued: QueuedStep): Promise<void> {
    const { urn, step } = queued;
    waiting.delete(queued);
    running.add(queued);
    let isFailed = false;
    await step().catch((error: Failure) => {
      isFailed = true;
      fail(command, urn, error);
    });
    running.delete(queued);
    onDone(urn, isFailed);
  }

  return {
    add: (urn: string, step: Step) => void waiting.add({ urn, step }),
    isEmpty: () => waiting.size === 0,
    isIdle: () => running.size === 0,
    starts: (): Event[] => {
      const isFull = running.size >= command.parallel || isStopped(command);
      return isFull ? [] : [...waiting].map((queued) => () => start(queued));
    },
  };
}

function runQueue(command: Command, queue: Queue): Promise<void> {
  const isOver = () => queue.isIdle() && (queue.isEmpty() || isStopped(command));
  return command.schedule.run(isOver, queue.starts);
}

/** The refusal to delete a protected resource stops no other deletion. */
function isStopped({ result, continuesOnError = false }: Command): boolean {
  const failures = result.failures.filter(({ error }) => !(error instanceof ProtectedError));
  return failures.length > 0 && !continuesOnError;
}

function fail({ result }: Command, urn: string, error: Failure): void {
  result.failures.push({ urn, error });
}
