import { canonicalId } from "pulumi-clouddb-facts";
import { coded, type Message } from "../../errors";
import {
  diff,
  type Properties,
  recordDeclared,
  stateAfterCreate,
  stateAfterRead,
} from "../../fields";
import type { Earlier } from "../journal/creation-journal";
import { assertSecrets, updateBodies } from "../session/secret-values";
import {
  absentError,
  actorOf,
  ambiguousError,
  describeAsking,
  describeNoRecordedPassword,
  describeTaking,
  renamedError,
  uncertainError,
} from "./creation-messages";
import {
  describeKey,
  encryptPassword,
  type PasswordOutputs,
  passwordIn,
} from "./encrypted-password";
import { declaredId, declaredTarget } from "./ids";
import { contradictionError, describeDifference, describeObject } from "./messages";
import { fetchObject, isNotFound, type Verb } from "./read-object";
import type { Context, DeclaredTarget, Resource } from "./resource";
import type { Updating } from "./updates";
import { UserError } from "./user-error";

/* Adopts existing objects, and objects of earlier creations. */

/** A created or adopted object whose remaining differences are not sent yet. */
export interface Start {
  readonly target: DeclaredTarget;
  readonly updating: Updating;
  readonly next: Properties;
  /**
   * The message about a creation without a password. Unless it is a warning, it is reported as an
   * error even if the rest succeeds.
   */
  readonly noPassword?: { readonly message: Message; readonly isWarning: boolean };
  /** Called once the object is certain to be stored. */
  readonly onStored?: () => Promise<void>;
}

export const CREATING: Updating = { verb: "Creating", isCreation: true };

/** True for an object that joins an existing warehouse and may have no password. */
export function mayLackPassword({ resource, inputs }: DeclaredTarget): boolean {
  const { passwordOptionalWith } = resource.create ?? {};
  return passwordOptionalWith !== undefined && inputs[passwordOptionalWith] !== undefined;
}

/** Adopts an existing object, which an earlier command may have created. */
export async function adopt(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<Start> {
  const target = declaredTarget(resource, context, declaredId(resource, inputs), inputs);
  const operation = `Adopting ${describeObject(target)}`;
  assertSecrets(context, operation, updateBodies(resource, {}, inputs));
  if (resource.read === undefined)
    return { target, updating: { verb: "Updating" }, next: recordDeclared(resource, {}, inputs) };
  const journal = resource.create && context.journal();
  const unanswered = await findUnanswered(resource, context);
  const known = (await journal?.passwordOf(target.id)) ?? passwordIn(unanswered);
  const password = encryptPassword(context, operation, inputs, known);
  const updating = { verb: "Adopting", reportsChanges: true } as const;
  const next = await findExisting(target, updating.verb, {}, password, (differences) =>
    contradictionError(
      operation,
      differences,
      ": declare the existing value, or omit the argument",
    ),
  );
  // Once stored, the object counts as the result of the creation whose response had no id.
  return { target, updating, next, onStored: async () => unanswered?.give(target.id) };
}

/** The record of this resource's creation, if its response had no id. */
async function findUnanswered(
  { create }: Resource,
  { journal, identity }: Context,
): Promise<Earlier | undefined> {
  if (create === undefined) return undefined;
  const earlier = await journal()
    .find(identity)
    .catch(() => undefined);
  return earlier?.record.id === undefined && earlier?.ambiguousBackend === undefined
    ? earlier
    : undefined;
}

/** The state of an existing object. `known` has values that no response shows. */
async function findExisting(
  target: DeclaredTarget,
  verb: Verb,
  known: Properties,
  password: PasswordOutputs | undefined,
  refuse: (differences: string) => UserError,
): Promise<Properties> {
  const { resource, inputs } = target;
  const response = await fetchObject(target, verb, inputs);
  const { replacing } = diff(resource, stateAfterRead(resource, known, {}, response), inputs);
  const differences = replacing.map((field) =>
    describeDifference(field, { ...known, ...response }, inputs),
  );
  const contradiction = resource.findContradiction?.(response, inputs);
  if (contradiction !== undefined) differences.push(contradiction);
  if (differences.length > 0) throw refuse(differences.join("; "));
  return recordDeclared(
    resource,
    { ...stateAfterRead(resource, known, inputs, response), ...password },
    inputs,
  );
}

/** Pauses between reads of a service from an earlier creation, a minute in total. */
const READ_PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];

/**
 * Warns of an earlier creation for this resource. Returns the reason why `pulumi up` would create
 * nothing, if any.
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

/** The id of the object from an earlier attempt. Throws if the object or its id is uncertain. */
async function createdId(idArgument: string, earlier: Earlier): Promise<string> {
  const { record, ambiguousBackend } = earlier;
  if (ambiguousBackend !== undefined)
    throw await ambiguousError(idArgument, earlier, ambiguousBackend);
  if (record.id === undefined) throw await uncertainError(idArgument, earlier);
  if ((record.storedAs ?? record.urn) !== record.urn) throw renamedError(idArgument, earlier);
  return record.id;
}

/** Adopts the object of an earlier creation. */
export async function recoverCreation(
  resource: Resource,
  context: Context,
  inputs: Properties,
  earlier: Earlier,
): Promise<Start> {
  const id = await createdId(resource.id, earlier);
  const target = declaredTarget(resource, context, id, inputs);
  const { record, discardCommand, inputs: sent = {} } = earlier;
  const object = describeObject(target);
  const operation = `Creating ${object}`;
  // Encrypts a plain password from a record that is older than the public key in the program.
  const password = encryptPassword(context, operation, inputs, passwordIn(earlier));
  const discarding =
    discardCommand === undefined ? "" : `, or run \`${discardCommand}\` to create another one`;
  const refuse = (differences: string) =>
    contradictionError(
      `${operation}, which ${actorOf(earlier)} has created`,
      differences,
      `: declare the existing value${discarding}`,
    );
  const { organizationId = record.organizationId } = sent;
  if (canonicalId(organizationId) !== canonicalId(inputs.organizationId)) {
    throw refuse(
      `organizationId is ${organizationId} but the program declares ${inputs.organizationId}`,
    );
  }
  const known = stateAfterCreate(resource, resource.create?.operation ?? "", sent, {});
  const find = () => findExisting(target, "Creating", known, password, refuse);
  const next = await findPatiently(target, earlier, find).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw await absentError(target, earlier, error.cause.coded.text);
  });
  context.journal().taken.add(canonicalId(id));
  if (passwordIn(earlier)?.encryptedPassword) describeKey(context, object, next, inputs);
  if (password !== undefined) return { target, updating: CREATING, next };
  const message = describeNoRecordedPassword(target, earlier);
  // A record that another key has sealed may hold one.
  const isWarning = mayLackPassword(target) && earlier.inputs !== undefined;
  return { target, updating: CREATING, next, noPassword: { message, isWarning } };
}

/**
 * Reads for up to a minute while the API returns 404, since reads may be stale right after a
 * creation.
 */
async function findPatiently(
  target: DeclaredTarget,
  earlier: Earlier,
  find: () => Promise<Properties>,
): Promise<Properties> {
  const { clock, cancellation, log } = target.context;
  for (const [attempt, pauseMs] of READ_PAUSES_MS.entries()) {
    try {
      return await find();
    } catch (error) {
      if (!isNotFound(error) || cancellation?.aborted) throw error;
      if (attempt === 0) log(describeAsking(target, earlier));
      await clock.sleep(pauseMs, cancellation);
    }
  }
  return find();
}
