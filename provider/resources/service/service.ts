import { ApiError } from "../../api/errors";
import { operations } from "../../api/operations";
import { organizationIn, withOrganization } from "../../core/id-fields";
import { RemoteObject } from "../../core/remote-object";
import type { Created, HandlerDependencies, RemoteObjectType, ResourceType } from "../../core/resource-type";
import { adviceFor, describeError, joinSentences, PartialFailure, UserError } from "../../core/user-error";
import {
  buildCreateBody,
  buildUpdateBody,
  DECLARED,
  type Definition,
  type Properties,
  stateAfterCreate,
} from "../../fields";
import { NAME_LENGTH, serviceFields, serviceOutputs } from "./fields";
import { serviceRules } from "./rules";

export const serviceDefinition: Definition = {
  fields: serviceFields,
  outputs: serviceOutputs,
  rules: serviceRules,
  adoptionArgument: "existingServiceId",
};

const RELEASE_HINT = "To stop managing it, set `retainOnDelete: true` on the resource and run `pulumi up`; then";

const type: RemoteObjectType = {
  definition: serviceDefinition,
  displayName,
  parameters: (serviceId, { organizationId }) => ({
    organizationId: organizationIn(organizationId),
    serviceId,
  }),
  read: operations.getService,
  updates: { updateService: operations.updateService, scaleService: operations.scaleService },
};

export const service: ResourceType = {
  definition: serviceDefinition,
  title: "service",
  replacementEffect: `requires a new service, and this one would keep running and costing money: the API cannot delete services. ${RELEASE_HINT} make this change.`,
  applyDefaults: applyDefaultName,
  withId: (id, state) => ({ ...state, existingServiceId: id }),
  create: (dependencies, inputs) =>
    inputs.existingServiceId === undefined
      ? createService(dependencies, inputs)
      : new RemoteObject(type, dependencies, String(inputs.existingServiceId), inputs).adopt(),
  read: readService,
  update: (dependencies, id, state, inputs) =>
    new RemoteObject(type, dependencies, id, keepCreated(state, inputs)).update(state),
  delete: releaseService,
};

/** A new service is named after its resource; one that is adopted or already has a name keeps it. */
function applyDefaultName(oldInputs: Properties, inputs: Properties, resourceName: string) {
  if (inputs.name !== undefined || inputs.existingServiceId !== undefined) return { inputs };
  if (Object.keys(oldInputs).length > 0)
    return { inputs: oldInputs.name ? { ...inputs, name: oldInputs.name } : inputs };
  const words = resourceName.replace(/[^A-Za-z0-9]+/g, " ").trim();
  const name = words.slice(0, NAME_LENGTH).trim();
  return { inputs: name === "" ? inputs : { ...inputs, name }, warning: describeLoss(resourceName, name) };
}

/** Separators are replaced without a word, but two names that differ in letters may become one. */
function describeLoss(resourceName: string, name: string): string | undefined {
  const lettersOf = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  if (name !== "" && lettersOf(name) === lettersOf(resourceName)) return undefined;
  const [result, advice] =
    name === "" ? ["no name", "choose one"] : [`the name ${JSON.stringify(name)}`, "choose another"];
  return `the service gets ${result}, because its name can have only letters A to Z, digits and spaces, at most ${NAME_LENGTH}; declare name to ${advice}.`;
}

async function createService(dependencies: HandlerDependencies, inputs: Properties): Promise<Created> {
  const client = dependencies.client();
  const body = buildCreateBody(serviceDefinition, "createService", inputs);
  const created = await client
    .call(operations.createService, { organizationId: String(inputs.organizationId) }, { body, idempotency: "create" })
    .catch((error: unknown) => {
      throw creationError(error, inputs);
    });
  const { service: found, password: given } = created as { service: { id: string }; password?: unknown };
  const password = typeof given === "string" && given !== "" ? given : undefined;
  if (password !== undefined) dependencies.addSecret(password);
  const object = new RemoteObject(type, dependencies, found.id, inputs);
  object.warnAboutInvalidFields(found);
  const start = stateAfterCreate(serviceDefinition, "createService", inputs, { ...found, password });
  if (buildUpdateBody(serviceDefinition, "updateService", start, inputs) !== undefined) {
    // If this process ends before the rest is sent, the user has at least seen the id.
    dependencies.log(
      `${capitalised(object.displayName)} was created in organization ${inputs.organizationId}; applying the remaining arguments.`,
    );
  }
  const finished = await object.finishCreate("create", start);
  if (password === undefined) {
    const sentence = `Creating ${object.displayName}: it was created and is in the stack, but the response contained no password. Set a new one in the provider's console.`;
    throw new PartialFailure(finished.id, finished.state, sentence);
  }
  return finished;
}

function creationError(error: unknown, inputs: Properties): UserError {
  const start = `Creating service ${JSON.stringify(inputs.name ?? "")} in organization ${inputs.organizationId}: ${describeError(error)}.`;
  if (!(error instanceof ApiError) || !error.mayHaveSucceeded) {
    return new UserError(joinSentences(start, "Nothing was created.", adviceFor(error)));
  }
  return new UserError(
    `${start} The service may still have been created, at ${new Date(error.sentAt ?? 0).toISOString()} or shortly after; the request was not retried. ` +
      "Look for a service with that name and creation time in the organization. If it exists, adopt it: set " +
      "existingServiceId to its id and run `pulumi up` (its password was in the lost response, so set a new one). If not, run `pulumi up` again.",
  );
}

async function readService(
  dependencies: HandlerDependencies,
  id: string,
  state: Properties,
): Promise<Properties | undefined> {
  const known = withOrganization(dependencies, state);
  const found = await new RemoteObject(type, dependencies, id, known).refresh();
  if (found === undefined) {
    dependencies.log(
      describeMissing(`${capitalised(displayName(id, state))} of organization ${known.organizationId}`, state),
    );
  }
  return found;
}

/** The message about a service that does not exist: one in the stack, or one that a program only reads. */
function describeMissing(which: string, state: Properties): string {
  if (state[DECLARED] === undefined) return `${which} does not exist.`;
  const gone = `${which} no longer exists and is removed from state.`;
  if (!state.password) return gone;
  return `${gone} The stack's history still holds its password: \`pulumi stack history\`, \`pulumi stack export --version N\`.`;
}

async function releaseService({ log }: HandlerDependencies, id: string, state: Properties): Promise<void> {
  if (state.existingServiceId === undefined) {
    throw new UserError(
      `Deleting ${displayName(id, state)}: the API cannot delete services, so it would keep running and costing money without being managed. Nothing was changed. If it is tainted, run \`pulumi state untaint\`. ${RELEASE_HINT} remove it.`,
    );
  }
  log(
    `${capitalised(displayName(id, state))} keeps running and costing money: it was adopted, so it is only removed from the stack.`,
  );
}

/** A service that this stack created never counts as adopted, even if the program later declares its own id. */
function keepCreated(state: Properties, inputs: Properties): Properties {
  const { existingServiceId, ...others } = inputs;
  return state.existingServiceId === undefined ? others : inputs;
}

function displayName(id: string, { name }: Properties): string {
  return name === undefined ? `service ${id}` : `service ${id} (${JSON.stringify(name)})`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
