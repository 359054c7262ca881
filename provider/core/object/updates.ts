import { isDeepStrictEqual } from "node:util";
import type { ObjectOperation } from "../../api/endpoints";
import { coded } from "../../errors";
import {
  assumeListsAccepted,
  contradictions,
  editedLists,
  entriesOf,
  type FieldPath,
  foreignEntries,
  knownValue,
  namesIn,
  newLists,
  observe,
  type Properties,
  pendingFields,
  recordDeclared,
  secretsBeside,
  valueAt,
  withFieldValues,
  withoutUncertain,
  withValue,
} from "../../fields";
import { UNCERTAIN, UNSEEN } from "../../names";
import { ownEntries } from "../lists/plan";
import { assertSecrets, updateBodies } from "../session/secret-values";
import { declaredTarget, isCreated, locatorsOf } from "./ids";
import {
  contradictionError,
  describeChange,
  describeContradiction,
  describeDifference,
  describeEntries,
  describeForeignEntries,
  describeObject,
  describeReturning,
  describeUnshown,
  isMarked,
  namesOf,
} from "./messages";
import { look, readState, type Verb } from "./read-object";
import type { Context, DeclaredTarget, ManagedObject, Resource } from "./resource";
import {
  type Connection,
  connect,
  describeUnfinished,
  isEditedList,
  isUncertain,
  progressOf,
  sendChange,
} from "./send-change";
import { PartialFailure, UserError, unchangedError } from "./user-error";

export interface Updating {
  /** The verb that begins messages. */
  readonly verb: Verb;
  /** True for an existing object that the stack lacks: a failure would lose it. */
  readonly isCreation?: boolean;
  /** True for an object that no preview has read: its changes are logged. */
  readonly reportsChanges?: boolean;
}

/** Sends the differences and returns the new state. A `PartialFailure` has the finished changes. */
export async function update(
  resource: Resource,
  context: Context,
  { id, state }: ManagedObject,
  declared: Properties,
): Promise<ManagedObject> {
  if (resource.lifecycle)
    return resource.lifecycle.update(declaredTarget(resource, context, id, declared), state);
  // An object that this stack created never counts as adopted, even if the program declares its id
  // later.
  const inputs = isCreated(resource, state) ? { ...declared, [resource.id]: undefined } : declared;
  const target = declaredTarget(resource, context, id, inputs);
  const operation = `Updating ${describeObject(target)}`;
  const readable = withoutUncertain(resource, state, inputs, true);
  assertSecrets(context, operation, updateBodies(resource, readable, inputs));
  const isOutdated =
    state[UNCERTAIN] ||
    newLists(resource, state, inputs).length > 0 ||
    context.ledger.lacks(id, resource, inputs);
  const response = isOutdated && resource.read ? await lookInTurn(operation, target) : undefined;
  const known = await knownState(target, state, response);
  const contradiction = resource.findContradiction?.(known, inputs);
  if (contradiction !== undefined) throw contradictionError(operation, contradiction);
  const next = recordDeclared(resource, known, inputs);
  return { id, state: await applyUpdates({ ...target, response }, { verb: "Updating" }, next) };
}

async function lookInTurn(operation: string, target: DeclaredTarget): Promise<Properties> {
  const { turns, cancellation } = target.context;
  return turns
    .inTurn(target.id, () => look(target), cancellation)
    .catch((error: unknown) => {
      throw error instanceof UserError ? error : unchangedError(operation, error);
    });
}

/**
 * The state without uncertain values, with lists from a response. Entries outside of the state are
 * ignored until a refresh, since they were not in the preview.
 */
async function knownState(
  target: DeclaredTarget,
  state: Properties,
  response?: Properties,
): Promise<Properties> {
  const { resource, inputs } = target;
  if (response === undefined) return withoutUncertain(resource, state, inputs, false);
  const uncertain = namesIn(state, UNCERTAIN);
  let known = state[UNCERTAIN] === undefined ? state : await readState(target, state, response);
  for (const { fieldPath, rules } of editedLists(resource)) {
    const [wanted, shown] = [valueAt(inputs, fieldPath.path), observe(fieldPath, response)];
    if (!wanted || !shown || uncertain.includes(fieldPath.name)) continue;
    const owned = entriesOf(knownValue(state, fieldPath, wanted));
    const own = ownEntries(rules, owned, entriesOf(wanted), entriesOf(shown.value));
    known = withValue(known, fieldPath.path, own);
  }
  return known;
}

interface Run {
  readonly target: DeclaredTarget;
  readonly updating: Updating;
  /** The state before the first request. */
  readonly state: Properties;
  /** The latest value of each member of the object. */
  response: Properties;
  next: Properties;
  /** The operations whose request is under way. */
  sending: ObjectOperation[];
}

/**
 * Sends one request for each operation with a change, and then finishes. Returns the new state. A
 * `PartialFailure` has the reached state, and its message names the remaining changes.
 */
export async function applyUpdates(
  target: DeclaredTarget,
  updating: Updating,
  state: Properties,
): Promise<Properties> {
  const { resource } = target;
  const run: Run = {
    target,
    updating,
    state,
    response: { ...target.response },
    next: state,
    sending: [],
  };
  const connection = connect(target, (response) => {
    run.response = { ...run.response, ...response };
  });
  try {
    await sendUpdates(run, connection);
    run.next = settleShown(run);
    run.next =
      (await resource.finish?.(target, run.next, (current) => readState(target, current))) ??
      run.next;
    return run.next;
  } catch (error) {
    run.next = settleShown(run);
    throw failureOf(run, error);
  } finally {
    warnOfUnseen(run);
    warnOfForeignEntries(run);
    if (updating.reportsChanges) reportAdoption(run);
  }
}

async function sendUpdates(run: Run, connection: Connection): Promise<void> {
  const { resource, context, id, inputs } = run.target;
  for (const operation of resource.updates) {
    run.sending = [operation];
    const change = { operation, wanted: inputs };
    // Neither a creation nor earlier requests of this update are stored yet.
    const isUrgent = run.updating.isCreation === true || run.next !== run.state;
    const work = () =>
      sendChange(connection, change, run.next, isUrgent, (next) => {
        run.next = next;
      });
    const takesTurn = pendingIn(run, [operation]).some(isEditedList);
    const end = isUrgent ? context.deadline : context.cancellation;
    await (takesTurn ? context.turns.inTurn(id, work, end) : work());
  }
}

/** The failure with the reached state. If nothing was done, the stack keeps its state. */
function failureOf(run: Run, error: unknown): UserError {
  const { target, updating, next } = run;
  const { resource, id, inputs } = target;
  const text = describeUnfinished(
    `${updating.verb} ${describeObject(target)}`,
    error,
    progressIn(run),
    resource.read === undefined ? locatorsOf(resource) : undefined,
  );
  const known = resource.read === undefined ? assumeListsAccepted(resource, next, inputs) : next;
  const reached = isUncertain(error) ? { ...known, [UNCERTAIN]: namesOf(carriedIn(run)) } : next;
  const isUnchanged = !updating.isCreation && isDeepStrictEqual(reached, run.state);
  return isUnchanged
    ? new UserError(text)
    : new PartialFailure(id, reached, text, { cause: error });
}

/** The arguments that operations still have to send. */
function pendingIn({ target, next }: Run, operations: readonly ObjectOperation[]): FieldPath[] {
  const { resource, inputs } = target;
  return operations.flatMap((operation) => pendingFields(resource, operation, next, inputs));
}

/** The arguments in the request under way. */
function carriedIn(run: Run): FieldPath[] {
  const pending = pendingIn(run, run.sending);
  return [...pending, ...secretsBeside(run.target.resource, pending, run.target.inputs)];
}

function progressIn({ target, state, next }: Run) {
  return progressOf(target.resource, state, next, target.inputs);
}

/** Stores values of a response that contradict declared values, and warns of them. */
function settleShown({ target, updating, next, response }: Run): Properties {
  const { resource, context, inputs } = target;
  const shown = contradictions(resource, next, inputs, response);
  const updatable = shown.filter(({ field }) => field.onChange === "update");
  // An unresolvable difference is only reported, once. In the state, it would require replacement.
  const news = updating.isCreation ? shown : updatable;
  if (news.length > 0) {
    const differences = news.map((fieldPath) => describeDifference(fieldPath, response, inputs));
    context.warn(describeContradiction(target, differences));
  }
  return withFieldValues(resource.fields, next, (fieldPath) =>
    updatable.includes(fieldPath) ? observe(fieldPath, response) : undefined,
  );
}

/** Warns of values that the request sent and its response does not show. */
function warnOfUnseen(run: Run): void {
  const { target, updating, next } = run;
  const isSent = (name: string) =>
    updating.isCreation || namesOf(progressIn(run).done).includes(name);
  const names = namesIn(next, UNSEEN).filter(isSent);
  if (names.length > 0) target.context.warn(describeUnshown(target, names));
}

/** Logs the changes of an adoption, since a preview reads nothing. */
function reportAdoption(run: Run): void {
  const { target, state } = run;
  const { context, inputs } = target;
  const object = describeObject(target);
  const { done } = progressIn(run);
  const changes = done.map((fieldPath) => describeChange(fieldPath, state, inputs)).join("; ");
  if (changes === "") return;
  context.log(coded("CDB5009", `Adopting ${object} changed ${changes}.`));
  for (const returning of describeReturning(object, done, state, inputs)) context.warn(returning);
}

/** Warns once per update of foreign entries, for any number of responses. */
function warnOfForeignEntries({ target, state, response }: Run): void {
  const { resource, context, inputs } = target;
  for (const { name, keys } of foreignEntries(resource, state, inputs, response)) {
    context.warn(
      describeForeignEntries(
        describeObject(target),
        name,
        describeEntries(keys, isMarked(name, inputs)),
      ),
    );
  }
}
