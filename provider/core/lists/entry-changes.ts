import { wideSources } from "pulumi-clouddb-facts";
import type { ObjectOperation } from "../../api/endpoints";
import type { Message } from "../../errors";
import {
  type EditedList,
  editedLists,
  entriesAt,
  entriesOf,
  keepPositions,
  labelOf,
  observe,
  type Properties,
  recordDeclared,
  respell,
  withKeysOf,
  without,
  withoutKeys,
  withValue,
} from "../../fields";
import { parseUrn } from "../../names";
import { describeObject, namesOf } from "../object/messages";
import { look, type Verb } from "../object/read-object";
import type { DeclaredTarget, Resource, Target } from "../object/resource";
import {
  connect,
  describeUnfinished,
  isUncertain,
  progressOf,
  sendChange,
} from "../object/send-change";
import { unchangedError, userError } from "../object/user-error";
import { type OwnedList, type Plan, plan, rest } from "./plan";

/*
 * Changes of lists that several stacks share. Operations that wait for the same object share one
 * read and one request.
 */

/** A list that several owners share. */
interface SharedList extends EditedList {
  /** The output with the declared entries that other owners have. */
  readonly sharedAs: string;
}

/** One resource's part of a list, and the plan for its change. */
export interface Part extends SharedList, Pick<OwnedList, "owned"> {
  readonly wanted: readonly unknown[];
  readonly plan: Plan;
}

/** A change of one resource's entries. */
export interface EntryChange {
  readonly target: DeclaredTarget;
  readonly verb: Verb;
  /** True while the stack lacks the resource. */
  readonly isCreation?: boolean;
  readonly state: Properties;
  readonly wanted: Properties;
}

/** The lists after a request, and the resource's parts. */
interface Outcome {
  readonly parts: readonly Part[];
  readonly lists: Properties;
  readonly failure: Failure | undefined;
}

export interface Failure {
  readonly message: Message;
  readonly cause: unknown;
  /** The names of lists whose change has an unknown outcome. */
  readonly uncertain: readonly string[] | undefined;
  /** True if no request has changed the lists. */
  readonly isUnchanged: boolean;
}

interface Job extends EntryChange {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes the entries once earlier changes of the object are finished. */
export function changeEntries(change: EntryChange): Promise<Outcome> {
  const { context, id } = change.target;
  return new Promise((resolve, reject) => {
    const job = { ...change, resolve, reject };
    context.turns
      .enqueue(id, job, runQueue, context.cancellation)
      .catch((error: unknown) => reject(unchangedError(operationOf(change), error)));
  });
}

async function runQueue(queue: Job[]): Promise<void> {
  for (let first = queue.shift(); first !== undefined; first = queue.shift()) {
    let jobs: Job[] = [];
    try {
      const lists = await readLists(first.target);
      jobs = [first, ...queue.splice(0)];
      await changeTogether(jobs, lists);
    } catch (error) {
      // A deadline only ends its own operation; any other failure would affect each waiting job.
      const waiting = first.target.context.deadline?.aborted ? 0 : queue.length;
      for (const job of jobs.length > 0 ? jobs : [first, ...queue.splice(0, waiting)])
        job.reject(error);
    }
  }
}

/** Lists with an output for foreign entries are shared by several stacks. */
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
  throw userError(
    "CDB3011",
    `The API's response for ${describeObject(target)} does not show its lists as documented. Nothing was changed.`,
  );
}

/** The lists in a response; undefined if a list is invalid. An absent list is empty. */
export function listsIn(resource: Resource, response: Properties): Properties | undefined {
  let lists: Properties = {};
  for (const { fieldPath } of sharedLists(resource)) {
    const shown = observe(fieldPath, response);
    if (shown === undefined) return undefined;
    lists = withValue(lists, fieldPath.path, entriesOf(shown.value));
  }
  return lists;
}

/** A resource's parts of the object's lists. */
export function partsOf(
  { resource, context, id }: Target,
  state: Properties,
  declared: Properties,
  lists: Properties,
): Part[] {
  const { stack } = parseUrn(context.identity.urn);
  return sharedLists(resource).map((list) => {
    const { fieldPath, rules, sharedAs } = list;
    const owned = withoutKeys(rules, entriesAt(state, fieldPath.path), entriesOf(state[sharedAs]));
    const [wanted, shown] = [declared, lists].map((each) => entriesAt(each, fieldPath.path)) as [
      unknown[],
      unknown[],
    ];
    const facts = context.ledger.of(id, list);
    return { ...list, owned, wanted, plan: plan(facts, { rules, owned, stack }, wanted, shown) };
  });
}

async function changeTogether(jobs: readonly Job[], lists: Properties): Promise<void> {
  const outcomes = await send(jobs, lists);
  if (outcomes[0]?.failure !== undefined && jobs.length > 1) return changeEach(jobs, outcomes);
  for (const [index, job] of jobs.entries()) job.resolve(outcomes[index] as Outcome);
}

/** Repeats a failed change separately for each job, so that only the faulty job fails. */
async function changeEach(jobs: readonly Job[], together: readonly Outcome[]): Promise<void> {
  let readError: unknown;
  for (const [index, job] of jobs.entries()) {
    try {
      if (readError !== undefined) throw readError;
      await changeTogether([job], await readLists(job.target));
    } catch (error) {
      if (!job.target.context.deadline?.aborted) readError = error;
      const outcome = together[index] as Outcome;
      if (outcome.failure?.uncertain) job.resolve(outcome);
      else job.reject(error);
    }
  }
}

/** Sends one change for all jobs. */
async function send(jobs: readonly Job[], lists: Properties): Promise<Outcome[]> {
  const { parts, before, after } = planTogether(jobs, lists);
  const [{ target }] = jobs as readonly [Job];
  const { resource, context, id } = target;
  const note = (from: Properties, to: Properties) => {
    for (const list of sharedLists(resource)) {
      const { path } = list.fieldPath;
      context.ledger.of(id, list).noteChange(entriesAt(from, path), entriesAt(to, path));
    }
  };
  // Resources that compare their inputs later add removed entries again.
  note(before, after);
  const [operation] = resource.updates as readonly [ObjectOperation];
  const connection = connect(target);
  let reached = before;
  const outcomes = (failureOf?: (job: Job) => Failure) =>
    jobs.map((job, index) => ({
      parts: parts[index] as Part[],
      lists: reached,
      failure: failureOf?.(job),
    }));
  try {
    const change = { operation, wanted: after };
    await sendChange(connection, change, before, false, (next) => {
      reached = next;
    });
    return outcomes();
  } catch (cause) {
    const progress = progressOf(resource, before, reached, after);
    const uncertain = isUncertain(cause) ? namesOf(progress.left) : undefined;
    if (uncertain === undefined) note(after, reached);
    const isUnchanged = uncertain === undefined && reached === before;
    return outcomes((job) => {
      const message = describeUnfinished(operationOf(job), cause, progress);
      return { message, cause, uncertain, isUnchanged };
    });
  }
}

/** The beginning of a message about a change. */
const operationOf = ({ verb, target }: EntryChange) => `${verb} ${describeObject(target)}`;

/** Plans all jobs in order: each job changes the lists that the previous job leaves. */
function planTogether(jobs: readonly Job[], lists: Properties) {
  let [before, after] = [lists, lists];
  const parts = jobs.map(({ target, state, wanted }) => {
    const ofJob = partsOf(target, state, wanted, after);
    for (const { rules, fieldPath, plan } of ofJob) {
      const { path } = fieldPath;
      const shown = entriesAt(before, path);
      before = withValue(before, path, [...shown, ...withoutKeys(rules, plan.unseen, shown)]);
      after = withValue(after, path, plan.after);
    }
    return ofJob;
  });
  return { parts, before, after };
}

/**
 * A resource's state when the object has these lists. Until a change is complete, the resource
 * still owns passed entries.
 */
export function stateOfParts(
  resource: Resource,
  inputs: Properties,
  parts: readonly Part[],
  lists: Properties,
  isComplete = false,
): Properties {
  let state: Properties = { openSources: parts.flatMap(({ plan }) => wideSources(plan.others)) };
  for (const { rules, fieldPath, sharedAs, owned, wanted, plan } of parts) {
    const shown = entriesAt(lists, fieldPath.path);
    const foreign = without(rules, shown, isComplete ? plan.ownAfter : [...plan.own, ...plan.goal]);
    const own = rest(shown, foreign);
    const shared = withKeysOf(rules, withoutKeys(rules, wanted, own), foreign);
    const list = respell(rules, [...owned, ...wanted], [...own, ...shared]);
    state = withValue(state, fieldPath.path, keepPositions(rules, wanted, list));
    state = withValue(state, [sharedAs], shared.map((entry) => labelOf(rules, entry)).sort());
  }
  return recordDeclared(resource, state, inputs);
}
