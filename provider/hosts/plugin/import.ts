import { ownField, parentFields, withId } from "../../core/ids";
import { type Found, read } from "../../core/lifecycle";
import { applySettings } from "../../core/plan";
import type { Context, Resource } from "../../core/resource";
import { UserError } from "../../core/user-error";
import { coded } from "../../errors";
import {
  DECLARED,
  entriesOf,
  type FieldPath,
  fieldPathsOf,
  hasSharedLists,
  knownValue,
  type Properties,
  recordDeclared,
  sharedFields,
  valueAt,
  withoutKeys,
  withValue,
} from "../../fields";
import { parseUrn, SECRETS, stateDeletion } from "../../names";
import { nameIn } from "./values";

/**
 * Reads a resource of the stack, or an object that is imported or only read. Returns undefined if it does not exist.
 */
export async function readResource(
  resource: Resource,
  context: Context,
  importId: string,
  stored: Properties,
  /** An import comes without arguments. */
  args: Properties | undefined,
): Promise<({ readonly id: string } & Found) | undefined> {
  // A managed resource has a list of declared arguments; one that is imported or only read has none.
  if (stored[DECLARED] !== undefined) {
    const current = await read(resource, context, importId, withMarks(stored, stored, args));
    return current && { id: importId, ...current };
  }
  const typeName = nameIn(parseUrn(context.identity.urn).type) ?? "";
  const { id, parents, entries } = parseImportId(resource, typeName, importId, stored, args === undefined);
  if (args === undefined && hasSharedLists(resource) && !entries) throw invalidImportId(resource, typeName);
  // With the argument by which a program adopts an object, an imported object would count as adopted.
  const located = { ...stored, ...parents, ...(resource.create === undefined && withId(resource, id, {})) };
  // The read finds the entries that an import names as if this stack had added them.
  const named = entries ? recordDeclared(resource, { ...located, ...entries }, entries) : located;
  const known = applySettings(resource, context, named);
  // The journal knows nothing about it.
  const elsewhere = { ...context, identity: { urn: "", backend: "" } };
  const current = await read(resource, elsewhere, id, withMarks(known, stored, args));
  if (current === undefined) return undefined;
  // A program that only reads it declares its own arguments alone.
  if (args !== undefined) return { id, state: current.state, inputs: args };
  assertImportable(resource, context, id, typeName, countMissing(resource, current.state, entries ?? {}));
  return { id, ...asImported(resource, current) };
}

/** The state with the names of secret arguments. A program that only reads the object marks them in its arguments. */
function withMarks(state: Properties, stored: Properties, args: Properties | undefined): Properties {
  return withValue(state, [SECRETS], stored[SECRETS] ?? args?.[SECRETS]);
}

function assertImportable(resource: Resource, context: Context, id: string, typeName: string, missing: number): void {
  const { owners, identity, log, warn } = context;
  const object = `${resource.title} ${id}`;
  if (missing > 0) {
    const text = `Cannot import ${typeName}: the ${object} does not include ${missing} of the entries in the import ID. Import what is there; declare the rest, and \`pulumi up\` adds it. Nothing was imported.`;
    throw new UserError(coded("CDB4006", text));
  }
  const conflict = owners.claimObject(identity.urn, resource, id);
  if (conflict !== undefined) throw new UserError(conflict);
  // Only the engine knows the other resources of the stack, and it sends no request about them.
  const reminder = `Pulumi does not check whether the stack already has what it imports. If \`pulumi stack --show-ids\` lists an ID twice, remove the new resource, such as this one: \`${stateDeletion(identity.urn)}\`.`;
  if (owners.isFirstImport()) log(coded("CDB4008", reminder));
  const unchecked = `The API cannot read ${object}: only the ID was imported; it could not be verified. Declare what the program is to manage; the next \`pulumi up\` sends it.`;
  if (resource.read === undefined) warn(coded("CDB4007", unchecked));
}

/** The id of an object, and the other ids that its requests need. */
interface ImportId {
  readonly id: string;
  readonly parents: Properties;
  /** The entries of shared lists that become the resource's own. */
  readonly entries?: Properties;
}

/**
 * Split an import id: `serviceId/pipeId`, preceded by the organization unless it is the one of the settings. Parts that
 * the program passes as state may be omitted. Only an import names entries.
 */
export function parseImportId(
  resource: Resource,
  typeName: string,
  importId: string,
  state: Properties,
  isImport: boolean,
): ImportId {
  const parents = parentFields(resource);
  const all = importId.split("/");
  const { ids: parts, entries } = isImport && hasSharedLists(resource) ? splitEntries(resource, all) : { ids: all };
  const id = parts.pop() ?? "";
  const missing = parents.filter(({ name }) => state[name] === undefined);
  const required = missing.filter(({ field }) => field.setting === undefined);
  const named = parts.length === parents.length ? parents : parts.length === missing.length ? missing : required;
  const isUuid = (text: string, { field }: FieldPath) => field.schema.safeParse(text).success;
  const pairs = named.map((parent, index) => [parent, parts[index] ?? ""] as const);
  const isUsable = named.length === parts.length && pairs.every(([parent, text]) => isUuid(text, parent));
  if (!isUsable || !isUuid(id, ownField(resource))) {
    throw invalidImportId(resource, typeName);
  }
  return {
    id: id.toLowerCase(),
    parents: Object.fromEntries(pairs.map(([{ name }, text]) => [name, text.toLowerCase()])),
    ...(entries && { entries }),
  };
}

function invalidImportId(resource: Resource, typeName: string): UserError {
  const form = `Cannot import ${typeName}: the import ID must be ${describeForms(resource, parentFields(resource))}`;
  const parts = hasSharedLists(resource)
    ? "each ID a UUID, and ENTRIES the networks and private endpoint IDs that this stack has added, separated by commas"
    : "each part a UUID";
  return new UserError(coded("CDB4006", `${form}, ${parts}. Nothing was imported.`));
}

/** The ids, and the entries behind them: `serviceId/192.0.2.0/28,vpce-1`. A network has a slash itself. */
function splitEntries(resource: Resource, parts: readonly string[]): { ids: string[]; entries?: Properties } {
  const { field } = ownField(resource);
  const isId = (part: string) => field.schema.safeParse(part).success;
  // The last part is an entry, even if it is a UUID: some clouds name private endpoints so.
  const start = parts.findIndex((part, index) => index > 0 && (!isId(part) || index === parts.length - 1));
  if (start < 0) return { ids: [...parts] };
  let entries: Properties = {};
  for (const text of parts.slice(start).join("/").split(",")) {
    for (const { fieldPath, rules } of sharedFields(resource)) {
      const entry = rules.fromImportId?.(text.trim());
      if (entry === undefined) continue;
      entries = withValue(entries, fieldPath.path, [...entriesOf(valueAt(entries, fieldPath.path)), entry]);
      break;
    }
  }
  return { ids: parts.slice(0, start), entries };
}

/** The number of named entries that the object does not have. */
function countMissing(resource: Resource, state: Properties, entries: Properties): number {
  const missing = sharedFields(resource).flatMap(({ fieldPath: { path }, rules }) =>
    withoutKeys(rules, entriesOf(valueAt(entries, path)), entriesOf(valueAt(state, path))),
  );
  return missing.length;
}

/** An object of which no program has declared anything yet, with all that a program could declare about it. */
export function asImported(resource: Resource, current: Found): Found {
  const { state } = current;
  let inputs: Properties = {};
  for (const fieldPath of fieldPathsOf(resource.fields)) {
    const value = knownValue(state, fieldPath, undefined);
    const isOwn = fieldPath.field.list?.sharedAs !== undefined && entriesOf(value).length > 0;
    if (isOwn || isImported(fieldPath, value)) inputs = withValue(inputs, fieldPath.path, value);
  }
  // Of an object that cannot be read, a program can only declare empty lists of its own entries.
  for (const { field, path } of resource.read === undefined ? fieldPathsOf(resource.fields) : []) {
    if (field.list?.unmanaged === "keep") inputs = withValue(inputs, path, []);
  }
  return { state: recordDeclared(resource, state, inputs), inputs };
}

/** True for a value that an import declares: one that responses show and check allows, neither absent nor empty. */
function isImported({ field }: FieldPath, value: unknown): boolean {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return false;
  const isShown = field.inResponse !== undefined && !field.secret && !field.deprecated;
  const isImportable = field.operations.includes("path") || (isShown && field.list?.unmanaged !== "keep");
  return isImportable && field.schema.safeParse(value).success;
}

function describeForms(resource: Resource, parents: readonly FieldPath[]): string {
  const id = resource.create === undefined ? resource.id : "id";
  const short = parents.filter(({ field }) => field.setting === undefined);
  const end = hasSharedLists(resource) ? [id, "ENTRIES"] : [id];
  const forms = [short, parents].map((form) => [...form.map(({ name }) => name), ...end].join("/"));
  return [...new Set(forms)].join(" or ");
}
