import { toSingleLine } from "pulumi-clouddb-facts";
import { coded, type Message } from "../../errors";
import { settingName } from "../../names";
import { UserError } from "../object/user-error";
import type { JournalRecord } from "./record";

const SETTING = settingName("journal");
const problem = (text: string) => coded("CDB4014", text);

/** The reason of a failure in a few words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? toSingleLine(String(message), 200);
}

export function describeUnreadable(
  records: readonly { readonly path: string; readonly problem: string }[],
  listCommand: string,
): Message {
  const [first] = records;
  const count = `Unreadable records in the creation journal: ${records.length}`;
  const facts = `${count}, the first is ${first?.path} (${first?.problem}).`;
  const effect = "Each stops only the resource that it belongs to.";
  return problem(
    `${facts} ${effect} \`${listCommand}\` lists them: make them readable, or discard them.`,
  );
}

export function describeUnreadableJournal(place: string, error: unknown): Message {
  const failure = `The creation journal in ${place} cannot be read: ${reasonOf(error)}.`;
  const effect = "This command leaves its records unchanged, and knows none of them.";
  return problem(`${failure} ${effect} Make it readable, or change ${SETTING}.`);
}

/** The warning about a journal in a folder that may be lost. */
export function describeRisk(place: string): Message {
  const loss = "a creation that is canceled may then be repeated as a second one";
  const risk = `The creation journal is in ${place}, which a CI runner or a pod loses with its machine: ${loss}.`;
  return problem(
    `${risk} Set ${SETTING} to a folder that is kept across runs, or to a Redis server.`,
  );
}

const unwritable = (place: string, error: unknown) =>
  `The creation journal in ${place} cannot be written: ${reasonOf(error)}.`;

export function describeUnwritable(place: string, error: unknown): Message {
  const remedy = `Make it writable, or set ${SETTING} to another place, or to off.`;
  return problem(
    `${unwritable(place, error)} A crash may lose what is created meanwhile. ${remedy}`,
  );
}

export function unwritableJournal(place: string, error: unknown): UserError {
  const effect = `Nothing was created. Make it writable, or change ${SETTING}.`;
  return new UserError(problem(`${unwritable(place, error)} ${effect}`));
}

/** The error of a creation whose record cannot be read, or was read and is of no use. */
export function unusableRecord(
  path: string,
  discardCommand: string | undefined,
  error?: unknown,
): UserError {
  const text =
    error === undefined
      ? `use ${path}, the record of this resource: it is damaged or of a later release. Nothing was created. Update the provider.`
      : `read ${path}: ${reasonOf(error)}. An earlier command may have created the resource, so nothing was sent. Make the journal reachable, and the record readable.`;
  const hint = `If you know that there is nothing of the resource on the server, run \`${discardCommand}\`.`;
  return new UserError(problem(`The creation journal cannot ${text} ${hint}`));
}

/** The refusal to create an object that another command is creating. */
export function concurrentCreation(
  { title, name }: Pick<JournalRecord, "title" | "name">,
  since: string,
): UserError {
  const text = `Creating ${title} ${JSON.stringify(name)}: another command began to create it at ${since}. Nothing was sent. Wait until that command ends, then run \`pulumi up\` again.`;
  return new UserError(coded("CDB4012", text));
}

/** The warning about a response whose record another command has replaced by its own. */
export function describeKeptApart(
  name: string,
  object: string,
  discardCommand: string | undefined,
): Message {
  const apart = `Another command has recorded a creation of ${JSON.stringify(name)} since this one began, which has created ${object}.`;
  const effect = `The creation journal keeps it apart: once the stack has it, run \`${discardCommand}\`.`;
  return problem(`${apart} ${effect}`);
}

export function describeUnrecorded(
  place: string,
  object: string,
  error: unknown,
  discardCommand: string | undefined,
): Message {
  const failure = `The creation journal in ${place} could not store that ${object} was created: ${reasonOf(error)}.`;
  const effect = `The stack has it unless this command ends early; once it has, run \`${discardCommand}\`.`;
  return problem(`${failure} ${effect}`);
}
