import {
  type Field,
  fieldPathsOf,
  isImportable,
  isImported,
  isRecord,
  type Properties,
  valueAt,
  withValue,
} from "../fields";
import { inSnakeCase } from "../names";
import { asArgument, attributeOf, COUNTERPARTS, IGNORED, PARTS_OF_SERVICES, PASSWORDS } from "./names";
import type { StateObject } from "./state";

/*
 * Resources made from the objects of a Terraform state, and all that is left out. Only values of arguments that an
 * import declares are copied, so no secret of the state gets any further.
 */

export interface ConvertedResource {
  readonly name: string;
  readonly className: string;
  readonly importId: string;
  readonly properties: Properties;
}

/** The result for one object of the state. */
export interface Outcome {
  readonly address: string;
  readonly result: string;
  readonly omitted?: Omitted;
}

/** Attributes that are not in the program, by reason. */
export type Omitted = Readonly<Record<"secret" | "undeclared" | "refused" | "unmanaged", readonly string[]>>;

export interface Conversion {
  readonly resources: readonly ConvertedResource[];
  readonly outcomes: readonly Outcome[];
}

/** The ID of another resource of the program. */
export class Reference {
  constructor(readonly name: string) {}
}

/** Convert services first, so that their names stay as they are. */
export function convert(state: readonly StateObject[]): Conversion {
  const isService = ({ type }: StateObject) => type === "clickhouse_service";
  const objects = [...state.filter(isService), ...state.filter((object) => !isService(object))];
  const originals = new Map<string, StateObject>();
  for (const object of objects) {
    const id = importIdOf(object);
    if (object.type in COUNTERPARTS && !problemOf(object) && !originals.has(id)) originals.set(id, object);
  }
  const names = namesOf([...originals.values()]);
  const serviceOf = ({ attributes: { service_id: id } }: StateObject): string | undefined => {
    const service = [...originals.values()].find((object) => isService(object) && object.attributes.id === id);
    return service && names.get(service);
  };
  const partsOf = (service: string) =>
    objects.filter((part) => part.type in PARTS_OF_SERVICES && !part.isDeposed && serviceOf(part) === service);
  /** The result for an object that does not become a resource. */
  const describeOther = (object: StateObject, service: string | undefined): string => {
    const problem = problemOf(object);
    if (problem !== undefined) return `skipped: ${problem}`;
    if (object.type in COUNTERPARTS) return `skipped: the same object as ${originals.get(importIdOf(object))?.address}`;
    const part = PARTS_OF_SERVICES[object.type];
    if (part === undefined) return "skipped: no resource of this provider manages it. It stays as it is";
    if (service === undefined) return "skipped: its service is not in this state";
    const similar = partsOf(service).filter(({ type }) => type === object.type);
    const hidden = similar.find(hasSecretValue);
    if (hidden) return `skipped: ${part.attribute} of ${hidden.address} is secret, not written`;
    const [first = object] = similar;
    const isList = Array.isArray(object.attributes[part.attribute]);
    if (first !== object && !isList) return `skipped: the service has the ${part.attribute} of ${first.address}`;
    return `${part.argument} of Service ${service}`;
  };
  const resources: ConvertedResource[] = [];
  const outcomes = objects.map((object): Outcome => {
    const { address, type, alias } = object;
    const [name, service, counterpart] = [names.get(object), serviceOf(object), COUNTERPARTS[type]];
    if (name === undefined || counterpart === undefined) return { address, result: describeOther(object, service) };
    const { className } = counterpart;
    const { properties, omitted } = argumentsOf(isService(object) ? withParts(object, partsOf(name)) : object);
    if (service !== undefined) properties.serviceId = new Reference(service);
    resources.push({ name, className, importId: importIdOf(object), properties });
    return { address, result: `${className} ${name}${alias ? `, managed with the provider ${alias}` : ""}`, omitted };
  });
  return { resources, outcomes };
}

function importIdOf({ attributes: { service_id: service, id } }: StateObject): string {
  return [service, id].filter(Boolean).join("/").toLowerCase();
}

/** The reason why an object can be neither a resource nor a part of one. */
function problemOf({ type, attributes, sensitive, isLegacy, isDeposed }: StateObject): string | undefined {
  if (isDeposed) return "Terraform has replaced this object, and has not deleted it yet";
  if (type === "clickhouse_private_endpoint_registration") {
    return "the API cannot read organizations. Add it to privateEndpoints of an Organization";
  }
  const ids = idsOf(type);
  const secret = ids.find(({ name }) => sensitive.includes(name));
  if (secret) return `its ${secret.name} is secret, not written`;
  if (isLegacy && ids.length > 0) {
    return "its attributes have the format of Terraform 0.11. Run `terraform apply -refresh-only`, and convert again";
  }
  if (type in COUNTERPARTS && !attributes.id) return "it has no ID, so Terraform has not finished creating it";
  // Without a valid ID, the program would create a service.
  for (const { name, schema } of ids) {
    const issue = schema?.safeParse(attributes[name]).error?.issues[0];
    if (issue) return `its ${name} ${issue.message}`;
  }
  return undefined;
}

/** The attributes with the IDs of an object and of its service. */
function idsOf(type: string): { readonly name: string; readonly schema?: Field["schema"] }[] {
  const counterpart = COUNTERPARTS[type];
  if (counterpart === undefined) return type in PARTS_OF_SERVICES ? [{ name: "service_id" }] : [];
  return fieldPathsOf(counterpart.definition.fields)
    .filter(({ field }) => field.operations.includes("path") && field.setting === undefined)
    .map((fieldPath) => ({ name: attributeOf(counterpart, fieldPath).join("."), schema: fieldPath.field.schema }));
}

/** A name for each resource: resources of all types share their names in a program, and `pulumi` is reserved in YAML. */
function namesOf(objects: readonly StateObject[]): ReadonlyMap<StateObject, string> {
  const names = new Map<StateObject, string>();
  for (const object of objects) {
    const { label } = object;
    const longer = `${label}-${COUNTERPARTS[object.type]?.className.toLowerCase()}`;
    const taken = ["pulumi", ...names.values()];
    const candidates = [label, longer, ...taken.map((_, index) => `${longer}-${index + 2}`)];
    names.set(object, candidates.find((name) => !taken.includes(name)) ?? longer);
  }
  return names;
}

const hasSecretValue = ({ type, sensitive }: StateObject) =>
  sensitive.includes(PARTS_OF_SERVICES[type]?.attribute ?? "");

/** A service with the values of its parts. Do not declare a part of a list: an update would remove the other entries. */
function withParts(service: StateObject, parts: readonly StateObject[]): StateObject {
  let attributes = service.attributes;
  for (const { type, attributes: own } of parts) {
    const { argument, attribute } = PARTS_OF_SERVICES[type] ?? { argument: "", attribute: "" };
    const name = inSnakeCase(argument);
    const [earlier, value] = [attributes[name], own[attribute]];
    const isList = Array.isArray(earlier) && Array.isArray(value);
    attributes = { ...attributes, [name]: isList ? [...new Set([...earlier, ...value])] : (earlier ?? value) };
  }
  const hidden = parts.filter(hasSecretValue).map(({ type }) => inSnakeCase(PARTS_OF_SERVICES[type]?.argument ?? ""));
  for (const name of hidden) attributes = withValue(attributes, [name], undefined);
  return { ...service, attributes };
}

function argumentsOf({ type, attributes, sensitive }: StateObject): { properties: Properties; omitted: Omitted } {
  const counterpart = COUNTERPARTS[type] as (typeof COUNTERPARTS)[string];
  const { fields, outputs } = counterpart.definition;
  let properties: Properties = {};
  const secret = [...sensitive];
  const undeclared: string[] = [];
  const refused: string[] = [];
  const places: string[] = [];
  for (const fieldPath of fieldPathsOf(fields)) {
    const path = attributeOf(counterpart, fieldPath);
    const place = path.join(".");
    const value = asArgument(fieldPath.field.schema, valueAt(attributes, path));
    places.push(place);
    if (isImported(fieldPath, value)) properties = withValue(properties, fieldPath.path, value);
    else if (isEmpty(value) || fieldPath.field.deprecated) continue;
    else if (fieldPath.field.secret) secret.push(place);
    else (isImportable(fieldPath) ? refused : undeclared).push(place);
  }
  const known = [...places, ...Object.keys(outputs).map(inSnakeCase), ...IGNORED, ...PASSWORDS];
  const isKnown = (place: string) => known.some((other) => place === other || place.startsWith(`${other}.`));
  secret.push(...PASSWORDS.filter((name) => !isEmpty(attributes[name])));
  const unmanaged = leavesOf(attributes).filter((place) => !isKnown(place));
  const outermost = secret.filter((place) => !secret.some((other) => place.startsWith(`${other}.`)));
  return { properties, omitted: { secret: [...new Set(outermost)].sort(), undeclared, refused, unmanaged } };
}

/** True for an unset value. */
const isEmpty = (value: unknown) => leavesOf(value, "value").length === 0;

/** The places of all values in an attribute that somebody may have set; a list is one value. */
function leavesOf(value: unknown, place = ""): string[] {
  if (value === undefined || value === null || value === false || value === "") return [];
  if (Array.isArray(value)) return value.length === 0 ? [] : [place];
  if (!isRecord(value)) return [place];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, place ? `${place}.${name}` : name));
}
