import { isDeepStrictEqual } from "node:util";
import { coded, withSentence } from "../../errors";
import {
  assumeListsAccepted,
  editedLists,
  entriesAt,
  entriesOf,
  observe,
  type Properties,
  recordDeclared,
  withoutKeys,
  withValue,
} from "../../fields";
import { parseUrn } from "../../names";
import { describeObject } from "../object/messages";
import { look, UNCERTAIN, type Verb } from "../object/read-object";
import {
  type Context,
  type DeclaredTarget,
  declaredTarget,
  type Resource,
  type Target,
} from "../object/resource";
import { applyUpdates } from "../object/updates";
import { PartialFailure, UserError } from "../object/user-error";
import { openSourcesOf, type Part, partOf, type SharedList, stateOfPart } from "./entry-owners";

/*
 * Changes of lists that several stacks share. Operations that wait for one object share one look
 * and one request.
 */

/** A change of one resource's entries. */
export interface EntryChange {
  readonly target: DeclaredTarget;
  readonly verb: Verb;
  /** True for a resource that the stack does not have yet. */
  readonly isCreation?: boolean;
  readonly state: Properties;
  readonly wanted: Properties;
}

/** The state after a change, and the resource's parts of the lists. */
export interface Changed {
  readonly parts: readonly Part[];
  readonly state: Properties;
}

interface Job extends EntryChange {
  readonly resolve: (changed: Changed) => void;
  readonly reject: (error: unknown) => void;
}

/** A request for several jobs, and the lists after it. */
interface Attempt {
  /** The parts of each job. */
  readonly parts: readonly (readonly Part[])[];
  readonly lists: Properties;
  readonly error?: unknown;
  /** True for an error that left the lists unchanged. */
  readonly isUnchanged?: boolean;
}

/** Changes the entries when the object's turn comes. */
export function changeEntries(change: EntryChange): Promise<Changed> {
  const { context, id } = change.target;
  return new Promise((resolve, reject) =>
    context.turns.enqueue(id, { ...change, resolve, reject }, runQueue),
  );
}

async function runQueue(queue: Job[]): Promise<void> {
  for (let [first] = queue; first !== undefined; [first] = queue) {
    let jobs: Job[] = [];
    try {
      const lists = await readLists(first.target);
      jobs = queue.splice(0);
      await changeTogether(jobs, lists);
    } catch (error) {
      // A deadline ends one operation; any other failure would hit all waiting jobs.
      const waiting = first.target.context.deadline?.aborted ? 1 : queue.length;
      for (const job of jobs.length > 0 ? jobs : queue.splice(0, waiting)) job.reject(error);
    }
  }
}

export function sharedLists(resource: Resource): SharedList[] {
  return editedLists(resource).flatMap((list) => {
    const [sharedAs] =
      Object.entries(resource.outputs).find(([, { apiName }]) => apiName === list.fieldPath.name) ??
      [];
    return sharedAs === undefined ? [] : [{ ...list, sharedAs }];
  });
}

/** Reads the lists before a change. */
export async function readLists(target: DeclaredTarget): Promise<Properties> {
  const lists = listsIn(target.resource, await look(target));
  if (lists !== undefined) return lists;
  const text = `The API's response for ${describeObject(target)} does not show its lists as documented. Nothing was changed.`;
  throw new UserError(coded("CDB3011", text));
}

/**
 * The lists in a response; undefined if one of them is not as documented. An absent list is empty.
 */
export function listsIn(resource: Resource, response: Properties): Properties | undefined {
  let lists: Properties = {};
  for (const { fieldPath } of sharedLists(resource)) {
    const shown = observe(fieldPath, response);
    if (shown === undefined) return undefined;
    lists = withValue(lists, fieldPath.path, entriesOf(shown.value));
  }
  return lists;
}

/** The parts of a resource, where the object has these lists. */
export function partsOf(
  {
    target,
    ...change
  }: Omit<EntryChange, "verb" | "isCreation" | "target"> & { readonly target: Target },
  lists: Properties,
): Part[] {
  const { owners, identity } = target.context;
  const factsOf = (list: string, key: string) => owners.factsAbout(target.id, list, key);
  const ownership = { ...change, stack: parseUrn(identity.urn).stack, factsOf };
  return sharedLists(target.resource).map((list) =>
    partOf(list, ownership, entriesAt(lists, list.fieldPath.path)),
  );
}

async function changeTogether(jobs: readonly Job[], lists: Properties): Promise<void> {
  const attempt = await sendChange(jobs, lists);
  if (attempt.error !== undefined && jobs.length > 1) return changeEach(jobs, attempt);
  for (const [index, job] of jobs.entries()) settle(job, attempt, index);
}

/** Repeats a failed change for each job alone, so that only the faulty job fails. */
async function changeEach(jobs: readonly Job[], together: Attempt): Promise<void> {
  let readError: unknown;
  for (const [index, job] of jobs.entries()) {
    try {
      if (readError !== undefined) throw readError;
      await changeTogether([job], await readLists(job.target));
    } catch (error) {
      if (!job.target.context.deadline?.aborted) readError = error;
      if (isUncertain(together.error)) settle(job, together, index);
      else job.reject(error);
    }
  }
}

function isUncertain(error: unknown): error is PartialFailure {
  return error instanceof PartialFailure && error.state[UNCERTAIN] !== undefined;
}

/** Sends one change for all jobs. */
async function sendChange(jobs: readonly Job[], lists: Properties): Promise<Attempt> {
  const { parts, before, after } = planChange(jobs, lists);
  const [{ target, verb }] = jobs as readonly [Job];
  const { resource, context, id, inputs } = target;
  const start = { ...inputs, ...before };
  // Resources that are compared from here on add their removed entries again.
  noteLists(target, before, after);
  try {
    const holding = declaredTarget(resource, holdingTurn(context), id, { ...inputs, ...after });
    return { parts, lists: await applyUpdates(holding, { verb }, start) };
  } catch (error) {
    const reached = error instanceof PartialFailure ? error.state : start;
    if (!isUncertain(error)) noteLists(target, {}, reached);
    return { parts, lists: reached, error, isUnchanged: isDeepStrictEqual(reached, start) };
  }
}

/**
 * The parts of each job, and the lists before and after all jobs: each job changes the lists of the
 * previous job.
 */
function planChange(jobs: readonly Job[], lists: Properties) {
  let [before, after] = [lists, lists];
  const parts = jobs.map((job) => {
    const ofJob = partsOf(job, after);
    for (const { rules, fieldPath, unseen, others, goal } of ofJob) {
      const { path } = fieldPath;
      const shown = entriesAt(before, path);
      before = withValue(before, path, [...shown, ...withoutKeys(rules, unseen, shown)]);
      after = withValue(after, path, [...others, ...goal]);
    }
    return ofJob;
  });
  return { parts, before, after };
}

/** Notes which entries a change of the lists removes, and which are there after it. */
function noteLists({ resource, context, id }: Target, before: Properties, after: Properties): void {
  for (const { fieldPath, rules } of sharedLists(resource)) {
    const note = (entries: readonly unknown[], isRemoved: boolean) => {
      for (const entry of entries)
        context.owners.factsAbout(id, fieldPath.name, rules.key(entry)).isRemoved = isRemoved;
    };
    note(entriesAt(before, fieldPath.path), true);
    note(entriesAt(after, fieldPath.path), false);
    for (const entry of entriesAt(before, fieldPath.path)) {
      const facts = context.owners.factsAbout(id, fieldPath.name, rules.key(entry));
      if (facts.isRemoved) facts.wasRemoved = true;
    }
  }
}

/** The context of work for which the object's turn is held already. */
function holdingTurn(context: Context): Context {
  return { ...context, turns: { ...context.turns, inTurn: (_, work) => work() } };
}

/** Ends a job with the result of its request. */
function settle(job: Job, { parts, lists, error, isUnchanged }: Attempt, index: number): void {
  const ofJob = parts[index] ?? [];
  if (error === undefined)
    job.resolve({
      parts: ofJob,
      state: stateOfParts(job.target.resource, job.target.inputs, ofJob, lists),
    });
  else if (!(error instanceof PartialFailure)) job.reject(error);
  else if (isUnchanged && !job.isCreation)
    job.reject(new UserError(error.coded, { cause: error.cause }));
  else job.reject(failureOf(job, ofJob, lists, error));
}

/** The failure with the state of one resource. */
function failureOf(
  { target, isCreation, wanted }: Job,
  parts: readonly Part[],
  lists: Properties,
  { id, coded: text, cause, state: { [UNCERTAIN]: uncertain } }: PartialFailure,
): PartialFailure {
  // Entries that were to pass to other resources still belong to this resource.
  const kept = parts.map((part) => ({ ...part, passing: [] }));
  const state = stateOfParts(target.resource, target.inputs, kept, lists);
  const reached =
    uncertain === undefined
      ? state
      : { ...assumeListsAccepted(target.resource, state, wanted), [UNCERTAIN]: uncertain };
  const message = isCreation
    ? withSentence(text, "It is in the stack; the next `pulumi up` completes it.")
    : text;
  return new PartialFailure(id, reached, message, { cause });
}

/** A resource's state, where the object has these lists. */
export function stateOfParts(
  resource: Resource,
  inputs: Properties,
  parts: readonly Part[],
  lists: Properties,
): Properties {
  let state: Properties = { openSources: openSourcesOf(parts) };
  for (const part of parts) state = stateOfPart(part, entriesAt(lists, part.fieldPath.path), state);
  return recordDeclared(resource, state, inputs);
}
