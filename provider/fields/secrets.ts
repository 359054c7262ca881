import { SECRETS } from "../names";
import { DECLARED } from "./declared";
import { asSecret, isRecord, UNKNOWN } from "./engine-values";
import type { Definition, Properties, ReadonlyProperties } from "./field";
import { OTHERS } from "./others";
import { type FieldPath, fieldPathsOf, valueAt, withValue } from "./paths";

type Place = readonly string[];

/** The places of secret arguments. */
export function secretPaths(definition: Definition): Place[] {
  return fieldPathsOf(definition.fields)
    .filter(({ field }) => field.secret)
    .map(({ path }) => path);
}

/** The places of everything secret, arguments and outputs. */
function allSecretPaths(definition: Definition): Place[] {
  const outputs = Object.entries(definition.outputs).filter(([, { secret }]) => secret);
  return [...secretPaths(definition), ...outputs.map(([name]) => [name])];
}

/** The names of properties that are secrets themselves. What is secret inside of one is marked where it stands. */
export function secretNames(definition: Definition): string[] {
  return allSecretPaths(definition)
    .filter((path) => path.length === 1)
    .map(([name = ""]) => name);
}

/** Every secret text among these properties, by the tables or because the program marks it. */
export function secretTexts(definition: Definition, properties: ReadonlyProperties): string[] {
  const places = [...allSecretPaths(definition), ...markedPaths(definition, properties)];
  return places.flatMap((path) => leavesIn(valueAt(properties, path)).map(String));
}

/**
 * The names of the declared arguments at, in or around which the program has marked something as secret: `places` are
 * such as `source`, `source.kafka.iamRole` or `ipAccessList[1].description`. Secrets of the tables need no such mark.
 */
export function markedArguments(
  definition: Definition,
  inputs: ReadonlyProperties,
  places: unknown,
): string[] | undefined {
  const marked = (Array.isArray(places) ? places : []).map((place) => String(place).replace(/\[.*$/, ""));
  const isWithin = (inner: string, outer: string) => `${inner}.`.startsWith(`${outer}.`);
  const names = fieldPathsOf(definition.fields)
    .filter(({ path, field }) => !field.secret && valueAt(inputs, path) !== undefined)
    .filter(({ name }) => marked.some((place) => isWithin(name, place) || isWithin(place, name)))
    .map(({ name }) => name);
  return names.length > 0 ? names : undefined;
}

function markedFields(definition: Definition, properties: ReadonlyProperties): FieldPath[] {
  const names = namesIn(properties, SECRETS);
  return names.length === 0 ? [] : fieldPathsOf(definition.fields).filter(({ name }) => names.includes(name));
}

/** The places of the arguments that the program marks as secret. */
export function markedPaths(definition: Definition, inputs: ReadonlyProperties): Place[] {
  return markedFields(definition, inputs).map(({ path }) => path);
}

/** The names of the arguments that the program marks as secret, and that were not marked when the outputs were stored. */
export function newlyMarked(outputs: ReadonlyProperties, inputs: ReadonlyProperties): string[] {
  const stored = namesIn(outputs, SECRETS);
  return namesIn(inputs, SECRETS).filter((name) => !stored.includes(name));
}

/**
 * A state in which everything is a secret that shows what the program marks as one: its arguments, the outputs in which
 * responses show them, and every other text of the API that holds one of them. Of a list, the whole is a secret.
 * `known` are the inputs or the state before, since not all of it has to be in this state.
 */
export function markState(definition: Definition, state: ReadonlyProperties, known: ReadonlyProperties): Properties {
  if (namesIn(state, SECRETS).length === 0) return state;
  const texts = [state, known].flatMap((values) =>
    markedPaths(definition, values).flatMap((path) => leavesIn(valueAt(values, path)).filter(isText)),
  );
  const marked = markedFields(definition, state);
  const paths = marked.flatMap(({ path: [, ...rest], apiPath: [apiName] }) =>
    Object.entries(definition.outputs).flatMap(([name, output]) =>
      output.apiName === apiName ? [[name, ...rest]] : [],
    ),
  );
  const shared = marked.flatMap(({ name, field: { list } }) =>
    list?.sharedAs === undefined ? [] : [[list.sharedAs], [OTHERS, name]],
  );
  const declared = namesIn(state, DECLARED).map((name) => name.split(".")[0]);
  const filled = Object.keys(state).filter((name) => !name.startsWith("__") && !declared.includes(name));
  return markSecrets(state, [
    ...markedPaths(definition, state),
    ...paths,
    ...shared,
    ...filled.flatMap((name) => placesOf(texts, state[name], [name])),
  ]);
}

/** The properties with the values at these places as secrets. */
export function markSecrets(properties: ReadonlyProperties, places: readonly Place[]): Properties {
  let marked: Properties = { ...properties };
  for (const place of places) {
    const value = valueAt(properties, place);
    // Of what is unknown as a whole, so is the part: it becomes a secret with its own value.
    const isReached = value !== undefined && valueAt(properties, place.slice(0, -1)) !== UNKNOWN;
    if (isReached) marked = withValue(marked, place, asSecret(value));
  }
  return marked;
}

/** Shorter texts stand in too many others. */
const MIN_LENGTH = 3;

/** Where a value holds one of these texts. */
function placesOf(texts: readonly string[], value: unknown, place: Place): Place[] {
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, inner]) => placesOf(texts, inner, [...place, name]));
  const isShown = (text: string, leaf: string) => leaf === text || (text.length >= MIN_LENGTH && leaf.includes(text));
  const leaves = leavesIn(value).filter(isText);
  return texts.some((text) => leaves.some((leaf) => isShown(text, leaf))) ? [place] : [];
}

function namesIn(properties: ReadonlyProperties, list: string): string[] {
  const names = properties[list];
  return Array.isArray(names) ? names.filter(isText) : [];
}

/** The texts and numbers in a value. */
function leavesIn(value: unknown): (string | number)[] {
  if (typeof value === "number") return [value];
  if (isText(value)) return value === "" || value === UNKNOWN ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(leavesIn);
  return isRecord(value) ? Object.values(value).flatMap(leavesIn) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
