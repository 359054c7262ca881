import { toSingleLine } from "pulumi-clouddb-facts";
import { coded, type Message } from "../../errors";
import { settingName } from "../../names";
import { UserError, userError } from "../object/user-error";
import type { JournalRecord } from "./record";

const SETTING = settingName("journal");
const problem = (...parts: readonly string[]) => coded("CDB4014", ...parts);

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
  return problem(
    `Unreadable records in the creation journal: ${records.length},`,
    `the first is ${first?.path} (${first?.problem}).`,
    "Each stops only the resource that it belongs to.",
    `\`${listCommand}\` lists them: make them readable, or discard them.`,
  );
}

export function describeUnreadableJournal(place: string, error: unknown): Message {
  return problem(
    `The creation journal in ${place} cannot be read: ${reasonOf(error)}.`,
    "This command leaves its records unchanged, and knows none of them.",
    `Make it readable, or change ${SETTING}.`,
  );
}

/** The warning about a journal in a folder that may be lost. */
export function describeRisk(place: string): Message {
  return problem(
    `The creation journal is in ${place}, which a CI runner or a pod loses with its machine:`,
    "a creation that is canceled may then be repeated as a second one.",
    `Set ${SETTING} to a folder that is kept across runs, or to a Redis server.`,
  );
}

/** The error about a configured journal, or the warning about the default journal. */
export function describeUnwritable(place: string, isConfigured: boolean, error: unknown): Message {
  return problem(
    `The creation journal in ${place} cannot be written: ${reasonOf(error)}.`,
    ...(isConfigured
      ? [`Nothing was created. Make it writable, or change ${SETTING}.`]
      : [
          "A crash may lose what is created meanwhile.",
          `Make it writable, or set ${SETTING} to another place, or to off.`,
        ]),
  );
}

/** The error of a creation whose record is unreadable or unusable. */
export function unusableRecord(
  path: string,
  discardCommand: string | undefined,
  error?: unknown,
): UserError {
  const facts =
    error === undefined
      ? [
          `use ${path}, the record of this resource: it is damaged or of a later release.`,
          "Nothing was created. Update the provider.",
        ]
      : [
          `read ${path}: ${reasonOf(error)}.`,
          "An earlier command may have created the resource, so nothing was sent.",
          "Make the journal reachable, and the record readable.",
        ];
  return new UserError(
    problem(
      "The creation journal cannot",
      ...facts,
      `If you know that there is nothing of the resource on the server, run \`${discardCommand}\`.`,
    ),
  );
}

/** The refusal to create an object that another command is creating. */
export function concurrentCreation(
  { title, name }: Pick<JournalRecord, "title" | "name">,
  since: string,
): UserError {
  return userError(
    "CDB4012",
    `Creating ${title} ${JSON.stringify(name)}: another command began to create it at ${since}.`,
    "Nothing was sent.",
    "Wait until that command ends, then run `pulumi up` again.",
  );
}

/** The warning about a response whose record another command has replaced. */
export function describeKeptApart(
  name: string,
  object: string,
  discardCommand: string | undefined,
): Message {
  return problem(
    `Another command has recorded a creation of ${JSON.stringify(name)} since this one began,`,
    `which has created ${object}.`,
    `The creation journal keeps it apart: once the stack has it, run \`${discardCommand}\`.`,
  );
}

export function describeUnrecorded(
  place: string,
  object: string,
  error: unknown,
  discardCommand: string | undefined,
): Message {
  return problem(
    `The creation journal in ${place} could not store that ${object} was created:`,
    `${reasonOf(error)}.`,
    `The stack has it unless this command ends early; once it has, run \`${discardCommand}\`.`,
  );
}
