import { canonicalId } from "pulumi-clouddb-facts";
import { applySettings } from "../../core/object/check";
import { parentFields, withId } from "../../core/object/ids";
import { read } from "../../core/object/read-object";
import type { Context, Found, ManagedObject, Resource } from "../../core/object/resource";
import { UserError, userError } from "../../core/object/user-error";
import { coded } from "../../errors";
import {
  DECLARED,
  type FieldPath,
  knownValue,
  type Properties,
  recordDeclared,
  uuid,
  withFieldValues,
  withValue,
} from "../../fields";
import { parseUrn, SECRETS, stateDeletion } from "../../names";
import { nameIn } from "./values";

/**
 * Reads a resource in the stack, or an imported or read-only object. Undefined if it does not
 * exist.
 */
export async function readResource(
  resource: Resource,
  context: Context,
  { id: importId, state }: ManagedObject,
  /** Undefined for an import. */
  inputs: Properties | undefined,
): Promise<({ readonly id: string } & Found) | undefined> {
  // For a read-only object, the program's arguments have the names of secret ones.
  const marked = withValue(state, [SECRETS], state[SECRETS] ?? inputs?.[SECRETS]);
  // Only a managed resource has a list of declared arguments in its state.
  if (state[DECLARED] !== undefined) {
    const current = await read(resource, context, { id: importId, state: marked });
    return current && { id: importId, ...current };
  }
  const typeName = nameIn(parseUrn(context.identity.urn).type);
  const { id, parents, part } = parseImportId(
    resource,
    typeName,
    importId,
    state,
    inputs === undefined,
  );
  // Without `existingServiceId`, the imported service does not count as adopted.
  const located = {
    ...marked,
    ...parents,
    ...(resource.create === undefined && withId(resource, id, {})),
  };
  const known = applySettings(resource, context, located);
  if (part !== undefined) {
    const found = await resource.lifecycle?.importing.read(
      { resource, context, id, location: known },
      part,
    );
    if (found === undefined) return undefined;
    assertImportable(resource, context, id, typeName, found.missing);
    return { id, state: found.state, inputs: found.inputs };
  }
  const current = await read(resource, context, { id, state: known });
  if (current === undefined) return undefined;
  // For a read-only object, the program's arguments are the inputs.
  if (inputs !== undefined) return { id, state: current.state, inputs };
  assertImportable(resource, context, id, typeName);
  return { id, ...asImported(resource, current) };
}

function assertImportable(
  resource: Resource,
  context: Context,
  id: string,
  typeName: string,
  missing = 0,
): void {
  const { owners, identity, log, warn } = context;
  const object = `${resource.title} ${id}`;
  if (missing > 0) {
    throw userError(
      "CDB4006",
      `Cannot import ${typeName}: the ${object} does not include`,
      `${missing} of the entries in the import ID.`,
      "Import what is there; declare the rest, and `pulumi up` adds it.",
      "Nothing was imported.",
    );
  }
  const conflict = owners.claimObject(identity.urn, resource, id);
  if (conflict !== undefined) throw new UserError(conflict);
  // Only the engine knows the stack's other resources.
  const reminder = coded(
    "CDB4008",
    "Pulumi does not check whether the stack already has what it imports.",
    "If `pulumi stack --show-ids` lists an ID twice, remove the new resource,",
    `such as this one: \`${stateDeletion(identity.urn)}\`.`,
  );
  if (owners.isFirst("import")) log(reminder);
  const unchecked = coded(
    "CDB4007",
    `The API cannot read ${object}: only the ID was imported; it could not be verified.`,
    "Declare what the program is to manage; the next `pulumi up` sends it.",
  );
  if (resource.read === undefined) warn(unchecked);
}

/**
 * Parses an import id: `serviceId/pipeId`, after the organization's unless the settings have that.
 * A program's read may omit ids that it passes as state. Only an import may name a part, as in
 * `serviceId/192.0.2.0/28,vpce-1`.
 */
export function parseImportId(
  resource: Resource,
  typeName: string,
  importId: string,
  state: Properties,
  isImport: boolean,
) {
  const isId = (text: string) => uuid().safeParse(text).success;
  const texts = importId.split("/");
  const isPart = isImport && resource.lifecycle !== undefined;
  // Networks contain slashes. The last text names an entry even if it is a UUID, since some private
  // endpoints have UUIDs.
  const end = texts.findIndex(
    (text, index) => index > 0 && (!isId(text) || index === texts.length - 1),
  );
  const parts = texts.slice(0, isPart ? end : undefined).map(canonicalId);
  const id = parts.pop() ?? "";
  const parents = parentFields(resource);
  const missing = parents.filter(({ name }) => state[name] === undefined);
  const required = missing.filter(({ field }) => field.setting === undefined);
  const named = [parents, missing, required].find(({ length }) => length === parts.length);
  if (named === undefined || ![id, ...parts].every(isId)) throw invalidImportId(resource, typeName);
  return {
    id,
    /** The ids of the object's parents. */
    parents: Object.fromEntries(named.map(({ name }, index) => [name, parts[index]])),
    /** The text that names an imported part. */
    part: isPart ? texts.slice(end).join("/") : undefined,
  };
}

function invalidImportId(resource: Resource, typeName: string): UserError {
  const { meaning } = resource.lifecycle?.importing ?? {};
  const parts = meaning === undefined ? "each part a UUID" : `each ID a UUID, and ${meaning}`;
  return userError(
    "CDB4006",
    `Cannot import ${typeName}: the import ID must be`,
    `${importForms(resource).join(" or ")}, ${parts}.`,
    "Nothing was imported.",
  );
}

/** The forms of an import ID, without and with the organization. */
export function importForms(resource: Resource): readonly string[] {
  const { create, id, lifecycle } = resource;
  const { form } = lifecycle?.importing ?? {};
  const end = [create === undefined ? id : "id", ...(form === undefined ? [] : [form])];
  const parents = parentFields(resource);
  const short = parents.filter(({ field }) => field.setting === undefined);
  const forms = [short, parents].map((ids) => [...ids.map(({ name }) => name), ...end].join("/"));
  return [...new Set(forms)];
}

/** An imported object, with all arguments that a program could declare. */
export function asImported(resource: Resource, current: Found): Found {
  const { state } = current;
  const inputs = withFieldValues(resource.fields, {}, (fieldPath) => {
    // For an unreadable object, a program can only declare lists without entries.
    if (resource.read === undefined && fieldPath.field.list?.unmanaged === "keep")
      return { value: [] };
    const value = knownValue(state, fieldPath, undefined);
    return isImported(fieldPath, value) ? { value } : undefined;
  });
  return { state: recordDeclared(resource, state, inputs), inputs };
}

/**
 * True for a value that an import declares: responses show it, the check accepts it, and it is not
 * empty.
 */
function isImported({ field }: FieldPath, value: unknown): boolean {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return false;
  const isShown = field.inResponse !== undefined && !field.secret && !field.deprecated;
  const isImportable = field.inPath === true || (isShown && field.list?.unmanaged !== "keep");
  return isImportable && field.schema.safeParse(value).success;
}
