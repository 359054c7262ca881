import { ApiError, operations } from "../../api";
import { buildCreateBody, buildUpdateBody, DECLARED, type Properties, stateAfterCreate } from "../../fields";
import { organizationIn } from "../../lifecycle/id-fields";
import {
  adopt,
  finishCreate,
  type RemoteObject,
  refresh,
  update,
  warnAboutInvalidFields,
} from "../../lifecycle/remote-object";
import type { Context, Created, ResourceType } from "../../lifecycle/resource-type";
import { adviceFor, describeError, joinSentences, PartialFailure, UserError } from "../../lifecycle/user-error";
import { serviceDefinition as definition } from "./definition";
import { NAME_LENGTH } from "./fields";

const RELEASE_HINT = "To let it go on purpose, set `retainOnDelete: true` on the resource and run `pulumi up`; then";

const subject: RemoteObject = {
  definition,
  displayName,
  parameters: (serviceId, { organizationId }) => ({
    organizationId: organizationIn(organizationId),
    serviceId,
  }),
  read: operations.getService,
  updates: { updateService: operations.updateService, scaleService: operations.scaleService },
};

export const service: ResourceType = {
  definition,
  title: "service",
  replacementEffect: `requires a new service, and this one would keep running and costing money: the API cannot delete services. ${RELEASE_HINT} make this change.`,
  applyDefaults: applyDefaultName,
  withId: (id, outputs) => ({ ...outputs, existingServiceId: id }),
  create: (context, inputs) =>
    inputs.existingServiceId === undefined
      ? create(context, inputs)
      : adopt(context, subject, String(inputs.existingServiceId), inputs),
  read,
  update: (context, id, outputs, inputs) => update(context, subject, id, outputs, keepCreated(outputs, inputs)),
  delete: release,
};

/** A new service is named after its resource; one that has a name, or is taken over, keeps what it has. */
function applyDefaultName(oldInputs: Properties, inputs: Properties, resourceName: string): Properties {
  if (inputs.name !== undefined || inputs.existingServiceId !== undefined) return inputs;
  const isNew = Object.keys(oldInputs).length === 0;
  const name = isNew ? nameFrom(resourceName) : oldInputs.name;
  return name === undefined || name === "" ? inputs : { ...inputs, name };
}

function nameFrom(resourceName: string): string {
  const words = resourceName.replace(/[^A-Za-z0-9]+/g, " ").trim();
  return words.slice(0, NAME_LENGTH).trim();
}

async function create(context: Context, inputs: Properties): Promise<Created> {
  const client = context.client();
  const body = buildCreateBody(definition, "createService", inputs);
  const made = await client
    .call(operations.createService, { organizationId: String(inputs.organizationId) }, { body, idempotency: "create" })
    .catch((error: unknown) => {
      throw creationError(error, inputs);
    });
  const { service: found, password: given } = made as { service: { id: string }; password?: unknown };
  const password = typeof given === "string" && given !== "" ? given : undefined;
  if (password !== undefined) context.addSecret(password);
  warnAboutInvalidFields(context, subject, displayName(found.id, inputs), inputs)(found);
  const start = stateAfterCreate(definition, "createService", inputs, { ...found, password });
  if (buildUpdateBody(definition, "updateService", start, inputs) !== undefined) {
    // Whatever ends this process while the rest is sent: the id of what costs money has been seen.
    context.log(
      `${capitalised(displayName(found.id, inputs))} was created in organization ${inputs.organizationId}; the rest is being set.`,
    );
  }
  const done = await finishCreate(context, subject, found.id, start, inputs, "Creating", true);
  if (password === undefined) {
    const sentence = `Creating ${displayName(found.id, inputs)}: it was created and is in the stack, but the answer held no password. Set a new one in the provider's console.`;
    throw new PartialFailure(done.id, done.outputs, sentence);
  }
  return done;
}

function creationError(error: unknown, inputs: Properties): UserError {
  const start = `Creating service ${JSON.stringify(inputs.name ?? "")} in organization ${inputs.organizationId}: ${describeError(error)}.`;
  if (!(error instanceof ApiError) || !error.mayHaveSucceeded) {
    return new UserError(joinSentences(start, "Nothing was created.", adviceFor(error)));
  }
  return new UserError(
    `${start} It may have been created all the same, at ${new Date(error.sentAt ?? 0).toISOString()} or a little later; it was not asked for twice. ` +
      "Look for a service of that name and time in the organization. If it is there, take it over: declare its id as " +
      "existingServiceId and run `pulumi up` (its password was in the lost answer, so set a new one). If it is not, run `pulumi up` again.",
  );
}

async function read(context: Context, id: string, outputs: Properties): Promise<Properties | undefined> {
  const known = { ...outputs, organizationId: outputs.organizationId ?? context.organizationId };
  const found = await refresh(context, subject, id, known);
  if (found === undefined)
    context.log(
      describeMissing(`${capitalised(displayName(id, outputs))} of organization ${known.organizationId}`, outputs),
    );
  return found;
}

/** What a user reads about a service that does not exist: one of the stack, or one that a program only reads. */
function describeMissing(which: string, outputs: Properties): string {
  if (outputs[DECLARED] === undefined) return `${which} does not exist.`;
  const gone = `${which} does not exist any more and leaves the stack.`;
  if (outputs.password === undefined) return gone;
  return `${gone} The stack's history still holds its password: \`pulumi stack history\`, \`pulumi stack export --version N\`.`;
}

async function release(context: Context, id: string, outputs: Properties): Promise<void> {
  if (outputs.existingServiceId === undefined) {
    throw new UserError(
      `Deleting ${displayName(id, outputs)}: the API cannot delete services, so it would go on running and costing money, out of sight. Nothing was changed. ${RELEASE_HINT} remove it.`,
    );
  }
  context.log(
    `${capitalised(displayName(id, outputs))} goes on running and costing money: it was taken over, and the stack only forgets it.`,
  );
}

/** A service that was created stays one: giving its own id later does not make it one that was taken over. */
function keepCreated(outputs: Properties, inputs: Properties): Properties {
  const { existingServiceId, ...others } = inputs;
  return outputs.existingServiceId === undefined ? others : inputs;
}

function displayName(id: string, { name }: Properties): string {
  return name === undefined ? `service ${id}` : `service ${id} (${JSON.stringify(name)})`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
