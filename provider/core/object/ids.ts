import { canonicalId, createRedactor } from "pulumi-clouddb-facts";
import { endpoints, type PathParameters } from "../../api/endpoints";
import {
  type Definition,
  describeMissing,
  type Field,
  type FieldPath,
  fieldPathsOf,
  type Problem,
  type Properties,
  uuid,
} from "../../fields";
import type { Context, DeclaredTarget, Resource } from "./resource";
import { UserError, userError } from "./user-error";

/** A required id in a request's path. */
export const idField = (description: string) =>
  ({
    schema: uuid(),
    description,
    required: true,
    form: "id",
    onChange: "replace",
    sentWith: [],
    inPath: true,
  }) as const satisfies Field;

/** The id of the organization in a request's path. Every resource has this argument. */
export const organizationField = (description: string) =>
  ({ ...idField(description), setting: "organizationId" }) as const satisfies Field;

/** An ID for a request's path. Invalid IDs are neither sent nor echoed. */
export function idIn(name: string, value: unknown, setting?: string): string {
  if (value === undefined || value === null || value === "")
    throw new UserError(describeMissing(name, setting));
  const { success, data, error } = uuid().safeParse(value);
  if (success) return data;
  throw userError("CDB1003", `${name} is invalid: ${error.issues[0]?.message}.`);
}

export function declaredId(resource: Resource, inputs: Properties): string {
  const { name, field } = ownField(resource);
  return idIn(name, inputs[name], field.setting);
}

export function pathParameters(
  resource: Resource,
  id: string,
  properties: Properties,
): PathParameters {
  const { read = resource.updates[0] } = resource;
  const parents = parentFields(resource).map(({ name, field }) => [
    name,
    idIn(name, properties[name], field.setting),
  ]);
  return { ...Object.fromEntries(parents), [(read && endpoints[read].idParameter) ?? ""]: id };
}

export function declaredTarget(
  resource: Resource,
  context: Context,
  id: string,
  inputs: Properties,
): DeclaredTarget {
  return { resource, context, id, location: inputs, inputs };
}

/** The argument whose value is the object's id. */
export function ownField(resource: Resource): FieldPath {
  return pathFields(resource).find(({ name }) => name === resource.id) as FieldPath;
}

/** The ids in an object's request paths, except its own id. */
export function parentFields(resource: Resource): FieldPath[] {
  return pathFields(resource).filter(({ name }) => name !== resource.id);
}

/** The arguments that locate an object. The organization comes last. */
export function locatorsOf(resource: Resource): string[] {
  return pathFields(resource)
    .map(({ name }) => name)
    .reverse();
}

function pathFields({ fields }: Definition): FieldPath[] {
  return fieldPathsOf(fields).filter(({ field }) => field.inPath);
}

/** The state with the organization for a read, even if no check added it. null counts as absent. */
export function withOrganization({ settings }: Context, state: Properties): Properties {
  return { ...state, organizationId: state.organizationId ?? settings().settings.organizationId };
}

/** True if the organization is missing from both program and settings. */
export function isMissingOrganization({ argument }: Problem, inputs: Properties): boolean {
  return argument === "organizationId" && inputs.organizationId === undefined;
}

export function withId(resource: Resource, id: string, state: Properties): Properties {
  return { ...state, [resource.id]: id };
}

/** True if the stack created this object instead of adopting it. */
export function isCreated({ create, id }: Resource, state: Properties): boolean {
  return create !== undefined && state[id] === undefined;
}

/** The text arguments, unchanged and in lower case, since requests carry ids in lower case. */
export function idsIn(args: object): string[] {
  const ids = Object.values(args).filter((value): value is string => typeof value === "string");
  return ids.flatMap((id) => [id, canonicalId(id)]);
}

export function withoutIds(text: string, ids: readonly string[]): string {
  const redactor = createRedactor();
  redactor.addSecrets(idsIn(ids));
  return redactor.redact(text);
}
