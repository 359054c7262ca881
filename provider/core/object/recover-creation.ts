import { canonicalId } from "pulumi-clouddb-facts";
import { coded, type Message } from "../../errors";
import { type Properties, stateAfterCreate } from "../../fields";
import type { Earlier } from "../journal/creation-journal";
import { findExisting } from "./adopt";
import {
  absentError,
  actorOf,
  ambiguousError,
  describeTaking,
  renamedError,
  uncertainError,
} from "./creation-messages";
import { describeKey, encryptPassword, passwordIn } from "./encrypted-password";
import { CREATING, mayLackPassword, type Start } from "./finish-creation";
import { describeObject, isNotFound } from "./read-object";
import type { Context, DeclaredTarget, Resource } from "./resource";
import { contradictionError, UserError } from "./user-error";

/** Pauses between reads of a service that an earlier command created, a minute in all. */
const READ_PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];

/**
 * Warns of the work of an earlier command for this resource. Returns the reason, if any, why
 * `pulumi up` would create nothing.
 */
export async function warnOfEarlier(
  resource: Resource,
  { journal, identity, redact, warn }: Context,
  inputs: Properties,
): Promise<Message | undefined> {
  if (resource.create === undefined || inputs[resource.id] !== undefined) return undefined;
  try {
    const earlier = await journal().find(identity);
    if (earlier !== undefined) warn(describeTaking(earlier, await createdId(resource.id, earlier)));
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return coded(error.coded.code, redact(error.coded.text));
    throw error;
  }
}

/**
 * The id of the object that an earlier attempt created for the resource; throws if that is
 * uncertain.
 */
export async function createdId(idArgument: string, earlier: Earlier): Promise<string> {
  const { record, ambiguousBackend } = earlier;
  if (ambiguousBackend !== undefined)
    throw await ambiguousError(idArgument, earlier, ambiguousBackend);
  if (record.id === undefined) throw await uncertainError(idArgument, earlier);
  if ((record.storedAs ?? record.urn) !== record.urn) throw renamedError(idArgument, earlier);
  return record.id;
}

/** Takes the object of an earlier command into the stack. */
export async function recoverCreation(target: DeclaredTarget, earlier: Earlier): Promise<Start> {
  const { resource, context, inputs, id } = target;
  const { record, discardCommand } = earlier;
  const sent = earlier.inputs ?? {};
  const actor = actorOf(earlier);
  const operation = `Creating ${describeObject(target)}`;
  // The record may be older than the key in the program.
  const password = encryptPassword(context, operation, inputs, passwordIn(earlier));
  const refuse = (differences: string) =>
    contradictionError(
      `${operation}, which ${actor} has created`,
      differences,
      `: declare the existing value${discardCommand === undefined ? "" : `, or run \`${discardCommand}\` to create another one`}`,
    );
  const { organizationId = record.organizationId } = sent;
  if (canonicalId(organizationId) !== canonicalId(inputs.organizationId)) {
    throw refuse(
      `organizationId is ${organizationId} but the program declares ${inputs.organizationId}`,
    );
  }
  const known = stateAfterCreate(resource, resource.create?.operation ?? "", sent, {});
  const find = () => findExisting(target, "Creating", known, password, refuse);
  const next = await findPatiently(target, actor, find).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw await absentError(describeObject(target), earlier, error.cause.coded.text);
  });
  context.journal().taken.add(canonicalId(id));
  if (passwordIn(earlier)?.encryptedPassword)
    describeKey(context, describeObject(target), next, inputs);
  const discard = discardCommand === undefined ? "" : `, then run \`${discardCommand}\``;
  const noPassword = `${operation}: it is in the stack without its password: the creation journal holds none, or one that only another API key can read. Set a new one in the console of your cloud database${discard}.`;
  return {
    target,
    updating: CREATING,
    next,
    noPassword: coded("CDB4013", noPassword),
    // A record that another key has sealed may hold one.
    isPasswordOptional: mayLackPassword(target) && earlier.inputs !== undefined,
  };
}

/**
 * Repeats the read for a minute while the API says that the object does not exist: a read may lag
 * behind the creation.
 */
async function findPatiently(
  target: DeclaredTarget,
  actor: string,
  find: () => Promise<Properties>,
): Promise<Properties> {
  const { clock, cancellation, log } = target.context;
  for (const [attempt, pauseMs] of READ_PAUSES_MS.entries()) {
    try {
      return await find();
    } catch (error) {
      if (!isNotFound(error) || cancellation?.aborted) throw error;
      const asking = `The API does not show ${describeObject(target)} yet, which ${actor} created: asking again for up to a minute.`;
      if (attempt === 0) log(coded("CDB4011", asking));
      await clock.sleep(pauseMs, cancellation);
    }
  }
  return find();
}
