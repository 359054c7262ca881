import { ApiError, NotFoundError } from "../api/errors";
import { type Message, message, textOf } from "../errors";
import {
  buildCreateBody,
  buildUpdateBody,
  DECLARED,
  type Properties,
  recordDeclared,
  stateAfterCreate,
} from "../fields";
import {
  type CreationJournal,
  type CreationRecord,
  describeUncertain,
  type ResourceIdentity,
} from "./creation-journal";
import { withOrganization } from "./id-fields";
import { displayName, RemoteObject } from "./remote-object";
import type { Created, Creation, HandlerDependencies, ResourceDeclaration, ResourceType } from "./resource-type";
import { describeFailure, PartialFailure, UserError } from "./user-error";

/** The lifecycle of a type of resource. */
export function defineResource(declaration: ResourceDeclaration): ResourceType {
  const { definition, title, idArgument, creation, applyDefaults } = declaration;
  const withId = (id: string, state: Properties) => ({ ...state, [idArgument]: id });
  const isCreated = ({ [idArgument]: adopted }: Properties) => creation !== undefined && adopted === undefined;

  return {
    definition,
    title,
    withId,
    ...(applyDefaults && { applyDefaults }),
    describeReplacement: (id, changes) =>
      message(creation === undefined ? "CDB5003.release" : "CDB5002.replace", { arguments: changes, type: title, id }),
    async create(dependencies, inputs, identity) {
      if (creation && inputs[idArgument] === undefined)
        return createOnce(declaration, creation, dependencies, inputs, identity);
      const object = new RemoteObject(declaration, dependencies, String(inputs[idArgument]), inputs);
      return declaration.read === undefined
        ? object.finishCreate("update", recordDeclared(definition, {}, inputs))
        : object.adopt();
    },
    ...(declaration.read && {
      async read(dependencies, id, state) {
        const located = withOrganization(dependencies, state);
        const known = creation === undefined ? withId(id, located) : located;
        const current = await new RemoteObject(declaration, dependencies, id, known).refresh();
        if (current === undefined) dependencies.log(describeMissing(declaration, id, known));
        return current;
      },
    }),
    update(dependencies, id, state, inputs) {
      // An object that this stack created never counts as adopted, even if the program later declares its own id.
      const declared = isCreated(state) ? { ...inputs, [idArgument]: undefined } : inputs;
      return new RemoteObject(declaration, dependencies, id, declared).update(state);
    },
    async delete({ log, journal }, id, state) {
      const name = displayName(declaration, id, state);
      // Pulumi replaces a marked resource without telling which object it has: the replacement may be the same one.
      if (journal()?.taken.has(id)) return log(message("CDB4011.kept", { object: capitalised(name) }));
      if (isCreated(state)) throw new UserError(message("CDB5001.delete", { object: name, type: title }));
      log(
        creation === undefined
          ? message("CDB5004.settings", { object: name })
          : message("CDB5004.adopted", { object: capitalised(name) }),
      );
    },
  };
}

/** The journal's entry for one resource. */
interface Entry {
  readonly journal: CreationJournal;
  readonly identity: ResourceIdentity;
}

/** Creates the object, or takes the one that an earlier command created for the same resource and did not store. */
async function createOnce(
  declaration: ResourceDeclaration,
  creation: Creation,
  dependencies: HandlerDependencies,
  inputs: Properties,
  identity: ResourceIdentity | undefined,
): Promise<Created> {
  const journal = dependencies.journal();
  const entry = journal && identity && { journal, identity };
  const record = await entry?.journal.find(entry.identity);
  if (entry === undefined || record === undefined)
    return createObject(declaration, creation, dependencies, inputs, entry);
  if (record.id === undefined) throw new UserError(describeUncertain(record, declaration.idArgument));
  try {
    return await takeCreated(declaration, dependencies, inputs, entry, { ...record, id: record.id });
  } catch (error) {
    if (!(error instanceof UserError && error.cause instanceof NotFoundError)) throw error;
    await entry.journal.end(entry.identity);
    return createObject(declaration, creation, dependencies, inputs, entry);
  }
}

async function takeCreated(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  inputs: Properties,
  { journal }: Entry,
  record: CreationRecord & { readonly id: string },
): Promise<Created> {
  const password = journal.passwordOf(record);
  if (password !== undefined) dependencies.addSecret(password);
  const remote = new RemoteObject(declaration, dependencies, record.id, inputs);
  if (record.organizationId !== inputs.organizationId) {
    const differences = `organizationId is ${record.organizationId} but the program declares ${inputs.organizationId}`;
    throw new UserError(message("CDB4004.create", { object: remote.displayName, differences }));
  }
  const start = await remote.findCreated({ password });
  journal.taken.add(record.id);
  const finished = await remote.finishCreate("create", start);
  if (password !== undefined) return finished;
  const problem = message("CDB4013.password", { object: remote.displayName });
  throw new PartialFailure(finished.id, finished.state, problem);
}

async function createObject(
  declaration: ResourceDeclaration,
  creation: Creation,
  dependencies: HandlerDependencies,
  inputs: Properties,
  entry: Entry | undefined,
): Promise<Created> {
  const { definition, parameters, title } = declaration;
  const body = buildCreateBody(definition, creation.name, inputs);
  const [client, path] = [dependencies.client(), parameters("", inputs)];
  await entry?.journal.begin(entry.identity, {
    organizationId: String(inputs.organizationId),
    title,
    name: String(inputs.name ?? ""),
  });
  const created = await client
    .call(creation.operation, path, { body, idempotency: "create" })
    .catch(async (error: unknown) => {
      const isCertain = !(error instanceof ApiError) || !error.mayHaveSucceeded;
      if (isCertain) await entry?.journal.end(entry.identity);
      throw creationError(declaration, error, inputs, entry !== undefined);
    });
  const { [creation.member]: object, password: apiPassword } = created;
  const response = object as Properties & { readonly id: string };
  const password = typeof apiPassword === "string" && apiPassword !== "" ? apiPassword : undefined;
  if (password !== undefined) dependencies.addSecret(password);
  await entry?.journal.complete(entry.identity, response.id, password);
  const remote = new RemoteObject(declaration, dependencies, response.id, inputs);
  remote.warnAboutInvalidFields(response);
  const start = stateAfterCreate(definition, creation.name, inputs, { ...response, password });
  const isWhole = Object.keys(declaration.updates).every(
    (name) => buildUpdateBody(definition, name, start, inputs) === undefined,
  );
  if (!isWhole) {
    // If this process ends before the rest is sent, the user has at least seen the id.
    const object = capitalised(remote.displayName);
    dependencies.log(message("CDB4003.created", { object, organization: String(inputs.organizationId) }));
  }
  const finished = await remote.finishCreate("create", start);
  if (password === undefined) {
    const reason = message("CDB4002.password", { object: remote.displayName });
    throw new PartialFailure(finished.id, finished.state, reason);
  }
  return finished;
}

function creationError(
  { title, idArgument }: ResourceDeclaration,
  error: unknown,
  inputs: Properties,
  isJournaled: boolean,
): UserError {
  const name = JSON.stringify(inputs.name ?? "");
  const operation = `Creating ${title} ${name} in organization ${inputs.organizationId}`;
  if (!(error instanceof ApiError) || !error.mayHaveSucceeded) {
    return new UserError(describeFailure(operation, error, "Nothing was created."));
  }
  const time = new Date(error.sentAt ?? 0).toISOString();
  const failure = `${operation}: ${textOf(error.message)}.`;
  const facts = { failure, type: title, time, idArgument };
  return new UserError(
    isJournaled ? message("CDB4001.journal", { ...facts, name }) : message("CDB4001.uncertain", facts),
  );
}

/** The message about an object that does not exist: one in the stack, or one that a program only reads. */
function describeMissing(declaration: ResourceDeclaration, id: string, state: Properties): Message {
  const object = capitalised(displayName(declaration, id, state));
  const which = { object, organization: String(state.organizationId) };
  if (state[DECLARED] === undefined) return message("CDB5006.missing", which);
  return message(state.password ? "CDB5006.password" : "CDB5006.gone", which);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
