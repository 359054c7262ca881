import { isDeepStrictEqual } from "node:util";
import { capitalized, isRecord } from "pulumi-clouddb-facts";
import { objectOperation } from "../api/endpoints";
import { ApiError } from "../api/errors";
import { coded, type Message, withSentence } from "../errors";
import {
  buildCreateBody,
  diff,
  type Properties,
  pendingFields,
  recordDeclared,
  stateAfterCreate,
  stateAfterRead,
} from "../fields";
import type { Earlier, Recorded } from "./creation-journal";
import { declaredId, pathParameters } from "./ids";
import { describeObject, fetchObject, isNotFound, type Verb, warnOfInvalidFields } from "./reads";
import type { Context, Resource, Stored, Target } from "./resource";
import { absentError, actorOf, createdId, discardAndRun, howToLook } from "./unresolved-creations";
import { applyUpdates } from "./updates";
import { contradictionError, describeDifference, describeFailure, PartialFailure, UserError } from "./user-error";

/** Pauses between reads of a service that an earlier command created, a minute in all. */
const READ_PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];

/** Creates the object, or takes the object that an earlier command created for the same resource and did not store. */
export async function createOnce(resource: Resource, context: Context, inputs: Properties): Promise<Stored> {
  const earlier = await context.journal().find(context.identity, inputs);
  if (earlier === undefined) return createObject(resource, context, inputs);
  return takeCreated({ resource, context, id: await createdId(resource.id, earlier), inputs }, earlier);
}

async function createObject(resource: Resource, context: Context, inputs: Properties): Promise<Stored> {
  const { title, create } = resource;
  const { operation, member } = create as NonNullable<typeof create>;
  const { redact, identity } = context;
  const journal = context.journal();
  let recorded: Recorded | undefined;
  // The program may have marked them as secret.
  const facts = {
    organizationId: redact(String(inputs.organizationId)),
    title,
    name: redact(String(inputs.name ?? "")),
    inputs,
  };
  const inFlight = {
    begin: async () => {
      recorded = await journal.begin(identity, facts);
    },
    end: async () => recorded?.end(),
  };
  const body = buildCreateBody(resource, operation, inputs);
  const created = await context
    .client()
    .call(objectOperation(operation), pathParameters(resource, "", inputs), { body, idempotency: "create", inFlight })
    .catch(async (error: unknown) => {
      const lost = error instanceof ApiError ? passwordIn(error.result) : undefined;
      context.addSecret(lost);
      if (lost !== undefined) await recorded?.complete(undefined, lost);
      throw creationError(resource, inputs, error, recorded, lost !== undefined);
    });
  const { [member]: object } = created;
  const response = object as Properties & { readonly id: string };
  const password = passwordIn(created);
  context.addSecret(password);
  await recorded?.complete(response.id, password);
  const target = { resource, context, id: response.id, inputs, seen: response };
  warnOfInvalidFields(target, response);
  const start = stateAfterCreate(resource, operation, inputs, { ...response, password });
  if (resource.updates.some((update) => pendingFields(resource, update, start, inputs).length > 0)) {
    // If this process ends before the rest is sent, the user has at least seen the id.
    const created = `${capitalized(describeObject(target))} was created in organization ${inputs.organizationId}`;
    context.log(coded("CDB4003", `${created}; applying the remaining arguments.`));
  }
  const noPassword = `Creating ${describeObject(target)}: it was created and is in the stack, but the response contained no password. Set a new one in the console of your cloud database.`;
  return finishCreation(target, start, coded("CDB4002", noPassword));
}

/** The password in the result of a creation. */
function passwordIn(result: unknown): string | undefined {
  const password = isRecord(result) ? result.password : undefined;
  return typeof password === "string" && password !== "" ? password : undefined;
}

function creationError(
  { title, id: idArgument }: Resource,
  inputs: Properties,
  error: unknown,
  recorded: Recorded | undefined,
  hasPassword: boolean,
): UserError {
  if (error instanceof UserError) return error;
  const operation = `Creating ${title} ${JSON.stringify(inputs.name ?? "")} in organization ${inputs.organizationId}`;
  if (!(error instanceof ApiError) || !error.mayHaveSucceeded) {
    return new UserError(describeFailure(operation, error, "Nothing was created."));
  }
  const time = new Date(error.request.sentAt ?? 0).toISOString();
  const failure = `${operation}: ${error.coded.text}. The ${title} may still have been created, at ${time} or shortly after; the request was not retried`;
  const { discardCommand } = recorded ?? {};
  const look = howToLook(title, idArgument, hasPassword && discardCommand !== undefined);
  const refusal = discardCommand === undefined ? "" : ", and the creation journal refuses another one";
  const advice = `${look} ${discardAndRun({ discardCommand })} \`pulumi up\` again.`;
  return new UserError(coded("CDB4001", `${failure}${refusal}. ${advice}`));
}

/** Takes the object of an earlier command into the stack. */
async function takeCreated(target: Target, earlier: Earlier): Promise<Stored> {
  const { resource, context, inputs, id } = target;
  const { record, password, discardCommand, inputs: sent = {} } = earlier;
  const actor = actorOf(earlier);
  context.addSecret(password);
  const refuse = (differences: string) =>
    contradictionError(
      `Creating ${describeObject(target)}, which ${actor} has created`,
      differences,
      `: declare the existing value${discardCommand === undefined ? "" : `, or run \`${discardCommand}\` to create another one`}`,
    );
  const { organizationId = record.organizationId } = sent;
  if (organizationId !== inputs.organizationId) {
    throw refuse(`organizationId is ${organizationId} but the program declares ${inputs.organizationId}`);
  }
  const known = stateAfterCreate(resource, resource.create?.operation ?? "", sent, {});
  const find = () => findExisting(target, "Creating", known, password, refuse);
  const start = await findPatiently(target, actor, find).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    throw await absentError(describeObject(target), earlier, error.cause.coded.text);
  });
  context.journal().taken.add(id);
  const discard = discardCommand === undefined ? "" : `, then run \`${discardCommand}\``;
  const noPassword = `Creating ${describeObject(target)}: it is in the stack without its password: the creation journal holds none, or one that only another API key can read. Set a new one in the console of your cloud database${discard}.`;
  return finishCreation(target, start, coded("CDB4013", noPassword));
}

/**
 * Repeats the read for a minute while the API says that the object does not exist: a read may lag behind the creation.
 */
async function findPatiently(target: Target, actor: string, find: () => Promise<Properties>): Promise<Properties> {
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

/** Takes an existing object into the stack, and sends the differences. */
export async function adopt(resource: Resource, context: Context, inputs: Properties): Promise<Stored> {
  const target = { resource, context, id: declaredId(resource, inputs), inputs };
  if (resource.read === undefined) return finishAdoption(target, "Updating", recordDeclared(resource, {}, inputs));
  const journal = resource.create && context.journal();
  const unanswered = await findUnanswered(resource, context);
  const password = (await journal?.passwordOf(target.id)) ?? unanswered?.password;
  context.addSecret(password);
  const start = await findAdopted(target, "Adopting", password);
  // Once it is in the stack, the user has found the object that an earlier command may have created.
  const adopted = await finishAdoption(target, "Adopting", start).catch(async (error: unknown) => {
    if (error instanceof PartialFailure) await unanswered?.give(target.id);
    throw error;
  });
  await unanswered?.give(target.id);
  return adopted;
}

/** The record of a creation for this resource whose response had no id. */
async function findUnanswered({ create }: Resource, { journal, identity }: Context): Promise<Earlier | undefined> {
  if (create === undefined) return undefined;
  const earlier = await journal()
    .find(identity)
    .catch(() => undefined);
  return earlier?.record.id === undefined && earlier?.ambiguousBackend === undefined ? earlier : undefined;
}

/** The state of an object that the program names. */
function findAdopted(target: Target, verb: Verb, password?: string): Promise<Properties> {
  const advice = ": declare the existing value, or omit the argument";
  return findExisting(target, verb, {}, password, (differences) =>
    contradictionError(`Adopting ${describeObject(target)}`, differences, advice),
  );
}

/** The state of an existing object; `known` holds the values that no response shows. */
async function findExisting(
  target: Target,
  verb: Verb,
  known: Properties,
  password: string | undefined,
  refuse: (differences: string) => UserError,
): Promise<Properties> {
  const { resource, inputs } = target;
  const current = await fetchObject(target, verb);
  const { replacing } = diff(resource, stateAfterRead(resource, known, {}, current), inputs);
  const differences = replacing.map((field) => describeDifference(field, { ...known, ...current }, inputs));
  const contradiction = resource.findContradiction?.(current, inputs);
  if (contradiction !== undefined) differences.push(contradiction);
  if (differences.length > 0) throw refuse(differences.join("; "));
  return recordDeclared(resource, { ...stateAfterRead(resource, known, inputs, current), password }, inputs);
}

/** Sends what a creation has left. Without a password, it fails in any case: the message about that is never lost. */
async function finishCreation(target: Target, start: Properties, noPassword: Message): Promise<Stored> {
  const { context } = target;
  if (start.password !== undefined) return finishAdoption(target, "Creating", start);
  const { id, state } = await finishAdoption(target, "Creating", start).catch((error: unknown) => {
    context.log(noPassword);
    throw error;
  });
  throw new PartialFailure(id, state, noPassword);
}

/** Sends the remaining differences. What was created, added or changed is in the stack, whatever fails from here on. */
async function finishAdoption(target: Target, verb: Verb, start: Properties): Promise<Stored> {
  const isExisting = verb === "Adopting" || verb === "Updating";
  try {
    return { id: target.id, state: await applyUpdates(target, verb, start) };
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw error;
    if (isExisting && isDeepStrictEqual(error.state, start)) throw new UserError(error.coded);
    const text = withSentence(error.coded, "It is in the stack; the next `pulumi up` completes it.");
    throw new PartialFailure(error.id, error.state, text);
  }
}
