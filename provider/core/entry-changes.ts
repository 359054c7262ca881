import { isDeepStrictEqual } from "node:util";
import { coded, withSentence } from "../errors";
import {
  entriesAt,
  entriesOf,
  fieldPathsOf,
  observe,
  type Properties,
  recordDeclared,
  without,
  withoutKeys,
  withValue,
} from "../fields";
import { parseUrn } from "../names";
import {
  afterChange,
  mergeChanges,
  openSourcesOf,
  type Part,
  partOf,
  type SharedList,
  stateOfPart,
} from "./entry-owners";
import { describeObject, look, UNCERTAIN, type Verb } from "./reads";
import type { Context, Resource, Target } from "./resource";
import { applyUpdates } from "./updates";
import { describeFailure, PartialFailure, UserError } from "./user-error";

/*
 * Changes of lists that several stacks share. Operations that wait for one object share one look and one request.
 */

/** A change of one resource's entries. */
export interface EntryChange {
  readonly target: Target;
  readonly verb: Verb;
  readonly stored: Properties;
  readonly wanted: Properties;
  /** Arguments that an earlier release recorded before it added their entries. */
  readonly recorded?: Properties | undefined;
}

/** The state after a change, with the parts of the lists that it was made of. */
export interface Changed {
  readonly parts: readonly Part[];
  readonly state: Properties;
}

interface Job extends EntryChange {
  readonly resolve: (changed: Changed) => void;
  readonly reject: (error: unknown) => void;
}

/** A change of one list that is sent. */
interface ListChange extends SharedList {
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
}

/** A request for several jobs, and the lists after it. */
interface Attempt {
  /** The parts of each job. */
  readonly parts: readonly (readonly Part[])[];
  readonly lists: Properties;
  readonly error?: unknown;
  /** True for an error after which the lists are as before. */
  readonly isUnchanged?: boolean;
}

/** Changes the entries when the object's turn comes. */
export function changeEntries(change: EntryChange): Promise<Changed> {
  const { context, id } = change.target;
  return new Promise((resolve, reject) => context.turns.enqueue(id, { ...change, resolve, reject }, runQueue));
}

async function runQueue(queue: Job[]): Promise<void> {
  for (let first = queue[0]; first !== undefined; first = queue[0]) {
    try {
      const lists = await readLists(first);
      await changeTogether(queue.splice(0), lists);
    } catch (error) {
      // A deadline belongs to one operation; other failures would meet all that wait.
      const failed = queue.splice(0, first.target.context.deadline?.aborted ? 1 : queue.length);
      for (const job of failed) job.reject(readFailure(job, error));
    }
  }
}

export function sharedLists({ fields, outputs }: Resource): SharedList[] {
  return fieldPathsOf(fields).flatMap((fieldPath) => {
    const [sharedAs] = Object.entries(outputs).find(([, { apiName }]) => apiName === fieldPath.name) ?? [];
    const { list: rules } = fieldPath.field;
    return rules === undefined || sharedAs === undefined ? [] : [{ fieldPath, rules, sharedAs }];
  });
}

/** Reads the lists before a change. */
export async function readLists({ target, verb }: Pick<EntryChange, "target" | "verb">): Promise<Properties> {
  const lists = listsIn(target.resource, await look(target, verb));
  if (lists !== undefined) return lists;
  const text = `The API's response for ${describeObject(target)} does not show its lists as documented. Nothing was changed.`;
  throw new UserError(coded("CDB3011", text));
}

/** The lists in a response; undefined if one of them is not as documented. An absent list is empty. */
export function listsIn(resource: Resource, response: Properties): Properties | undefined {
  let lists: Properties = {};
  for (const { fieldPath } of sharedLists(resource)) {
    const observed = observe(fieldPath, response);
    if (observed === undefined) return undefined;
    lists = withValue(lists, fieldPath.path, entriesOf(observed.value));
  }
  return lists;
}

/** The error of a shared read, about one of the operations that needed it. */
function readFailure({ target, verb }: Job, error: unknown): unknown {
  if (!(error instanceof UserError) || error.cause === undefined) return error;
  const { cause } = error;
  return new UserError(describeFailure(`${verb} ${describeObject(target)}`, cause, "Nothing was changed."), { cause });
}

/** The parts of a resource, where the object has these lists. */
export function partsOf({ target, stored, wanted, recorded }: Omit<EntryChange, "verb">, lists: Properties): Part[] {
  const { resource, context, id } = target;
  const { owners, identity } = context;
  const ownership = {
    stack: parseUrn(identity.urn).stack,
    stored,
    wanted,
    recorded,
    heirOf: (list: string, key: string) => owners.heirOf(id, list, key),
    hasPassed: (list: string, key: string) => owners.hasPassed(id, list, key),
    hasRemoved: (list: string, key: string) => owners.hasRemoved(id, list, key),
  };
  return sharedLists(resource).map((list) => partOf(list, ownership, entriesAt(lists, list.fieldPath.path)));
}

async function changeTogether(jobs: readonly Job[], lists: Properties): Promise<void> {
  const attempt = await sendChange(jobs, lists);
  if (attempt.error !== undefined && jobs.length > 1) return changeEach(jobs, attempt);
  for (const [index, job] of jobs.entries()) settle(job, attempt, index);
}

/** Repeats a failed change for each job alone, so that only the wrong one fails. */
async function changeEach(jobs: readonly Job[], together: Attempt): Promise<void> {
  let readError: unknown;
  for (const [index, job] of jobs.entries()) {
    try {
      if (readError !== undefined) throw readError;
      await changeTogether([job], await readLists(job));
    } catch (error) {
      readError = error;
      if (isUncertain(together.error)) settle(job, together, index);
      else job.reject(readFailure(job, error));
    }
  }
}

function isUncertain(error: unknown): error is PartialFailure {
  return error instanceof PartialFailure && error.state[UNCERTAIN] !== undefined;
}

/** Sends one change for all jobs. */
async function sendChange(jobs: readonly Job[], lists: Properties): Promise<Attempt> {
  const { parts, changes } = planChanges(jobs, lists);
  const [{ target, verb }] = jobs as readonly [Job];
  const { context, id } = target;
  const { owners } = context;
  let [start, inputs] = [target.inputs, target.inputs];
  for (const { fieldPath, rules, removed, added } of changes) {
    start = withValue(start, fieldPath.path, removed);
    inputs = withValue(inputs, fieldPath.path, added);
    // Resources that are compared from here on get back what they lose by it.
    owners.noteChange(id, fieldPath.name, added.map(rules.key), withoutKeys(rules, removed, added).map(rules.key));
  }
  try {
    const state = await applyUpdates({ ...target, context: holdingTurn(context), inputs }, verb, start);
    return { parts, lists: listsAfter(lists, changes, state) };
  } catch (error) {
    const reached = error instanceof PartialFailure ? error.state : start;
    const after = listsAfter(lists, changes, reached);
    for (const { fieldPath, rules } of isUncertain(error) ? [] : changes) {
      owners.noteChange(id, fieldPath.name, entriesAt(after, fieldPath.path).map(rules.key), []);
    }
    return { parts, lists: after, error, isUnchanged: isDeepStrictEqual(reached, start) };
  }
}

/** The context of work for which the object's turn is held already. */
function holdingTurn(context: Context): Context {
  return { ...context, turns: { ...context.turns, inTurn: (_, work) => work() } };
}

/** The parts of each job, and the change that all of them need together: each job meets what those before it leave. */
function planChanges(jobs: readonly Job[], lists: Properties) {
  const [first] = jobs as readonly [Job];
  let current = lists;
  const parts = jobs.map((job) => {
    const ofJob = partsOf(job, current);
    for (const part of ofJob) {
      const { path } = part.fieldPath;
      current = withValue(current, path, afterChange(part, entriesAt(current, path)));
    }
    return ofJob;
  });
  const changes = sharedLists(first.target.resource).map((list, index): ListChange => {
    return { ...list, ...mergeChanges(parts.flatMap((ofJob) => ofJob[index] ?? [])) };
  });
  return { parts, changes };
}

/** The lists with the entries of `state` in the places of those that were to be changed. */
function listsAfter(lists: Properties, changes: readonly ListChange[], state: Properties): Properties {
  let after = lists;
  for (const { fieldPath, rules, removed, added } of changes) {
    const { path } = fieldPath;
    const unchanged = withoutKeys(rules, entriesAt(lists, path), [...removed, ...added]);
    after = withValue(after, path, [...unchanged, ...entriesAt(state, path)]);
  }
  return after;
}

/** Ends a job with the result of its request. */
function settle(job: Job, { parts, lists, error, isUnchanged }: Attempt, index: number): void {
  const ofJob = parts[index] ?? [];
  if (error === undefined) job.resolve({ parts: ofJob, state: stateOfParts(job.target, ofJob, lists) });
  else if (!(error instanceof PartialFailure)) job.reject(error);
  else if (isUnchanged && job.verb !== "Adding") job.reject(new UserError(error.coded, { cause: error.cause }));
  else job.reject(failureOf(job, ofJob, lists, error));
}

/** The failure with the state of one resource. */
function failureOf(
  { target, verb }: Job,
  parts: readonly Part[],
  lists: Properties,
  failure: PartialFailure,
): PartialFailure {
  const {
    id,
    coded: text,
    cause,
    state: { [UNCERTAIN]: uncertain },
  } = failure;
  // Entries that were to pass to other resources are still this one's.
  const kept = parts.map((part) => ({ ...part, heirs: [] }));
  let state = stateOfParts(target, kept, lists);
  if (uncertain !== undefined) {
    state = { ...state, [UNCERTAIN]: uncertain };
    // They may be on the object.
    for (const { fieldPath, rules, wanted } of parts) {
      const list = entriesAt(state, fieldPath.path);
      state = withValue(state, fieldPath.path, [...list, ...without(rules, wanted, list)]);
    }
  }
  const message =
    verb === "Adding" ? withSentence(text, "It is in the stack; the next `pulumi up` completes it.") : text;
  return new PartialFailure(id, state, message, { cause });
}

/** A resource's state, where the object has these lists. */
export function stateOfParts({ resource, inputs }: Target, parts: readonly Part[], lists: Properties): Properties {
  let state: Properties = { openSources: openSourcesOf(parts) };
  for (const part of parts) state = stateOfPart(part, entriesAt(lists, part.fieldPath.path), state);
  return recordDeclared(resource, state, inputs);
}
