import { isDeepStrictEqual } from "node:util";
import { NotFoundError, type Operation, type PathParameters } from "../api";
import { adviceFor, Complaint, PartialFailure, paragraph, said, unusableSentence } from "../failure";
import {
  type Definition,
  diff,
  inputsFrom,
  observed,
  type Properties,
  perhapsAccepted,
  recorded,
  shown,
  unusableIn,
  valueAt,
  withoutUncertain,
  withoutUnshown,
} from "../fields";
import type { Context, Created } from "./kind";
import { type Outcome, type Remote, shortfall, synchronise } from "./synchronise";

/** What lives on the server and is kept as a program declares it. */
export interface Subject {
  readonly definition: Definition;
  /** How sentences call one: `service 3f0c… ("analytics")`. */
  readonly called: (id: string, properties: Properties) => string;
  readonly parameters: (id: string, properties: Properties) => PathParameters;
  /** Absent where the API has no way to read it. */
  readonly read?: Operation<Properties>;
  /** What the object has and no update can change into what the program declares, besides create-only fields. */
  readonly contradiction?: (found: Properties, inputs: Properties) => string | undefined;
  /** The operations that change it, by the names that its table uses, in the order in which they are sent. */
  readonly changes: Readonly<Record<string, Operation<Properties>>>;
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
export function sayUnusable(
  context: Context,
  subject: Pick<Subject, "definition">,
  called: string,
  inputs: Properties,
) {
  return (answer: Properties): void => {
    const sentence = unusableSentence(called, unusableIn(subject.definition, answer, inputs));
    if (sentence !== undefined) context.say(sentence);
  };
}

/** Reads it as it is; what fails is told with what was being done. */
async function fetched(
  context: Context,
  subject: Subject,
  id: string,
  properties: Properties,
  doing: string,
  declared: Properties,
): Promise<Properties> {
  try {
    const parameters = subject.parameters(id, properties);
    const found = (await context.client().call(subject.read as Operation<Properties>, parameters)) as Properties;
    sayUnusable(context, subject, subject.called(id, properties), declared)(found);
    return found;
  } catch (error) {
    const start = `${doing} ${subject.called(id, properties)}: ${said(error)}.`;
    throw new Complaint(paragraph(start, "Nothing was changed.", adviceFor(error)), { cause: error });
  }
}

/** Takes over what exists: reads it once, and sends what differs from the arguments. */
export async function takenOver(context: Context, subject: Subject, id: string, inputs: Properties): Promise<Created> {
  const doing = "Taking over";
  const { definition } = subject;
  const found = await fetched(context, subject, id, inputs, doing, inputs);
  const other = diff(definition, observed(definition, {}, {}, found), inputs).replaced;
  const contradiction = subject.contradiction?.(found, inputs);
  if (other.length > 0 || contradiction !== undefined) {
    const differences = other.map(({ name, path, wirePath, field }) => {
      const [has, declared] = [valueAt(found, wirePath), valueAt(inputs, path)].map((value) => shown(field, value));
      return has && declared
        ? `${name} is ${has} and the program declares ${declared}`
        : `${name} is not what the program declares`;
    });
    throw new Complaint(
      `${doing} ${subject.called(id, inputs)}: ${[...differences, ...(contradiction ? [contradiction] : [])].join("; ")}. No update can change that: declare what it has, or leave it out. Nothing was changed.`,
    );
  }
  const start = recorded(definition, observed(definition, {}, inputs, found), inputs);
  return completed(context, subject, id, start, inputs, doing);
}

/** Sends what a creation or a taking over has left. Whatever fails from here on, the object is in the stack. */
export async function completed(
  context: Context,
  subject: Subject,
  id: string,
  start: Properties,
  inputs: Properties,
  doing: string,
  isPressing = false,
): Promise<Created> {
  const { outcome, sentence } = await brought(context, subject, id, start, inputs, doing, isPressing);
  if (outcome.error === undefined) return { id, outputs: outcome.state };
  const now = "It is in the stack; the next `pulumi up` does the rest.";
  throw new PartialFailure(id, marked(subject, outcome, inputs), `${sentence} ${now}`);
}

/** Sends what differs from the stored outputs. */
export async function changed(
  context: Context,
  subject: Subject,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<Properties> {
  const { definition } = subject;
  const current = outputs[UNCERTAIN] ? await madeCertain(context, subject, id, outputs, inputs) : outputs;
  const contradiction = subject.contradiction?.(current, inputs);
  if (contradiction !== undefined) {
    throw new Complaint(
      `Changing ${subject.called(id, inputs)}: ${contradiction}. No update can change that. Nothing was changed.`,
    );
  }
  const start = recorded(definition, current, inputs);
  const { outcome, sentence } = await brought(context, subject, id, start, inputs, "Changing", false);
  if (outcome.error === undefined) return outcome.state;
  const state = marked(subject, outcome, inputs);
  // With nothing done, the stack keeps what it had.
  if (isDeepStrictEqual(state, start)) throw new Complaint(sentence);
  throw new PartialFailure(id, state, sentence);
}

/** What can be relied on: what a read shows, or, where nobody can look, nothing that may not be true any more. */
async function madeCertain(
  context: Context,
  subject: Subject,
  id: string,
  outputs: Properties,
  inputs: Properties,
): Promise<Properties> {
  if (subject.read !== undefined) return lookedAt(context, subject, id, outputs);
  const { [UNCERTAIN]: _, ...stored } = outputs;
  return withoutUncertain(subject.definition, stored, inputs, isUncertainIn(outputs));
}

/** What is stored after a failure: with a mark, where the last request may have been carried out all the same. */
function marked({ definition, read }: Subject, outcome: Outcome, inputs: Properties): Properties {
  const { state, error } = outcome;
  if (error === undefined || outcome.uncertain === undefined) return state;
  const known = read === undefined ? perhapsAccepted(definition, state, inputs) : state;
  return { ...known, [UNCERTAIN]: outcome.uncertain };
}

/** Reads it once, as the program would have to declare it; nothing where the API says that it is gone. */
export async function refreshed(
  context: Context,
  subject: Subject,
  id: string,
  outputs: Properties,
): Promise<Properties | undefined> {
  try {
    return await lookedAt(context, subject, id, outputs);
  } catch (error) {
    if (error instanceof Complaint && error.cause instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** The stored outputs as one read shows them, with nothing uncertain any more. */
async function lookedAt(
  context: Context,
  subject: Subject,
  id: string,
  { [UNCERTAIN]: uncertain, ...outputs }: Properties,
): Promise<Properties> {
  const stored = withoutUnshown(subject.definition, outputs, isUncertainIn({ [UNCERTAIN]: uncertain }));
  const declared = inputsFrom(subject.definition, stored);
  const found = await fetched(context, subject, id, stored, "Reading", declared);
  return observed(subject.definition, stored, declared, found);
}

async function brought(
  context: Context,
  subject: Subject,
  id: string,
  start: Properties,
  inputs: Properties,
  doing: string,
  isPressing: boolean,
): Promise<{ outcome: Outcome; sentence: string }> {
  const { definition, parameters, read, changes } = subject;
  const remote: Remote = {
    client: context.client(),
    definition,
    parameters: parameters(id, inputs),
    ...(read && { read }),
    changes,
    isPressing,
    look: sayUnusable(context, subject, subject.called(id, inputs), inputs),
  };
  const outcome = await synchronise(remote, start, inputs);
  const sentence = `${doing} ${subject.called(id, inputs)}: ${shortfall(remote, start, outcome, inputs)}`;
  return { outcome, sentence };
}
