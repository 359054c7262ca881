import { isDeepStrictEqual } from "node:util";
import type { ObjectOperation } from "../api/endpoints";
import { ApiError } from "../api/errors";
import { coded } from "../errors";
import {
  assumeListsAccepted,
  buildUpdateBody,
  contradictions,
  editedLists,
  entriesOf,
  type FieldPath,
  foreignEntries,
  forgetUncertain,
  knownValue,
  newLists,
  observe,
  type Properties,
  pendingFields,
  recordDeclared,
  valueAt,
  withFieldValues,
  withKeysOf,
  withValue,
} from "../fields";
import { SECRETS } from "../names";
import { locatorsOf, pathParameters } from "./ids";
import {
  describeObject,
  isNamedIn,
  look,
  readState,
  UNCERTAIN,
  type Verb,
  warnOfInvalidFields,
} from "./reads";
import type { DeclaredTarget, ManagedObject } from "./resource";
import { assertSecrets, updateBodies } from "./secret-values";
import { type Connection, sendUpdate } from "./send-update";
import {
  contradictionError,
  describeChange,
  describeDifference,
  describeEntries,
  describeFailure,
  describeForeignEntries,
  PartialFailure,
  UserError,
} from "./user-error";

/** Brings the object of a state to the declared arguments. With nothing done, the stack keeps its state. */
export async function updateObject(
  target: DeclaredTarget,
  stored: Properties,
): Promise<ManagedObject> {
  const { resource, context, declared, id } = target;
  const { [UNCERTAIN]: uncertain, ...rest } = stored;
  const certain = forgetUncertain(resource, rest, declared, isNamedIn(uncertain), true);
  assertSecrets(
    context,
    `Updating ${describeObject(target)}`,
    updateBodies(resource, certain, declared),
  );
  const isOutdated =
    stored[UNCERTAIN] ||
    newLists(resource, stored, declared).length > 0 ||
    context.owners.hasLost(resource, declared, id);
  const observed =
    isOutdated && resource.read ? await context.turns.inTurn(id, () => look(target)) : undefined;
  const current = await withoutUncertain(target, stored, observed);
  const contradiction = resource.findContradiction?.(current, declared);
  if (contradiction !== undefined)
    throw contradictionError(`Updating ${describeObject(target)}`, contradiction);
  const start = recordDeclared(resource, current, declared);
  try {
    return { id, state: await applyUpdates({ ...target, observed }, "Updating", start) };
  } catch (error) {
    if (error instanceof PartialFailure && isDeepStrictEqual(error.state, start))
      throw new UserError(error.coded);
    throw error;
  }
}

/**
 * The state without uncertain values, and with its lists as a response shows them. Entries that the state lacks stay
 * until a refresh: they were not part of the preview.
 */
async function withoutUncertain(
  target: DeclaredTarget,
  stored: Properties,
  observed?: Properties,
): Promise<Properties> {
  const { resource, declared } = target;
  const { [UNCERTAIN]: uncertain, ...rest } = stored;
  const isUncertain = isNamedIn(uncertain);
  if (observed === undefined) return forgetUncertain(resource, rest, declared, isUncertain, false);
  let known = uncertain === undefined ? stored : await readState(target, stored, observed);
  for (const { fieldPath, rules } of editedLists(resource)) {
    const { name, path } = fieldPath;
    const [wanted, shown] = [valueAt(declared, path), observe(fieldPath, observed)];
    if (!wanted || !shown || isUncertain(name)) continue;
    const expected = [...entriesOf(knownValue(stored, fieldPath, wanted)), ...entriesOf(wanted)];
    known = withValue(known, path, withKeysOf(rules, entriesOf(shown.value), expected));
  }
  return known;
}

/** One request for the differences, and one more for list entries that the server took in a different order. */
const MAX_ROUNDS = 2;

/** An update under way. */
interface Run {
  readonly target: DeclaredTarget;
  readonly verb: Verb;
  /** The state before the first request. */
  readonly stored: Properties;
  /** The latest value of each member of the object. */
  observed: Properties;
  next: Properties;
  /** The operation under way. */
  sending: ObjectOperation[];
}

/**
 * Sends one request per operation that has something to change, and nothing else, then finishes. Returns the new state;
 * a `PartialFailure` holds the state that was reached, and its message what is left.
 */
export async function applyUpdates(
  target: DeclaredTarget,
  verb: Verb,
  stored: Properties,
): Promise<Properties> {
  const { resource, context, id, declared } = target;
  const run: Run = {
    target,
    verb,
    stored,
    observed: { ...target.observed },
    next: stored,
    sending: [],
  };
  const connection: Connection = {
    ...target,
    client: context.client(),
    parameters: pathParameters(resource, id, declared),
    onResponse(observed) {
      run.observed = { ...run.observed, ...observed };
      warnOfInvalidFields(target, observed, declared);
    },
  };
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
    warnOfForeignEntries(run);
    if (verb === "Adopting") reportAdoption(run);
  }
}

async function sendUpdates(run: Run, connection: Connection): Promise<void> {
  const { resource, declared } = run.target;
  for (const name of resource.updates) {
    run.sending = [name];
    for (
      let round = 0;
      buildUpdateBody(resource, name, run.next, declared) !== undefined;
      round += 1
    ) {
      if (round === MAX_ROUNDS) throw notApplied(namesOf(pendingIn(run, [name])));
      // Neither a creation nor an earlier request of this update is stored yet.
      run.next = await sendUpdate(
        connection,
        name,
        run.next,
        run.verb === "Creating" || run.next !== run.stored,
      );
    }
  }
}

/** The failure with the state that was reached. */
function failureOf(run: Run, error: unknown): PartialFailure {
  const { target, verb, next } = run;
  const { resource, id, declared } = target;
  const isUncertain = error instanceof ApiError && error.mayHaveSucceeded;
  const sentence = (label: string, fields: readonly FieldPath[]) =>
    fields.length > 0 ? `${label}: ${namesOf(fields).join(", ")}.` : "";
  const text = describeFailure(
    `${verb} ${describeObject(target)}`,
    error,
    [
      sentence("Done", doneIn(run)),
      sentence(isUncertain ? "Not confirmed" : "Not done", pendingIn(run)),
    ],
    resource.read === undefined ? locatorsOf(resource) : undefined,
  );
  const known = resource.read === undefined ? assumeListsAccepted(resource, next, declared) : next;
  const reached = isUncertain
    ? { ...known, [UNCERTAIN]: namesOf(pendingIn(run, run.sending)) }
    : next;
  return new PartialFailure(id, reached, text, { cause: error });
}

/** The arguments that the updates have left. */
function pendingIn(
  { target, next }: Run,
  names = target.resource.updates,
  from = next,
): FieldPath[] {
  return names.flatMap((name) => pendingFields(target.resource, name, from, target.declared));
}

/** The arguments that the updates have brought to the object. */
function doneIn(run: Run): FieldPath[] {
  const left = pendingIn(run);
  return pendingIn(run, run.target.resource.updates, run.stored).filter(
    (fieldPath) => !left.includes(fieldPath),
  );
}

/** Stores the values of a response that contradicts the declared values, and warns of them. */
function settleShown({ target, verb, next, observed }: Run): Properties {
  const { resource, context, declared } = target;
  const shown = contradictions(resource, next, declared, observed);
  const updatable = shown.filter(({ field }) => field.onChange === "update");
  // A difference that no update can resolve is reported once; if it were stored, it would require replacement.
  const news = verb === "Creating" ? shown : updatable;
  if (news.length > 0) {
    const differences = news
      .map((fieldPath) =>
        describeDifference(fieldPath, valueAt(observed, fieldPath.apiPath), declared),
      )
      .join("; ");
    const fact = `The API's response for ${describeObject(target)} contradicts the program: ${differences}.`;
    context.warn(coded("CDB5015", `${fact} The next preview shows what an update can change.`));
  }
  return withFieldValues(resource.fields, next, (fieldPath) =>
    updatable.includes(fieldPath) ? observe(fieldPath, observed) : undefined,
  );
}

/** Logs the changes of an adoption: a preview, which reads nothing, could not show them. */
function reportAdoption(run: Run): void {
  const { target, stored } = run;
  const changes = doneIn(run)
    .map((fieldPath) => describeChange(fieldPath, stored, target.declared))
    .join("; ");
  if (changes === "") return;
  target.context.log(coded("CDB5009", `Adopting ${describeObject(target)} changed ${changes}.`));
}

/** Warns once per update, whatever the number of its responses. */
function warnOfForeignEntries({ target, stored, observed }: Run): void {
  const { resource, context, declared } = target;
  const isSecret = isNamedIn(declared[SECRETS]);
  for (const { name, keys } of foreignEntries(resource, stored, declared, observed)) {
    context.log(
      describeForeignEntries(describeObject(target), name, describeEntries(keys, isSecret(name))),
    );
  }
}

const namesOf = (fields: readonly FieldPath[]) => fields.map(({ name }) => name);

function notApplied(names: readonly string[]): UserError {
  const problem = `the API accepted the update of ${names.join(", ")} twice, but its response still does not show it`;
  return new UserError(
    coded("CDB4005", `${problem}; run \`pulumi refresh\` to see the current values`),
  );
}
