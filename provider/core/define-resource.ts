import { ApiError, NotFoundError } from "../api/errors";
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
  describeCreated,
  describeUncertain,
  type ResourceIdentity,
} from "./creation-journal";
import { withOrganization } from "./id-fields";
import { displayName, RemoteObject } from "./remote-object";
import type { Created, Creation, HandlerDependencies, ResourceDeclaration, ResourceType } from "./resource-type";
import { adviceFor, describeError, joinSentences, PartialFailure, UserError } from "./user-error";

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
    replacementEffect:
      creation === undefined
        ? "makes the stack release this object and adopt the other; nothing is created or deleted on the server."
        : `requires a new ${title}, and this one would keep running and costing money: the API cannot delete ${title}s. ${RELEASE_HINT} make this change.`,
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
        const found = await new RemoteObject(declaration, dependencies, id, known).refresh();
        if (found === undefined) dependencies.log(describeMissing(declaration, id, known));
        return found;
      },
    }),
    update(dependencies, id, state, inputs) {
      // An object that this stack created never counts as adopted, even if the program later declares its own id.
      const declared = isCreated(state) ? { ...inputs, [idArgument]: undefined } : inputs;
      return new RemoteObject(declaration, dependencies, id, declared).update(state);
    },
    async delete({ log }, id, state) {
      const name = displayName(declaration, id, state);
      if (isCreated(state)) {
        throw new UserError(
          `Deleting ${name}: the API cannot delete ${title}s, so it would keep running and costing money without being managed. Nothing was changed. If it is tainted, run \`pulumi state untaint\`. ${RELEASE_HINT} remove it.`,
        );
      }
      log(
        creation === undefined
          ? `The ${name} keeps its current settings; it is only removed from the stack.`
          : `${capitalised(name)} keeps running and costing money: it was adopted, so it is only removed from the stack.`,
      );
    },
  };
}

const RELEASE_HINT = "To stop managing it, set `retainOnDelete: true` on the resource and run `pulumi up`; then";

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
  const start = await remote.findCreated({ password });
  dependencies.log(describeCreated(record, "it is taken into the stack now"));
  const finished = await remote.finishCreate("create", start);
  if (password !== undefined) return finished;
  const sentence = `Creating ${remote.displayName}: it is in the stack without its password, which the creation journal holds for another API key or not at all. Set a new one in the provider's console.`;
  throw new PartialFailure(finished.id, finished.state, sentence);
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
  const client = dependencies.client();
  await entry?.journal.begin(entry.identity, {
    organizationId: String(inputs.organizationId),
    title,
    name: String(inputs.name ?? ""),
  });
  const created = await client
    .call(creation.operation, parameters("", inputs), { body, idempotency: "create" })
    .catch(async (error: unknown) => {
      const isCertain = !(error instanceof ApiError) || !error.mayHaveSucceeded;
      if (isCertain) await entry?.journal.end(entry.identity);
      throw creationError(declaration, error, inputs);
    });
  const { [creation.member]: object, password: given } = created;
  const found = object as Properties & { readonly id: string };
  const password = typeof given === "string" && given !== "" ? given : undefined;
  if (password !== undefined) dependencies.addSecret(password);
  await entry?.journal.complete(entry.identity, found.id, password);
  const remote = new RemoteObject(declaration, dependencies, found.id, inputs);
  remote.warnAboutInvalidFields(found);
  const start = stateAfterCreate(definition, creation.name, inputs, { ...found, password });
  const isWhole = Object.keys(declaration.updates).every(
    (name) => buildUpdateBody(definition, name, start, inputs) === undefined,
  );
  if (!isWhole) {
    // If this process ends before the rest is sent, the user has at least seen the id.
    dependencies.log(
      `${capitalised(remote.displayName)} was created in organization ${inputs.organizationId}; applying the remaining arguments.`,
    );
  }
  const finished = await remote.finishCreate("create", start);
  if (password === undefined) {
    const sentence = `Creating ${remote.displayName}: it was created and is in the stack, but the response contained no password. Set a new one in the provider's console.`;
    throw new PartialFailure(finished.id, finished.state, sentence);
  }
  return finished;
}

function creationError({ title, idArgument }: ResourceDeclaration, error: unknown, inputs: Properties): UserError {
  const start = `Creating ${title} ${JSON.stringify(inputs.name ?? "")} in organization ${inputs.organizationId}: ${describeError(error)}.`;
  if (!(error instanceof ApiError) || !error.mayHaveSucceeded) {
    return new UserError(joinSentences(start, "Nothing was created.", adviceFor(error)));
  }
  return new UserError(
    `${start} The ${title} may still have been created, at ${new Date(error.sentAt ?? 0).toISOString()} or shortly after; the request was not retried. ` +
      `Look for a ${title} with that name and creation time in the organization. If it exists, adopt it: set ` +
      `${idArgument} to its id and run \`pulumi up\` (its password was in the lost response, so set a new one). If not, run \`pulumi up\` again.`,
  );
}

/** The message about an object that does not exist: one in the stack, or one that a program only reads. */
function describeMissing(declaration: ResourceDeclaration, id: string, state: Properties): string {
  const which = `${capitalised(displayName(declaration, id, state))} of organization ${state.organizationId}`;
  if (state[DECLARED] === undefined) return `${which} does not exist.`;
  const gone = `${which} no longer exists and is removed from state.`;
  if (!state.password) return gone;
  return `${gone} The stack's history still holds its password: \`pulumi stack history\`, \`pulumi stack export --version N\`.`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
