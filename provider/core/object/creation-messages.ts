import { coded, type Message } from "../../errors";
import type { Earlier, Unresolved } from "../journal/creation-journal";
import { printable } from "../journal/record";
import { passwordIn } from "./encrypted-password";
import { UserError } from "./user-error";

/*
 * Messages about creations, and about the work of earlier commands that the stack does not have.
 */

/** The line about an object that a creation will take instead of making another one. */
export function describeTaking({ record, ...earlier }: Unresolved, id: string): Message {
  const { title, name, sentAt } = record;
  const actor = actorOf(earlier);
  const text = `Taking ${title} ${id} (${JSON.stringify(name)}), which ${actor} created at ${sentAt}, into the stack.`;
  return coded("CDB4011", text);
}

/** The command that began a creation: without a journal, only the current command remembers it. */
export function actorOf({ discardCommand }: Pick<Unresolved, "discardCommand">): string {
  return discardCommand === undefined ? "this command" : "an earlier command";
}

/** The beginning of the advice to try again. */
export function discardAndRun({ discardCommand }: Pick<Unresolved, "discardCommand">): string {
  return discardCommand === undefined ? "run" : `run \`${discardCommand}\`, then`;
}

/**
 * The refusal to create an object that a command recorded with the address of the backend alone.
 */
export async function ambiguousError(
  idArgument: string,
  earlier: Earlier,
  backend: string,
): Promise<UserError> {
  const { title, name, id, sentAt } = earlier.record;
  const refusal = `Creating ${title} ${JSON.stringify(name)}: an earlier command recorded its creation at ${sentAt} with the address of the backend alone, so it may be of another stack than this one in ${backend}. Nothing was sent.`;
  const object =
    id === undefined
      ? `If the ${title} exists and is of this stack,`
      : `If ${title} ${id} is of this stack,`;
  const adoption = `${object} set ${idArgument} to its id and run \`pulumi up\`, which takes its password from the journal if that has it.`;
  const discard = `If it is of another stack, run \`pulumi up\` there first, then ${discardAndRun(earlier)} \`pulumi up\` here.`;
  return withOtherCreations(refusal, `${adoption} ${discard}`, earlier);
}

/** The refusal to take the object of a resource that was renamed, or whose stack was. */
export function renamedError(idArgument: string, earlier: Earlier): UserError {
  const { title, name, id, storedAs } = earlier.record;
  const refusal = `Creating ${title} ${JSON.stringify(name)}: an earlier command created ${title} ${id} for it, which ${printable(String(storedAs))} has managed since. Nothing was sent.`;
  const adoption = `If nothing manages it any more, set ${idArgument} to its id here: \`pulumi up\` takes its password from the journal if that has it.`;
  const advice = `${adoption} Otherwise run \`pulumi refresh\` there with the API key of its creation, which brings its password, then ${discardAndRun(earlier)} \`pulumi up\` here to create another one.`;
  return new UserError(coded("CDB4012", `${refusal} ${advice}`));
}

/** The refusal to create an object that may exist. */
export async function uncertainError(idArgument: string, earlier: Earlier): Promise<UserError> {
  const { title, name, organizationId, sentAt } = earlier.record;
  const refusal = `Creating ${title} ${JSON.stringify(name)} in organization ${organizationId}: ${actorOf(earlier)} requested it at ${sentAt} and got no response: it may exist. Nothing was sent now.`;
  const { discardCommand } = earlier;
  const look = howToLook(
    title,
    idArgument,
    passwordIn(earlier) !== undefined && discardCommand !== undefined,
  );
  return withOtherCreations(
    refusal,
    `${look} ${discardAndRun(earlier)} \`pulumi up\` again.`,
    earlier,
  );
}

/** The advice about an object that may exist. The command for a missing object follows it. */
export function howToLook(title: string, idArgument: string, hasPassword: boolean): string {
  const password = hasPassword
    ? "its password is in the creation journal, and comes with it"
    : "its password was in the lost response, so set a new one";
  return `Look for a ${title} with that name and creation time in the organization. If it exists, adopt it: set ${idArgument} to its id and run \`pulumi up\` (${password}). If not,`;
}

/** The refusal to replace an object that the API does not show. */
export async function absentError(
  object: string,
  earlier: Earlier,
  failure: string,
): Promise<UserError> {
  const kept =
    earlier.discardCommand === undefined ? "" : ", and the creation journal keeps its id";
  const refusal = `Creating ${object}, which ${actorOf(earlier)} created at ${earlier.record.sentAt}: ${failure}. Nothing was created${kept}.`;
  const look = `Look for it in the console of your cloud database: if it exists, check that the API key can see it, then run \`pulumi up\` again. If not, ${discardAndRun(earlier)} \`pulumi up\` to create another one.`;
  return withOtherCreations(refusal, look, earlier);
}

/**
 * Most creations with an id are in the stack: their records end when the next command sees them
 * there.
 */
const MOST_KNOWN = 10;

/** The refusal, its advice, and a line for each other record of the stack. */
async function withOtherCreations(
  refusal: string,
  advice: string,
  { findOthers }: Earlier,
): Promise<UserError> {
  const others = await findOthers();
  const uncertain = others.filter(({ record }) => record.id === undefined).map(describeUnresolved);
  const known = others.filter(({ record }) => record.id !== undefined).map(describeUnresolved);
  const listed = known.slice(0, MOST_KNOWN);
  if (known.length > listed.length) listed.push(`- ${known.length - listed.length} more.`);
  const lines = [refusal, advice];
  if (uncertain.length > 0) lines.push("Look for these creations of the stack, too:", ...uncertain);
  if (listed.length > 0) {
    const taking = "The next `pulumi up` takes these, unless the stack has them";
    lines.push(`${taking}; run the command of one that no longer exists:`, ...listed);
  }
  return new UserError(coded("CDB4012", lines.join("\n")));
}

function describeUnresolved({ record, discardCommand }: Unresolved): string {
  const { title, id, name, sentAt } = record;
  const object =
    id === undefined
      ? `${title} ${JSON.stringify(name)}`
      : `${title} ${id} (${JSON.stringify(name)})`;
  return `- ${object}, sent at ${sentAt}: \`${discardCommand}\`.`;
}
