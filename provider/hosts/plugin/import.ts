import type { Found } from "../../core/handlers";
import type { ResourceType } from "../../core/resource-type";
import { UserError } from "../../core/user-error";
import { message } from "../../errors";
import {
  type Definition,
  type FieldPath,
  fieldPathsOf,
  isImported,
  type Properties,
  recordDeclared,
  withValue,
} from "../../fields";
import { knownValue } from "../../fields/paths";

/** The id of an object, and the other ids that its requests need. */
interface ImportId {
  readonly id: string;
  readonly parents: Properties;
}

/**
 * Split an import id: `serviceId/pipeId`, preceded by the organization unless it is the one of the settings. Parts that
 * the program passes as state may be omitted.
 */
export function parseImportId(type: ResourceType, typeName: string, importId: string, state: Properties): ImportId {
  const parents = parentFields(type);
  const parts = importId.split("/");
  const id = parts.pop() ?? "";
  const missing = parents.filter(({ name }) => state[name] === undefined);
  const required = missing.filter(({ field }) => field.setting === undefined);
  const named = parts.length === parents.length ? parents : parts.length === missing.length ? missing : required;
  const isUuid = (text: string, { field }: FieldPath) => field.schema.safeParse(text).success;
  const ids = named.map((parent, index) => [parent, parts[index] ?? ""] as const);
  const isUsable = named.length === parts.length && ids.every(([parent, text]) => isUuid(text, parent));
  const [own] = ownFields(type);
  if (!isUsable || (own !== undefined && !isUuid(id, own))) {
    throw new UserError(message("CDB4006.id", { type: typeName, forms: describeForms(type, parents) }));
  }
  return {
    id: id.toLowerCase(),
    parents: Object.fromEntries(ids.map(([{ name }, text]) => [name, text.toLowerCase()])),
  };
}

/** An object of which no program has declared anything yet, with all that a program could declare about it. */
export function asImported({ definition, read }: ResourceType, current: Found): Found {
  const { state } = current;
  let inputs: Properties = {};
  for (const fieldPath of fieldPathsOf(definition.fields)) {
    const value = knownValue(state, fieldPath, undefined);
    if (isImported(fieldPath, value)) inputs = withValue(inputs, fieldPath.path, value);
  }
  // Of what cannot be read, a program can only declare that it has no entries of its own yet.
  for (const { field, path } of read === undefined ? fieldPathsOf(definition.fields) : []) {
    if (field.list?.unmanaged === "keep") inputs = withValue(inputs, path, []);
  }
  return { state: recordDeclared(definition, state, inputs), inputs };
}

/** The arguments that are ids in the paths of requests, without the one of the object itself. */
function parentFields(type: ResourceType): FieldPath[] {
  const own = ownFields(type);
  return pathFields(type.definition).filter((fieldPath) => !own.includes(fieldPath));
}

/** The argument that follows from the id. */
export function ownFields(type: ResourceType): FieldPath[] {
  const known = type.withId("id", {});
  return pathFields(type.definition).filter(({ name }) => known[name] !== undefined);
}

function pathFields({ fields }: Definition): FieldPath[] {
  return fieldPathsOf(fields).filter(({ field }) => field.operations.includes("path"));
}

function describeForms(type: ResourceType, parents: readonly FieldPath[]): string {
  const id = type.definition.adoptionArgument === undefined ? (ownFields(type)[0]?.name ?? "id") : "id";
  const short = parents.filter(({ field }) => field.setting === undefined);
  const forms = [short, parents].map((form) => [...form.map(({ name }) => name), id].join("/"));
  return [...new Set(forms)].join(" or ");
}
