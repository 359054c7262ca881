import { ApiError, NotFoundError } from "../api/errors";
import { coded, type Message } from "../errors";
import {
  buildCreateBody,
  buildUpdateBody,
  type Properties,
  recordDeclared,
  sharedFields,
  stateAfterCreate,
} from "../fields";
import type { EarlierCreation, RecordedCreation, ResourceIdentity } from "./creation-journal";
import { idIn, organizationIn, withOrganization } from "./id-fields";
import { capitalised, describeMissing, displayName, RemoteObject } from "./remote-object";
import type { Created, Creation, HandlerDependencies, ResourceDeclaration, ResourceType } from "./resource-type";
import { addEntries, deleteEntries, readEntries, updateEntries } from "./shared-entries";
import { describeAbsent, describeUncertain, howToLook } from "./unresolved-creations";
import { describeFailure, PartialFailure, UserError } from "./user-error";

/** Pauses between reads of a service that an earlier command created, a minute in all. */
const READ_PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];

/** The lifecycle of a type of resource. */
export function defineResource(declaration: ResourceDeclaration): ResourceType {
  const { definition, title, idArgument, creation, applyDefaults } = declaration;
  const withId = (id: string, state: Properties) => ({ ...state, [idArgument]: id });
  const isShared = sharedFields(definition).length > 0;
  const isCreated = ({ [idArgument]: adopted }: Properties) => creation !== undefined && adopted === undefined;

  return {
    definition,
    title,
    withId,
    ...(applyDefaults && { applyDefaults }),
    describeReplacement(id, changes) {
      const change = `Changing ${changes} of ${title} ${id}`;
      if (creation !== undefined)
        return coded(
          "CDB5002",
          `${change} requires a new ${title}, and this one would keep running and costing money: the API cannot delete ${title}s. To stop managing it, set \`retainOnDelete: true\` on the resource and run \`pulumi up\`; then make this change.`,
        );
      return coded(
        "CDB5003",
        isShared
          ? `${change} removes the entries that this resource has added there, and adds the declared ones to the other.`
          : `${change} makes the stack release this object and adopt the other; nothing is created or deleted on the server.`,
      );
    },
    create(dependencies, inputs, identity) {
      if (isShared) return addEntries(declaration, dependencies, idOf(declaration, inputs), inputs, identity);
      if (creation && inputs[idArgument] === undefined)
        return createOnce(declaration, creation, dependencies, inputs, identity);
      return adopt(declaration, dependencies, inputs, identity);
    },
    ...(declaration.read && {
      async read(dependencies, id, state, identity) {
        const located = withOrganization(dependencies, state);
        const known = creation === undefined ? withId(id, located) : located;
        const current = isShared
          ? await readEntries(declaration, dependencies, id, known, identity)
          : await new RemoteObject(declaration, dependencies, id, known).refresh();
        if (current === undefined) dependencies.log(describeMissing(declaration, id, known));
        return current;
      },
    }),
    update(dependencies, id, state, inputs, identity) {
      if (isShared) return updateEntries(declaration, dependencies, id, state, inputs, identity);
      // An object that this stack created never counts as adopted, even if the program later declares its own id.
      const declared = isCreated(state) ? { ...inputs, [idArgument]: undefined } : inputs;
      return new RemoteObject(declaration, dependencies, id, declared).update(state);
    },
    async delete(dependencies, id, state, identity) {
      if (isShared) return deleteEntries(declaration, dependencies, id, state, identity);
      const { log, journal } = dependencies;
      const name = displayName(declaration, id, state);
      // Pulumi replaces a marked resource without telling which object it has: the replacement may be the same one.
      if (journal()?.taken.has(id))
        return log(
          coded(
            "CDB4011",
            `${capitalised(name)} is the one that its replacement has taken into the stack: it was not deleted.`,
          ),
        );
      if (isCreated(state))
        throw new UserError(
          coded(
            "CDB5001",
            `Deleting ${name}: the API cannot delete ${title}s, so it would keep running and costing money without being managed. Nothing was changed. If it is tainted, run \`pulumi state untaint\`. To stop managing it, set \`retainOnDelete: true\` on the resource and run \`pulumi up\`; then remove it.`,
          ),
        );
      log(
        creation === undefined
          ? coded("CDB5004", `The ${name} keeps its current settings; it is only removed from the stack.`)
          : coded(
              "CDB5004",
              `${capitalised(name)} keeps running and costing money: it was adopted, so it is only removed from the stack.`,
            ),
      );
    },
  };
}

async function adopt(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  inputs: Properties,
  identity: ResourceIdentity,
): Promise<Created> {
  const { definition, creation } = declaration;
  const id = idOf(declaration, inputs);
  const object = new RemoteObject(declaration, dependencies, id, inputs);
  if (declaration.read === undefined) return object.finishCreate("update", recordDeclared(definition, {}, inputs));
  const journal = creation && dependencies.journal();
  const password = await journal?.passwordOf(id);
  if (password !== undefined) dependencies.addSecret(password);
  const start = await object.findAdopted("adopt", { password });
  // The user has found what an earlier command may have created.
  const earlier = await journal?.find(identity).catch(() => undefined);
  if (earlier && earlier.record.id === undefined) await earlier.end();
  return object.finishCreate("adopt", start);
}

/** The id of the object that the program names. */
function idOf({ idArgument }: ResourceDeclaration, inputs: Properties): string {
  return idArgument === "organizationId" ? organizationIn(inputs[idArgument]) : idIn(idArgument, inputs[idArgument]);
}

/** Creates the object, or takes the one that an earlier command created for the same resource and did not store. */
async function createOnce(
  declaration: ResourceDeclaration,
  creation: Creation,
  dependencies: HandlerDependencies,
  inputs: Properties,
  identity: ResourceIdentity,
): Promise<Created> {
  const earlier = await dependencies.journal()?.find(identity);
  if (earlier === undefined) return createObject(declaration, creation, dependencies, inputs, identity);
  const { id } = earlier.record;
  if (id !== undefined) return takeCreated(declaration, dependencies, inputs, earlier, id);
  throw new UserError(describeUncertain(declaration.idArgument, earlier, await earlier.findOthers()));
}

/** The object of an earlier command. */
async function takeCreated(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  inputs: Properties,
  earlier: EarlierCreation,
  id: string,
): Promise<Created> {
  const { record, password, discardCommand } = earlier;
  if (password !== undefined) dependencies.addSecret(password);
  const remote = new RemoteObject(declaration, dependencies, id, inputs);
  const { organizationId = record.organizationId } = earlier.inputs ?? {};
  if (organizationId !== inputs.organizationId) {
    const differences = `organizationId is ${organizationId} but the program declares ${inputs.organizationId}`;
    throw new UserError(
      coded(
        "CDB4004",
        `Creating ${remote.displayName}, which an earlier command has created: ${differences}. An update cannot change this: declare the existing value, or run \`${discardCommand}\` to create another one. Nothing was changed.`,
      ),
    );
  }
  const start = await findPatiently(dependencies, remote, earlier).catch(async (error: unknown) => {
    if (!isNotFound(error)) throw error;
    const failure = error.cause.coded.text;
    throw new UserError(describeAbsent(remote.displayName, earlier, failure, await earlier.findOthers()));
  });
  dependencies.journal()?.taken.add(id);
  if (password !== undefined) return remote.finishCreate("create", start);
  const problem = coded(
    "CDB4013",
    `Creating ${remote.displayName}: it is in the stack without its password: the creation journal holds none, or one that only another API key can read. Set a new one in the provider's console, then run \`${discardCommand}\`.`,
  );
  throw await withoutPassword(remote, start, dependencies, problem);
}

/** Reads it again for a minute while the API says that it does not exist: a read may be behind the creation. */
async function findPatiently(
  { clock, cancellation, log }: HandlerDependencies,
  remote: RemoteObject,
  earlier: EarlierCreation,
): Promise<Properties> {
  for (const [attempt, pauseMs] of READ_PAUSES_MS.entries()) {
    try {
      return await remote.findCreated(earlier);
    } catch (error) {
      if (!isNotFound(error) || cancellation?.aborted) throw error;
      if (attempt === 0)
        log(
          coded(
            "CDB4011",
            `The API does not show ${remote.displayName} yet, which an earlier command created: asking again for up to a minute.`,
          ),
        );
      await clock.sleep(pauseMs, cancellation);
    }
  }
  return remote.findCreated(earlier);
}

function isNotFound(error: unknown): error is UserError & { readonly cause: NotFoundError } {
  return error instanceof UserError && error.cause instanceof NotFoundError;
}

/** The failure of a creation whose password is not known: told also where finishing it fails. */
async function withoutPassword(
  remote: RemoteObject,
  start: Properties,
  { log }: HandlerDependencies,
  problem: Message,
): Promise<PartialFailure> {
  const { id, state } = await remote.finishCreate("create", start).catch((error: unknown) => {
    log(problem);
    throw error;
  });
  return new PartialFailure(id, state, problem);
}

async function createObject(
  declaration: ResourceDeclaration,
  creation: Creation,
  dependencies: HandlerDependencies,
  inputs: Properties,
  identity: ResourceIdentity,
): Promise<Created> {
  const { definition, parameters, title } = declaration;
  const body = buildCreateBody(definition, creation.name, inputs);
  const journal = dependencies.journal();
  // The program may have marked them as secret.
  const [organizationId, name] = [inputs.organizationId, inputs.name ?? ""].map((text) =>
    dependencies.redact(String(text)),
  ) as [string, string];
  const facts = { organizationId, title, name, inputs };
  let recorded: RecordedCreation | undefined;
  const inFlight = {
    begin: async () => {
      recorded = await journal?.begin(identity, facts);
    },
    end: async () => recorded?.end(),
  };
  const created = await dependencies
    .client()
    .call(creation.operation, parameters("", inputs), { body, idempotency: "create", inFlight })
    .catch((error: unknown) => {
      throw creationError(declaration, error, inputs, recorded);
    });
  const { [creation.member]: object, password: apiPassword } = created;
  const response = object as Properties & { readonly id: string };
  const password = typeof apiPassword === "string" && apiPassword !== "" ? apiPassword : undefined;
  if (password !== undefined) dependencies.addSecret(password);
  await recorded?.complete(response.id, password);
  const remote = new RemoteObject(declaration, dependencies, response.id, inputs);
  remote.warnAboutInvalidFields(response);
  const start = stateAfterCreate(definition, creation.name, inputs, { ...response, password });
  const isWhole = Object.keys(declaration.updates).every(
    (name) => buildUpdateBody(definition, name, start, inputs) === undefined,
  );
  if (!isWhole) {
    // If this process ends before the rest is sent, the user has at least seen the id.
    const object = capitalised(remote.displayName);
    dependencies.log(
      coded(
        "CDB4003",
        `${object} was created in organization ${inputs.organizationId}; applying the remaining arguments.`,
      ),
    );
  }
  if (password !== undefined) return remote.finishCreate("create", start);
  throw await withoutPassword(
    remote,
    start,
    dependencies,
    coded(
      "CDB4002",
      `Creating ${remote.displayName}: it was created and is in the stack, but the response contained no password. Set a new one in the provider's console.`,
    ),
  );
}

function creationError(
  { title, idArgument }: ResourceDeclaration,
  error: unknown,
  inputs: Properties,
  recorded: RecordedCreation | undefined,
): UserError {
  if (error instanceof UserError) return error;
  const operation = `Creating ${title} ${JSON.stringify(inputs.name ?? "")} in organization ${inputs.organizationId}`;
  if (!(error instanceof ApiError) || !error.mayHaveSucceeded) {
    return new UserError(describeFailure(operation, error, "Nothing was created."));
  }
  const time = new Date(error.sentAt ?? 0).toISOString();
  const failure = `${operation}: ${error.coded.text}. The ${title} may still have been created, at ${time} or shortly after; the request was not retried`;
  const look = howToLook(title, idArgument);
  return new UserError(
    coded(
      "CDB4001",
      recorded === undefined
        ? `${failure}. ${look} run \`pulumi up\` again.`
        : `${failure}, and the creation journal refuses another one. ${look} run \`${recorded.discardCommand}\`, then \`pulumi up\` again.`,
    ),
  );
}
