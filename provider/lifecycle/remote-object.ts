import { isDeepStrictEqual } from "node:util";
import { NotFoundError, type Operation, type PathParameters } from "../api";
import {
  assumeListsAccepted,
  type Definition,
  diff,
  displayValue,
  forgetUncertain,
  forgetUnobservable,
  inputsFromState,
  invalidFields,
  type Properties,
  recordDeclared,
  stateAfterRead,
  valueAt,
} from "../fields";
import { applyUpdates, describeShortfall, type UpdateOutcome, type UpdateTarget } from "./apply-updates";
import type { Context, Created } from "./resource-type";
import {
  adviceFor,
  describeError,
  describeInvalidFields,
  joinSentences,
  PartialFailure,
  UserError,
} from "./user-error";

/** What lives on the server and is kept as a program declares it. */
export interface RemoteObject {
  readonly definition: Definition;
  /** How sentences call one: `service 3f0c… ("analytics")`. */
  readonly displayName: (id: string, properties: Properties) => string;
  readonly parameters: (id: string, properties: Properties) => PathParameters;
  /** Absent where the API has no way to read it. */
  readonly read?: Operation<Properties>;
  /** What the object has and no update can change into what the program declares, besides create-only fields. */
  readonly findContradiction?: (found: Properties, inputs: Properties) => string | undefined;
  /** The operations that change it, by the names that its table uses, in the order in which they are sent. */
  readonly updates: Readonly<Record<string, Operation<Properties>>>;
}

/**
 * Outputs with this mark may not be true: a request was sent, and nobody knows what became of it. It holds the names of
 * the arguments that the request carried; the first release stored `true`, for any of them.
 */
export const UNCERTAIN = "__uncertain";

function isUncertainIn(outputs: Properties): (name: string) => boolean {
  const names = outputs[UNCERTAIN];
  return (name) => names === true || (Array.isArray(names) && names.includes(name));
}

/** Says which values of an answer cannot be used: they stay as they were. */
export function warnAboutInvalidFields(
  context: Context,
  subject: Pick<RemoteObject, "definition">,
  displayName: string,
  inputs: Properties,
) {
  return (answer: Properties): void => {
    const sentence = describeInvalidFields(displayName, invalidFields(subject.definition, answer, inputs));
    if (sentence !== undefined) context.log(sentence);
  };
}

/** Reads it as it is; what fails is told with what was being done. */
async function fetchObject(
  context: Context,
  subject: RemoteObject,
  id: string,
  properties: Properties,
  doing: string,
  declared: Properties,
): Promise<Properties> {
  try {
    const parameters = subject.parameters(id, properties);
    const found = (await context.client().call(subject.read as Operation<Properties>, parameters)) as Properties;
    warnAboutInvalidFields(context, subject, subject.displayName(id, properties), declared)(found);
    return found;
  } catch (error) {
    const start = `${doing} ${subject.displayName(id, properties)}: ${describeError(error)}.`;
    throw new UserError(joinSentences(start, "Nothing was changed.", adviceFor(error)), { cause: error });
  }
}

/** Takes over what exists: reads it once, and sends what differs from the arguments. */
export async function adopt(context: Context, subject: RemoteObject, id: string, inputs: Properties): Promise<Created> {
  const doing = "Taking over";
  const { definition } = subject;
  const found = await fetchObject(context, subject, id, inputs, doing, inputs);
  const other = diff(definition, stateAfterRead(definition, {}, {}, found), inputs).replacing;
  const contradiction = subject.findContradiction?.(found, inputs);
  if (other.length > 0 || contradiction !== undefined) {
    const differences = other.map(({ name, path, apiPath, field }) => {
      const [has, declared] = [valueAt(found, apiPath), valueAt(inputs, path)].map((value) =>
        displayValue(field, value),
      );
      return has && declared
        ? `${name} is ${has} and the program declares ${declared}`
        : `${name} is not what the program declares`;
    });
    throw new UserError(
      `${doing} ${subject.displayName(id, inputs)}: ${[...differences, ...(contradiction ? [contradiction] : [])].join("; ")}. No update can change that: declare what it has, or leave it out. Nothing was changed.`,
    );
  }
  const start = recordDeclared(definition, stateAfterRead(definition, {}, inputs, found), inputs);
  return finishCreate(context, subject, id, start, inputs, doing);
}

/** Sends what a creation or a taking over has left. Whatever fails from here on, the object is in the stack. */
export async function finishCreate(
  context: Context,
  subject: RemoteObject,
  id: string,
  start: Properties,
  inputs: Properties,
  doing: string,
  isUrgent = false,
): Promise<Created> {
  const { outcome, sentence } = await runUpdates(context, subject, id, start, inputs, doing, isUrgent);
  if (outcome.error === undefined) return { id, outputs: outcome.state };
  const now = "It is in the stack; the next `pulumi up` does the rest.";
  throw new PartialFailure(id, markUncertain(subject, outcome, inputs), `${sentence} ${now}`);
}

/** Sends what differs from the stored outputs. */
export async function update(
  context: Context,
  subject: RemoteObject,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<Properties> {
  const { definition } = subject;
  const current = outputs[UNCERTAIN] ? await resolveUncertainty(context, subject, id, outputs, inputs) : outputs;
  const contradiction = subject.findContradiction?.(current, inputs);
  if (contradiction !== undefined) {
    throw new UserError(
      `Changing ${subject.displayName(id, inputs)}: ${contradiction}. No update can change that. Nothing was changed.`,
    );
  }
  const start = recordDeclared(definition, current, inputs);
  const { outcome, sentence } = await runUpdates(context, subject, id, start, inputs, "Changing", false);
  if (outcome.error === undefined) return outcome.state;
  const state = markUncertain(subject, outcome, inputs);
  // With nothing done, the stack keeps what it had.
  if (isDeepStrictEqual(state, start)) throw new UserError(sentence);
  throw new PartialFailure(id, state, sentence);
}

/** What can be relied on: what a read shows, or, where nobody can look, nothing that may not be true any more. */
async function resolveUncertainty(
  context: Context,
  subject: RemoteObject,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<Properties> {
  if (subject.read !== undefined) return readState(context, subject, id, outputs);
  const { [UNCERTAIN]: _, ...stored } = outputs;
  return forgetUncertain(subject.definition, stored, inputs, isUncertainIn(outputs));
}

/** What is stored after a failure: with a mark, where the last request may have been carried out all the same. */
function markUncertain({ definition, read }: RemoteObject, outcome: UpdateOutcome, inputs: Properties): Properties {
  const { state, error } = outcome;
  if (error === undefined || outcome.uncertain === undefined) return state;
  const known = read === undefined ? assumeListsAccepted(definition, state, inputs) : state;
  return { ...known, [UNCERTAIN]: outcome.uncertain };
}

/** Reads it once, as the program would have to declare it; nothing where the API says that it is gone. */
export async function refresh(
  context: Context,
  subject: RemoteObject,
  id: string,
  outputs: Properties,
): Promise<Properties | undefined> {
  try {
    return await readState(context, subject, id, outputs);
  } catch (error) {
    if (error instanceof UserError && error.cause instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The stored outputs as one read shows them, with nothing uncertain any more. */
async function readState(
  context: Context,
  subject: RemoteObject,
  id: string,
  { [UNCERTAIN]: uncertain, ...outputs }: Properties,
): Promise<Properties> {
  const stored = forgetUnobservable(subject.definition, outputs, isUncertainIn({ [UNCERTAIN]: uncertain }));
  const declared = inputsFromState(subject.definition, stored);
  const found = await fetchObject(context, subject, id, stored, "Reading", declared);
  return stateAfterRead(subject.definition, stored, declared, found);
}

async function runUpdates(
  context: Context,
  subject: RemoteObject,
  id: string,
  start: Properties,
  inputs: Properties,
  doing: string,
  isUrgent: boolean,
): Promise<{ outcome: UpdateOutcome; sentence: string }> {
  const { definition, parameters, read, updates } = subject;
  const remote: UpdateTarget = {
    client: context.client(),
    definition,
    parameters: parameters(id, inputs),
    ...(read && { read }),
    updates,
    isUrgent,
    onResponse: warnAboutInvalidFields(context, subject, subject.displayName(id, inputs), inputs),
  };
  const outcome = await applyUpdates(remote, start, inputs);
  const sentence = `${doing} ${subject.displayName(id, inputs)}: ${describeShortfall(remote, start, outcome, inputs)}`;
  return { outcome, sentence };
}
