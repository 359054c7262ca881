import { fieldPathsOf, isImportable, isImported, isRecord, type Properties, valueAt, withValue } from "../fields";
import { asArgument, attributeOf, COUNTERPARTS, IGNORED, inSnakeCase, PARTS_OF_SERVICES, PASSWORDS } from "./names";
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
  const names = namesOf(objects.filter(isConvertible));
  const serviceOf = ({ attributes: { service_id: id } }: StateObject): string | undefined => {
    const service = objects.find((object) => isService(object) && object.attributes.id === id);
    return service && names.get(service);
  };
  const resources: ConvertedResource[] = [];
  const outcomes = objects.map((object): Outcome => {
    const { address, type, attributes, alias } = object;
    const [name, service, counterpart] = [names.get(object), serviceOf(object), COUNTERPARTS[type]];
    if (name === undefined || counterpart === undefined) return { address, result: describeOther(object, service) };
    const { className } = counterpart;
    const parts = objects.filter((part) => part.type in PARTS_OF_SERVICES && serviceOf(part) === name);
    const { properties, omitted } = argumentsOf({ ...object, attributes: withParts(attributes, parts) });
    if (service !== undefined) properties.serviceId = new Reference(service);
    const importId = [attributes.service_id, attributes.id].filter(Boolean).join("/");
    resources.push({ name, className, importId, properties });
    return { address, result: `${className} ${name}${alias ? `, managed with the provider ${alias}` : ""}`, omitted };
  });
  return { resources, outcomes };
}

function isConvertible({ type, attributes, isDeposed }: StateObject): boolean {
  return type in COUNTERPARTS && typeof attributes.id === "string" && !isDeposed;
}

/** A name for each resource: resources of all types share their names in a program. */
function namesOf(objects: readonly StateObject[]): ReadonlyMap<StateObject, string> {
  const names = new Map<StateObject, string>();
  for (const object of objects) {
    const { label } = object;
    const longer = `${label}-${COUNTERPARTS[object.type]?.className.toLowerCase()}`;
    const taken = [...names.values()];
    const candidates = [label, longer, ...taken.map((_, index) => `${longer}-${index + 2}`)];
    names.set(object, candidates.find((name) => !taken.includes(name)) ?? longer);
  }
  return names;
}

/** The result for what is no resource of its own here. */
function describeOther({ type, isDeposed }: StateObject, service: string | undefined): string {
  if (isDeposed) return "skipped: Terraform has replaced this object, and has not deleted it yet";
  if (type in COUNTERPARTS) return "skipped: it has no ID, so Terraform has not finished creating it";
  const part = PARTS_OF_SERVICES[type];
  if (part !== undefined)
    return service ? `${part.argument} of Service ${service}` : "skipped: its service is not in this state";
  if (type === "clickhouse_private_endpoint_registration") {
    return "skipped: the API cannot read organizations. Add it to privateEndpoints of an Organization";
  }
  return "skipped: no resource of this provider manages it. It stays as it is";
}

function withParts(attributes: Properties, parts: readonly StateObject[]): Properties {
  const values = parts.map(({ type, attributes }) => {
    const { argument, attribute } = PARTS_OF_SERVICES[type] ?? { argument: "", attribute: "" };
    return [inSnakeCase(argument), attributes[attribute]];
  });
  return { ...attributes, ...Object.fromEntries(values) };
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

/** True for what an attribute has that nobody has set. */
const isEmpty = (value: unknown) => leavesOf(value, "value").length === 0;

/** The places of all values in an attribute that somebody may have set; a list is one value. */
function leavesOf(value: unknown, place = ""): string[] {
  if (value === undefined || value === null || value === false || value === "") return [];
  if (Array.isArray(value)) return value.length === 0 ? [] : [place];
  if (!isRecord(value)) return [place];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, place ? `${place}.${name}` : name));
}
