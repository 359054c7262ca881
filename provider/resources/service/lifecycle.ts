import { isDeepStrictEqual } from "node:util";
import { ApiError, NotFoundError, operations, UnusableAnswerError } from "../../api";
import {
  created,
  creationBody,
  diff,
  inputsFrom,
  isRecord,
  observed,
  type Properties,
  recorded,
  shown,
  valueAt,
} from "../../fields";
import { adviceFor, Complaint, PartialFailure, paragraph, said } from "../failure";
import type { Context, Created, Kind } from "../kind";
import { type Remote, shortfall, synchronise } from "../synchronise";
import { serviceDefinition as definition } from "./definition";
import { NAME_LENGTH } from "./fields";

const LETTING_GO = "To let it go on purpose, set `retainOnDelete: true` on the resource and run `pulumi up`; then";

export const service: Kind = {
  definition,
  title: "service",
  replacement: `Only a new service can have that, and this one would keep running and costing money: the API cannot delete services. ${LETTING_GO} make this change.`,
  withDefaults: withDefaultName,
  known: (id, outputs) => ({ ...outputs, existingServiceId: id }),
  create: (context, inputs) =>
    inputs.existingServiceId === undefined ? create(context, inputs) : adopt(context, inputs),
  read,
  update,
  delete: letGo,
};

/** A new service is named after its resource; one that has a name, or is taken over, keeps what it has. */
function withDefaultName(oldInputs: Properties, inputs: Properties, resourceName: string): Properties {
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
  const startedAt = context.now();
  const body = creationBody(definition, "createService", inputs);
  const made = await client
    .call(operations.createService, { organizationId: String(inputs.organizationId) }, { body, repeatable: "create" })
    .catch((error: unknown) => {
      throw notCreated(error, inputs, startedAt);
    });
  const { service: found, password } = made as { service: { id: string }; password?: string };
  const start = created(definition, "createService", inputs, { ...found, password });
  return completed(context, found.id, start, inputs, "Creating");
}

/** Id and password, where an answer that is no use otherwise has them: without them a paid service would be lost. */
function keptFrom(error: unknown): { id: string; password?: string } | undefined {
  if (!(error instanceof UnusableAnswerError) || !isRecord(error.result)) return undefined;
  const { service: found, password } = error.result;
  if (!isRecord(found) || typeof found.id !== "string" || found.id === "") return undefined;
  return { id: found.id, ...(typeof password === "string" && { password }) };
}

function notCreated(error: unknown, inputs: Properties, startedAt: Date): Complaint {
  const start = `Creating service ${nameOf(inputs)} in organization ${inputs.organizationId}: ${said(error)}.`;
  const kept = keptFrom(error);
  if (kept !== undefined) {
    const now = `The service was created, as ${kept.id}; its id and password are in the stack.`;
    const state = created(definition, "createService", inputs, kept);
    return new PartialFailure(kept.id, state, paragraph(start, now, adviceFor(error)));
  }
  if (!(error instanceof ApiError) || !error.mayHaveLanded) {
    return new Complaint(paragraph(start, "Nothing was created.", adviceFor(error)));
  }
  return new Complaint(
    `${start} It may have been created all the same, at ${startedAt.toISOString()} or a little later; it was not asked for twice. ` +
      "Look for a service of that name and time in the organization. If it is there, take it over: declare its id as " +
      "existingServiceId and run `pulumi up` (its password was in the lost answer, so set a new one). If it is not, run `pulumi up` again.",
  );
}

async function adopt(context: Context, inputs: Properties): Promise<Created> {
  const id = String(inputs.existingServiceId);
  const doing = "Taking over";
  const found = await fetched(context, id, inputs, doing);
  const other = diff(definition, observed(definition, {}, {}, found), inputs).replaced;
  if (other.length > 0) {
    const differences = other.map(({ name, path, field }) => {
      const [declared, has] = [valueAt(inputs, path), valueAt(found, path)].map((value) => shown(field, value));
      return `${name} is ${has} and the program declares ${declared}`;
    });
    throw new Complaint(
      `${doing} service ${id}: ${differences.join("; ")}. Only a creation can set that: declare what the service has, or leave it out. Nothing was changed.`,
    );
  }
  const start = recorded(definition, observed(definition, {}, inputs, found), inputs);
  return completed(context, id, start, inputs, doing);
}

async function read(context: Context, id: string, outputs: Properties): Promise<Properties | undefined> {
  const known = { ...outputs, organizationId: outputs.organizationId ?? context.organizationId };
  try {
    const found = await fetched(context, id, known, "Reading");
    return observed(definition, known, inputsFrom(definition, outputs), found);
  } catch (error) {
    if (!(error instanceof Complaint && error.cause instanceof NotFoundError)) throw error;
    context.say(
      `Service ${id} (${nameOf(outputs)}) of organization ${known.organizationId} does not exist any more and leaves the stack. ` +
        "The stack's history still holds its password: `pulumi stack history`, `pulumi stack export --version N`.",
    );
    return undefined;
  }
}

async function update(context: Context, id: string, outputs: Properties, inputs: Properties): Promise<Properties> {
  const start = recorded(definition, outputs, inputs);
  const remote = remoteOf(context, id, inputs);
  const outcome = await synchronise(remote, start, inputs);
  if (outcome.error === undefined) return outcome.state;
  const sentence = `Changing service ${id} (${nameOf(inputs)}): ${shortfall(remote, start, outcome, inputs)}`;
  // With nothing done, the stack keeps what it had.
  if (isDeepStrictEqual(outcome.state, start)) throw new Complaint(sentence);
  throw new PartialFailure(id, outcome.state, sentence);
}

async function letGo(context: Context, id: string, outputs: Properties): Promise<void> {
  if (outputs.existingServiceId === undefined) {
    throw new Complaint(
      `Deleting service ${id} (${nameOf(outputs)}): the API cannot delete services, so it would go on running and costing money, out of sight. Nothing was changed. ${LETTING_GO} remove it.`,
    );
  }
  context.say(
    `Service ${id} (${nameOf(outputs)}) goes on running and costing money: it was taken over, and the stack only forgets it.`,
  );
}

/** Brings about what the creation or the taking over has left. Whatever fails from here on, the service is in the stack. */
async function completed(
  context: Context,
  id: string,
  start: Properties,
  inputs: Properties,
  doing: string,
): Promise<Created> {
  const remote = remoteOf(context, id, inputs);
  const outcome = await synchronise(remote, start, inputs);
  if (outcome.error === undefined) return { id, outputs: outcome.state };
  const now = "The service is in the stack; the next `pulumi up` does the rest.";
  const sentence = `${doing} service ${id} (${nameOf(inputs)}): ${shortfall(remote, start, outcome, inputs)} ${now}`;
  throw new PartialFailure(id, outcome.state, sentence);
}

function remoteOf(context: Context, id: string, inputs: Properties): Remote {
  return {
    client: context.client(),
    definition,
    parameters: { organizationId: String(inputs.organizationId), serviceId: id },
    read: operations.getService,
    changes: { updateService: operations.updateService, scaleService: operations.scaleService },
  };
}

async function fetched(
  context: Context,
  serviceId: string,
  { organizationId }: Properties,
  doing: string,
): Promise<Properties> {
  try {
    const parameters = { organizationId: String(organizationId), serviceId };
    return (await context.client().call(operations.getService, parameters)) as Properties;
  } catch (error) {
    const start = `${doing} service ${serviceId} of organization ${organizationId}: ${said(error)}.`;
    throw new Complaint(paragraph(start, "Nothing was changed.", adviceFor(error)), { cause: error });
  }
}

function nameOf({ name }: Properties): string {
  return name === undefined ? "a service without a name" : JSON.stringify(name);
}
