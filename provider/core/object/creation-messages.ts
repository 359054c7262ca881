import { capitalized } from "pulumi-clouddb-facts";
import { ApiError } from "../../api/errors";
import { coded, type Message } from "../../errors";
import type { Properties } from "../../fields";
import type { Earlier, Unresolved } from "../journal/creation-journal";
import { printable } from "../journal/record";
import { passwordIn } from "./encrypted-password";
import { describeObject } from "./messages";
import type { DeclaredTarget, Resource } from "./resource";
import { describeFailure, UserError, userError } from "./user-error";

/* Messages about creations of this and earlier commands. */

/** The beginning of a sentence about a creation. */
export function creationOf({ title }: Resource, { name = "", organizationId }: Properties): string {
  return `Creating ${title} ${JSON.stringify(name)} in organization ${organizationId}`;
}

/** The error of a creation without a usable response. */
export function creationError(
  { title, id }: Resource,
  creating: string,
  error: unknown,
  hasPassword: boolean,
  discardCommand: string | undefined,
): UserError {
  if (error instanceof UserError) return error;
  if (!(error instanceof ApiError) || !error.mayHaveSucceeded) {
    const facts = ["Nothing was created."];
    return new UserError(describeFailure(creating, error, facts, ["organizationId"]));
  }
  const time = new Date(error.request.sentAt ?? 0).toISOString();
  const refusal =
    discardCommand === undefined ? "" : ", and the creation journal refuses another one";
  return userError(
    "CDB4001",
    `${creating}: ${error.coded.text}.`,
    `The ${title} may still have been created, at ${time} or shortly after;`,
    `the request was not retried${refusal}.`,
    ...howToLook(title, id, hasPassword, discardCommand),
  );
}

export function describeRemaining(target: DeclaredTarget): Message {
  const object = capitalized(describeObject(target));
  return coded(
    "CDB4003",
    `${object} was created in organization ${target.inputs.organizationId};`,
    "applying the remaining arguments.",
  );
}

/** The error or warning about a response without a password. */
export function describeNoPassword(target: DeclaredTarget, isOptional: boolean): Message {
  const advice = isOptional
    ? "A further service of a warehouse may have none; if it needs one, set it"
    : "Set a new one";
  return coded(
    "CDB4002",
    `Creating ${describeObject(target)}: it was created and is in the stack,`,
    `but the response contained no password. ${advice} in the console of your cloud database.`,
  );
}

/**
 * The message about an object whose recorded password is missing or unreadable for this command.
 */
export function describeNoRecordedPassword(
  target: DeclaredTarget,
  { discardCommand }: Unresolved,
): Message {
  const discard = discardCommand === undefined ? "" : `, then run \`${discardCommand}\``;
  return coded(
    "CDB4013",
    `Creating ${describeObject(target)}: it is in the stack without its password:`,
    "the creation journal holds none, or one that only another API key can read.",
    `Set a new one in the console of your cloud database${discard}.`,
  );
}

export function describeAsking(target: DeclaredTarget, earlier: Unresolved): Message {
  return coded(
    "CDB4011",
    `The API does not show ${describeObject(target)} yet, which ${actorOf(earlier)} created:`,
    "asking again for up to a minute.",
  );
}

/** The message that a creation will adopt the recorded object. */
export function describeTaking({ record, ...earlier }: Unresolved, id: string): Message {
  const { title, name, sentAt } = record;
  return coded(
    "CDB4011",
    `Taking ${title} ${id} (${JSON.stringify(name)}),`,
    `which ${actorOf(earlier)} created at ${sentAt}, into the stack.`,
  );
}

/** The command that began a creation: without a journal, only the current one is remembered. */
export function actorOf({ discardCommand }: Pick<Unresolved, "discardCommand">): string {
  return discardCommand === undefined ? "this command" : "an earlier command";
}

/** The beginning of the advice to try again. */
function discardAndRun(discardCommand: string | undefined): string {
  return discardCommand === undefined ? "run" : `run \`${discardCommand}\`, then`;
}

/** The refusal to create an object whose record names only the backend's address. */
export async function ambiguousError(
  idArgument: string,
  earlier: Earlier,
  backend: string,
): Promise<UserError> {
  const { title, name, id, sentAt } = earlier.record;
  const refusal = [
    `Creating ${title} ${JSON.stringify(name)}: an earlier command recorded`,
    `its creation at ${sentAt}`,
    "with the address of the backend alone,",
    `so it may be of another stack than this one in ${backend}. Nothing was sent.`,
  ];
  return withOtherCreations(earlier, refusal, [
    id === undefined
      ? `If the ${title} exists and is of this stack,`
      : `If ${title} ${id} is of this stack,`,
    `set ${idArgument} to its id and run \`pulumi up\`,`,
    "which takes its password from the journal if that has it.",
    "If it is of another stack, run `pulumi up` there first,",
    `then ${discardAndRun(earlier.discardCommand)} \`pulumi up\` here.`,
  ]);
}

/** The refusal to adopt an object if its resource or stack was renamed. */
export function renamedError(idArgument: string, earlier: Earlier): UserError {
  const { title, name, id, storedAs } = earlier.record;
  return userError(
    "CDB4012",
    `Creating ${title} ${JSON.stringify(name)}: an earlier command created ${title} ${id} for it,`,
    `which ${printable(String(storedAs))} has managed since. Nothing was sent.`,
    `If nothing manages it any more, set ${idArgument} to its id here:`,
    "`pulumi up` takes its password from the journal if that has it.",
    "Otherwise run `pulumi refresh` there with the API key of its creation,",
    "which brings its password,",
    `then ${discardAndRun(earlier.discardCommand)} \`pulumi up\` here to create another one.`,
  );
}

/** The refusal to create an object that may already exist. */
export async function uncertainError(idArgument: string, earlier: Earlier): Promise<UserError> {
  const { title, name, organizationId, sentAt } = earlier.record;
  const refusal = [
    `Creating ${title} ${JSON.stringify(name)} in organization ${organizationId}:`,
    `${actorOf(earlier)} requested it at ${sentAt} and got no response: it may exist.`,
    "Nothing was sent now.",
  ];
  const hasPassword = passwordIn(earlier) !== undefined;
  const advice = howToLook(title, idArgument, hasPassword, earlier.discardCommand);
  return withOtherCreations(earlier, refusal, advice);
}

/** The advice to look for an object that may exist. */
function howToLook(
  title: string,
  idArgument: string,
  hasPassword: boolean,
  discardCommand: string | undefined,
): string[] {
  const isKept = hasPassword && discardCommand !== undefined;
  const password = isKept
    ? "its password is in the creation journal, and comes with it"
    : "its password was in the lost response, so set a new one";
  return [
    `Look for a ${title} with that name and creation time in the organization.`,
    `If it exists, adopt it: set ${idArgument} to its id and run \`pulumi up\` (${password}).`,
    `If not, ${discardAndRun(discardCommand)} \`pulumi up\` again.`,
  ];
}

/** The refusal to replace a recorded object that the API does not show. */
export async function absentError(
  target: DeclaredTarget,
  earlier: Earlier,
  failure: string,
): Promise<UserError> {
  const { record, discardCommand } = earlier;
  const kept = discardCommand === undefined ? "" : ", and the creation journal keeps its id";
  const refusal = [
    `Creating ${describeObject(target)}, which ${actorOf(earlier)} created at ${record.sentAt}:`,
    `${failure}. Nothing was created${kept}.`,
  ];
  return withOtherCreations(earlier, refusal, [
    "Look for it in the console of your cloud database: if it exists,",
    "check that the API key can see it, then run `pulumi up` again.",
    `If not, ${discardAndRun(earlier.discardCommand)} \`pulumi up\` to create another one.`,
  ]);
}

/** Most recorded objects are in the stack: the next read removes their records. */
const MOST_KNOWN = 10;

/**
 * The refusal with its advice, and a line for each unresolved creation if the stack has several.
 */
async function withOtherCreations(
  earlier: Earlier,
  refusal: readonly string[],
  advice: readonly string[],
): Promise<UserError> {
  const isUncertain = ({ record }: Unresolved) => record.id === undefined;
  const others = await earlier.findOthers();
  const uncertain = [earlier, ...others].filter(isUncertain).map(describeUnresolved);
  const known = others.filter((other) => !isUncertain(other)).map(describeUnresolved);
  const listed = known.slice(0, MOST_KNOWN);
  if (known.length > listed.length) listed.push(`- ${known.length - listed.length} more.`);
  const lines = [refusal.join(" "), advice.join(" ")];
  if (others.some(isUncertain)) {
    const looking = "Look for each of these creations of the stack";
    lines.push(`${looking}; run the command of one that does not exist:`, ...uncertain);
  }
  if (listed.length > 0) {
    const taking = "The next `pulumi up` takes these, unless the stack has them";
    lines.push(`${taking}; run the command of one that no longer exists:`, ...listed);
  }
  return userError("CDB4012", lines.join("\n"));
}

function describeUnresolved({ record, discardCommand }: Unresolved): string {
  const { title, id, name, sentAt } = record;
  const object =
    id === undefined
      ? `${title} ${JSON.stringify(name)}`
      : `${title} ${id} (${JSON.stringify(name)})`;
  return `- ${object}, sent at ${sentAt}: \`${discardCommand}\`.`;
}
