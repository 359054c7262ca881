import { capitalized } from "pulumi-clouddb-facts";
import { objectOperation } from "../../api/endpoints";
import { ApiError } from "../../api/errors";
import { coded } from "../../errors";
import { buildCreateBody, type Properties, pendingFields, stateAfterCreate } from "../../fields";
import type { Recorded } from "../journal/creation-journal";
import { assertSecrets, reveal } from "../session/secret-values";
import { discardAndRun, howToLook } from "./creation-messages";
import { encryptPassword, findKeyProblem, PUBLIC_KEY, passwordIn } from "./encrypted-password";
import { CREATING, mayLackPassword, type Start } from "./finish-creation";
import { pathParameters } from "./ids";
import { describeObject, warnOfInvalidFields } from "./read-object";
import { createdId, recoverCreation } from "./recover-creation";
import { type Context, declaredTarget, type Resource } from "./resource";
import { describeFailure, UserError } from "./user-error";

/**
 * Creates the object, or takes the object that an earlier command created for the same resource and
 * did not store.
 */
export async function createOnce(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<Start> {
  const earlier = await context.journal().find(context.identity, inputs);
  if (earlier === undefined) return createObject(resource, context, inputs);
  const id = await createdId(resource.id, earlier);
  return recoverCreation(declaredTarget(resource, context, id, inputs), earlier);
}

async function createObject(
  resource: Resource,
  context: Context,
  inputs: Properties,
): Promise<Start> {
  const { operation, member } = resource.create as NonNullable<Resource["create"]>;
  const problem = findKeyProblem(inputs[PUBLIC_KEY]);
  if (problem !== undefined) throw new UserError(problem);
  const { identity } = context;
  const journal = context.journal();
  let recorded: Recorded | undefined;
  const inFlight = {
    begin: async () => {
      recorded = await journal.begin(identity, factsOf(resource, context, inputs));
    },
    end: async () => recorded?.end(),
  };
  const body = buildCreateBody(resource, operation, inputs);
  const creating = creationOf(resource, inputs);
  assertSecrets(context, creating, [body]);
  const withoutPlain = (result: unknown) =>
    encryptPassword(context, creating, inputs, passwordIn(result));
  const created = await context
    .client()
    .call(objectOperation(operation), pathParameters(resource, "", inputs), {
      body: reveal(context, body),
      idempotency: "create",
      inFlight,
    })
    .catch(async (error: unknown) => {
      const lost = error instanceof ApiError ? withoutPlain(error.result) : undefined;
      if (lost !== undefined) await recorded?.complete(undefined, lost);
      throw creationError(resource, inputs, error, recorded, lost !== undefined);
    });
  const { [member]: object } = created;
  const response = object as Properties & { readonly id: string };
  const password = withoutPlain(created);
  await recorded?.complete(response.id, password);
  const target = declaredTarget(resource, context, response.id, inputs, response);
  warnOfInvalidFields(target, response, inputs);
  const next = stateAfterCreate(resource, operation, inputs, { ...response, ...password });
  if (resource.updates.some((update) => pendingFields(resource, update, next, inputs).length > 0)) {
    // If this process ends before the rest is sent, the user has at least seen the id.
    const created = `${capitalized(describeObject(target))} was created in organization ${inputs.organizationId}`;
    context.log(coded("CDB4003", `${created}; applying the remaining arguments.`));
  }
  const isPasswordOptional = mayLackPassword(target);
  const advice = isPasswordOptional
    ? "A further service of a warehouse may have none; if it needs one, set it in the console of your cloud database."
    : "Set a new one in the console of your cloud database.";
  const noPassword = `Creating ${describeObject(target)}: it was created and is in the stack, but the response contained no password. ${advice}`;
  return {
    target,
    updating: CREATING,
    next,
    noPassword: coded("CDB4002", noPassword),
    isPasswordOptional,
  };
}

/** The facts that the journal keeps. The program may have marked some as secret. */
function factsOf(resource: Resource, { redact }: Context, inputs: Properties) {
  const [organizationId, name] = [inputs.organizationId, inputs.name ?? ""].map((text) =>
    redact(String(text)),
  ) as [string, string];
  return {
    organizationId,
    title: resource.title,
    name,
    inputs,
  };
}

/** The creation, as the beginning of a sentence. */
function creationOf({ title }: Resource, { name = "", organizationId }: Properties): string {
  return `Creating ${title} ${JSON.stringify(name)} in organization ${organizationId}`;
}

function creationError(
  resource: Resource,
  inputs: Properties,
  error: unknown,
  recorded: Recorded | undefined,
  hasPassword: boolean,
): UserError {
  if (error instanceof UserError) return error;
  const { title, id: idArgument } = resource;
  const operation = creationOf(resource, inputs);
  if (!(error instanceof ApiError) || !error.mayHaveSucceeded) {
    return new UserError(
      describeFailure(operation, error, ["Nothing was created."], ["organizationId"]),
    );
  }
  const time = new Date(error.request.sentAt ?? 0).toISOString();
  const failure = `${operation}: ${error.coded.text}. The ${title} may still have been created, at ${time} or shortly after; the request was not retried`;
  const { discardCommand } = recorded ?? {};
  const look = howToLook(title, idArgument, hasPassword && discardCommand !== undefined);
  const refusal =
    discardCommand === undefined ? "" : ", and the creation journal refuses another one";
  const advice = `${look} ${discardAndRun({ discardCommand })} \`pulumi up\` again.`;
  return new UserError(coded("CDB4001", `${failure}${refusal}. ${advice}`));
}
