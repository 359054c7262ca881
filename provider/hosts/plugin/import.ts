import type { Found } from "../../core/handlers";
import type { ResourceType } from "../../core/resource-type";
import { UserError } from "../../core/user-error";
import { coded } from "../../errors";
import {
  type FieldPath,
  fieldPathsOf,
  type Properties,
  recordDeclared,
  sharedFields,
  valueAt,
  withValue,
} from "../../fields";
import { entriesOf, withoutKeys } from "../../fields/list";
import { knownValue } from "../../fields/paths";
import { ownFields, pathFields } from "../owners";

/** The id of an object, and the other ids that its requests need. */
export interface ImportId {
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
  type: ResourceType,
  typeName: string,
  importId: string,
  state: Properties,
  isImport: boolean,
): ImportId {
  const parents = parentFields(type);
  const all = importId.split("/");
  const { ids: parts, entries }: SplitId = isImport && isShared(type) ? splitEntries(type, all) : { ids: all };
  const id = parts.pop() ?? "";
  const missing = parents.filter(({ name }) => state[name] === undefined);
  const required = missing.filter(({ field }) => field.setting === undefined);
  const named = parts.length === parents.length ? parents : parts.length === missing.length ? missing : required;
  const isUuid = (text: string, { field }: FieldPath) => field.schema.safeParse(text).success;
  const pairs = named.map((parent, index) => [parent, parts[index] ?? ""] as const);
  const isUsable = named.length === parts.length && pairs.every(([parent, text]) => isUuid(text, parent));
  const [own] = ownFields(type);
  if (!isUsable || (own !== undefined && !isUuid(id, own))) {
    throw invalidImportId(type, typeName);
  }
  return {
    id: id.toLowerCase(),
    parents: Object.fromEntries(pairs.map(([{ name }, text]) => [name, text.toLowerCase()])),
    ...(entries && { entries }),
  };
}

export function invalidImportId(type: ResourceType, typeName: string): UserError {
  const form = `Cannot import ${typeName}: the import ID must be ${describeForms(type, parentFields(type))}`;
  return new UserError(
    coded(
      "CDB4006",
      isShared(type)
        ? `${form}, each ID a UUID, and ENTRIES the networks and private endpoint IDs that this stack has added, separated by commas. Nothing was imported.`
        : `${form}, each part a UUID. Nothing was imported.`,
    ),
  );
}

function isShared({ definition }: ResourceType): boolean {
  return sharedFields(definition).length > 0;
}

interface SplitId {
  readonly ids: string[];
  readonly entries?: Properties;
}

/** The ids, and the entries behind them: `serviceId/192.0.2.0/28,vpce-1`. A network has a slash itself. */
function splitEntries(type: ResourceType, parts: readonly string[]): SplitId {
  const [own] = ownFields(type);
  const isId = (part: string) => own?.field.schema.safeParse(part).success === true;
  // The last part is an entry, even if it is a UUID: some clouds name private endpoints so.
  const start = parts.findIndex((part, index) => index > 0 && (!isId(part) || index === parts.length - 1));
  if (start < 0) return { ids: [...parts] };
  let entries: Properties = {};
  for (const text of parts.slice(start).join("/").split(",")) {
    for (const { fieldPath, rules } of sharedFields(type.definition)) {
      const entry = rules.fromImportId?.(text.trim());
      if (entry === undefined) continue;
      entries = withValue(entries, fieldPath.path, [...entriesOf(valueAt(entries, fieldPath.path)), entry]);
      break;
    }
  }
  return { ids: parts.slice(0, start), entries };
}

/** The state from which a read finds the entries that an import names, as if this stack had added them. */
export function withImportedEntries({ definition }: ResourceType, state: Properties, entries: Properties): Properties {
  return recordDeclared(definition, { ...state, ...entries }, entries);
}

/** The number of named entries that the object does not have. */
export function countMissing({ definition }: ResourceType, state: Properties, entries: Properties): number {
  const missing = sharedFields(definition).flatMap(({ fieldPath: { path }, rules }) =>
    withoutKeys(rules, entriesOf(valueAt(entries, path)), entriesOf(valueAt(state, path))),
  );
  return missing.length;
}

/** An object of which no program has declared anything yet, with all that a program could declare about it. */
export function asImported({ definition, read }: ResourceType, current: Found): Found {
  const { state } = current;
  let inputs: Properties = {};
  for (const fieldPath of fieldPathsOf(definition.fields)) {
    const value = knownValue(state, fieldPath, undefined);
    const isOwn = fieldPath.field.list?.sharedAs !== undefined && entriesOf(value).length > 0;
    if (isOwn || isImported(fieldPath, value)) inputs = withValue(inputs, fieldPath.path, value);
  }
  // Of what cannot be read, a program can only declare that it has no entries of its own yet.
  for (const { field, path } of read === undefined ? fieldPathsOf(definition.fields) : []) {
    if (field.list?.unmanaged === "keep") inputs = withValue(inputs, path, []);
  }
  return { state: recordDeclared(definition, state, inputs), inputs };
}

/** True for a value that an import declares: one that responses show and check allows, neither absent nor empty. */
function isImported({ field }: FieldPath, value: unknown): boolean {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return false;
  const isShown = field.inResponse !== undefined && !field.secret && !field.deprecated;
  const isImportable = field.operations.includes("path") || (isShown && field.list?.unmanaged !== "keep");
  return isImportable && field.schema.safeParse(value).success;
}

/** The arguments that are ids in the paths of requests, without the one of the object itself. */
function parentFields(type: ResourceType): FieldPath[] {
  const own = ownFields(type);
  return pathFields(type.definition).filter((fieldPath) => !own.includes(fieldPath));
}

function describeForms(type: ResourceType, parents: readonly FieldPath[]): string {
  const id = type.definition.adoptionArgument === undefined ? (ownFields(type)[0]?.name ?? "id") : "id";
  const short = parents.filter(({ field }) => field.setting === undefined);
  const end = isShared(type) ? [id, "ENTRIES"] : [id];
  const forms = [short, parents].map((form) => [...form.map(({ name }) => name), ...end].join("/"));
  return [...new Set(forms)].join(" or ");
}
