import { isRecord, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";
import { secretPlaces } from "./run-memory";

/** Stands in messages for a value that the program marks as secret. */
export const SECRET = "[secret]";

/** Records the secrets of a resource, from properties as the engine sends them: the SDK passes their plain values. */
export function recordSecrets(urn: string, properties: object): void {
  const places = placesIn(properties, "");
  if (places.length > 0) secretPlaces.set(urn, new Set([...(secretPlaces.get(urn) ?? []), ...places]));
}

/** True if the program marks something at, in or around a place such as `source.kafka.iamRole` as secret. */
export function isSecretAt(urn: string, place: string): boolean {
  const isWithin = (inner: string, outer: string) => `${inner}.`.startsWith(`${outer}.`);
  return [...(secretPlaces.get(urn) ?? [])].some((secret) => isWithin(secret, place) || isWithin(place, secret));
}

/** The plain values, as the SDK passes them. */
export function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isRecord(value)) return value;
  if (value[SIGNATURE] === SECRET_MARK) return withoutMarks(value.value);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutMarks(inner)]));
}

/** A list is one place. */
function placesIn(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.some((entry) => placesIn(entry, place).length > 0) ? [place] : [];
  if (!isRecord(value)) return [];
  if (value[SIGNATURE] === SECRET_MARK) return [place];
  return Object.entries(value).flatMap(([name, inner]) => placesIn(inner, place === "" ? name : `${place}.${name}`));
}
