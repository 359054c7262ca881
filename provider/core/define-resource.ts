import { ApiError, NotFoundError } from "../api/errors";
import { type Message, message, textOf } from "../errors";
import {
  buildCreateBody,
  buildUpdateBody,
  DECLARED,
  type Properties,
  recordDeclared,
  sharedFields,
  stateAfterCreate,
  withoutEntries,
} from "../fields";
import {
  describeUncertain,
  type EarlierCreation,
  type RecordedCreation,
  type ResourceIdentity,
} from "./creation-journal";
import { idIn, organizationIn, withOrganization } from "./id-fields";
import { displayName, RemoteObject } from "./remote-object";
import type { Created, Creation, HandlerDependencies, ResourceDeclaration, ResourceType } from "./resource-type";
import { describeFailure, PartialFailure, UserError } from "./user-error";

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
      const released = isShared ? "CDB5003.entries" : "CDB5003.release";
      return message(creation === undefined ? released : "CDB5002.replace", { arguments: changes, type: title, id });
    },
    create(dependencies, inputs, identity) {
      if (creation && inputs[idArgument] === undefined)
        return createOnce(declaration, creation, dependencies, inputs, identity);
      return adopt(declaration, dependencies, inputs, identity);
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
    async delete(dependencies, id, state) {
      if (isShared) return removeEntries(declaration, dependencies, id, withId(id, state));
      const { log, journal } = dependencies;
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

async function adopt(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  inputs: Properties,
  identity: ResourceIdentity,
): Promise<Created> {
  const { definition, idArgument, creation } = declaration;
  const action = sharedFields(definition).length > 0 ? "add" : "adopt";
  const id =
    idArgument === "organizationId" ? organizationIn(inputs[idArgument]) : idIn(idArgument, inputs[idArgument]);
  const object = new RemoteObject(declaration, dependencies, id, inputs);
  if (declaration.read === undefined) return object.finishCreate("update", recordDeclared(definition, {}, inputs));
  const journal = creation && dependencies.journal();
  const password = await journal?.passwordOf(id);
  if (password !== undefined) dependencies.addSecret(password);
  const start = await object.findAdopted(action, { password });
  // The user has found what an earlier command may have created.
  const earlier = await journal?.find(identity).catch(() => undefined);
  if (earlier && earlier.record.id === undefined) await journal?.end(identity);
  return object.finishCreate(action, start);
}

/** Removes the resource's own entries from lists that others share. */
async function removeEntries(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
): Promise<void> {
  const { definition } = declaration;
  const { log } = dependencies;
  const located = withOrganization(dependencies, state);
  const object = new RemoteObject(declaration, dependencies, id, withoutEntries(definition, located));
  if ((await object.removeEntries(located)) === "gone") return log(describeMissing(declaration, id, located));
  const left = sharedFields(definition).flatMap(({ rules: { sharedAs } }) => located[sharedAs] ?? []);
  if (left.length > 0) log(message("CDB5004.shared", { object: object.displayName, count: left.length }));
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
  if (earlier !== undefined) {
    const { id } = earlier.record;
    if (id === undefined) throw new UserError(describeUncertain(declaration.idArgument, earlier));
    const taken = await takeCreated(declaration, dependencies, inputs, earlier, id);
    if (taken !== undefined) return taken;
  }
  return createObject(declaration, creation, dependencies, inputs, identity);
}

/** The object of an earlier command; undefined if the API says that it is gone. */
async function takeCreated(
  declaration: ResourceDeclaration,
  dependencies: HandlerDependencies,
  inputs: Properties,
  earlier: EarlierCreation,
  id: string,
): Promise<Created | undefined> {
  const { record, password, discardCommand } = earlier;
  if (password !== undefined) dependencies.addSecret(password);
  const remote = new RemoteObject(declaration, dependencies, id, inputs);
  const { organizationId = record.organizationId } = earlier.inputs ?? {};
  if (organizationId !== inputs.organizationId) {
    const differences = `organizationId is ${organizationId} but the program declares ${inputs.organizationId}`;
    throw new UserError(
      message("CDB4004.create", { object: remote.displayName, differences, command: discardCommand }),
    );
  }
  const start = await remote.findCreated(earlier).catch((error: unknown) => {
    if (error instanceof UserError && error.cause instanceof NotFoundError) return undefined;
    throw error;
  });
  if (start === undefined) return undefined;
  dependencies.journal()?.taken.add(id);
  if (password !== undefined) return remote.finishCreate("create", start);
  const problem = message("CDB4013.password", { object: remote.displayName, command: discardCommand });
  throw await withoutPassword(remote, start, dependencies, problem);
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
    dependencies.redact(String(text) as Message),
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
    dependencies.log(message("CDB4003.created", { object, organization: String(inputs.organizationId) }));
  }
  if (password !== undefined) return remote.finishCreate("create", start);
  throw await withoutPassword(remote, start, dependencies, message("CDB4002.password", { object: remote.displayName }));
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
  const facts = { failure: `${operation}: ${textOf(error.message)}.`, type: title, time, idArgument };
  return new UserError(
    recorded === undefined
      ? message("CDB4001.uncertain", facts)
      : message("CDB4001.journal", { ...facts, command: recorded.discardCommand }),
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
