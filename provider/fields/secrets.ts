import { isRecord, overlap, SECRET_MARK, SIGNATURE, UNKNOWN } from "pulumi-clouddb-facts";
import { SECRETS } from "../names";
import type { Definition, Properties } from "./field";
import { entriesOf } from "./list";
import { DECLARED } from "./ownership";
import { type FieldPath, fieldPathsOf, valueAt, withValue } from "./paths";
import { fingerprintPaths, secretMembers } from "./references";

type Place = readonly string[];

/** The places of secret arguments, in these properties if given: the name of a variable is no secret. */
export function secretPaths(definition: Definition, properties: Properties = {}): Place[] {
  return fieldPathsOf(definition.fields)
    .filter(({ field }) => field.secret)
    .flatMap(({ path }) => secretMembers(path, valueAt(properties, path)));
}

/** The places of secret arguments and outputs. */
function allSecretPaths(definition: Definition, properties: Properties = {}): Place[] {
  const outputs = Object.entries(definition.outputs).filter(([, { secret }]) => secret);
  const paths = [...secretPaths(definition, properties), ...fingerprintPaths(properties)];
  return [...paths, ...outputs.map(([name]) => [name])];
}

/** The names of properties that are secret as a whole. */
export function secretNames(definition: Definition): string[] {
  return allSecretPaths(definition)
    .filter((path) => path.length === 1)
    .map(([name = ""]) => name);
}

/** Every secret text in properties, by the table or by a mark of the program. */
export function secretTexts(definition: Definition, properties: Properties): string[] {
  const places = [
    ...allSecretPaths(definition, properties),
    ...markedPaths(definition, properties),
  ];
  return places.flatMap((path) => leavesIn(valueAt(properties, path)).map(String));
}

/**
 * The names of the declared arguments at, in or around which the program has marked a secret. Marks have places such as
 * `source`, `source.kafka.iamRole` and `ipAccessList[1].description`; secrets of the table need no mark.
 */
export function markedArguments(
  definition: Definition,
  inputs: Properties,
  places: unknown,
): string[] | undefined {
  const marked = entriesOf(places).map(String);
  const names = fieldPathsOf(definition.fields)
    .filter(({ path, field }) => !field.secret && valueAt(inputs, path) !== undefined)
    .filter(({ name }) => marked.some((place) => overlap(name, place)))
    .map(({ name }) => name);
  return names.length > 0 ? names : undefined;
}

function markedFields(definition: Definition, properties: Properties): FieldPath[] {
  const names = namesIn(properties, SECRETS);
  return names.length === 0
    ? []
    : fieldPathsOf(definition.fields).filter(({ name }) => names.includes(name));
}

/** The places of the arguments that the program marks as secret. */
export function markedPaths(definition: Definition, inputs: Properties): Place[] {
  return markedFields(definition, inputs).map(({ path }) => path);
}

/** The names of the arguments that are marked in the inputs and were not when the outputs were stored. */
export function newlyMarked(outputs: Properties, inputs: Properties): string[] {
  const stored = namesIn(outputs, SECRETS);
  return namesIn(inputs, SECRETS).filter((name) => !stored.includes(name));
}

/**
 * The state with secrets wherever it shows marked arguments: at their own places, in the outputs that responses show them
 * in, and in every other value of the API that contains one of their texts; lists become secret as a whole. The inputs
 * and the former state may hold further texts.
 */
export function markState(
  definition: Definition,
  state: Properties,
  ...known: readonly Properties[]
): Properties {
  const fingerprints = fingerprintPaths(state);
  if (namesIn(state, SECRETS).length === 0) return markSecrets(state, fingerprints);
  const shown = markedFields(definition, state).flatMap(({ path, apiPath }): Place[] => [
    path,
    ...Object.entries(definition.outputs)
      .filter(([, { apiName }]) => apiName === apiPath[0])
      .map(([output]) => [output, ...path.slice(1)]),
  ]);
  const texts = markedPaths(definition, state).flatMap((path) =>
    [state, ...known].flatMap((properties) => leavesIn(valueAt(properties, path)).filter(isText)),
  );
  const declared = namesIn(state, DECLARED).map((name) => name.split(".")[0]);
  const fromApi = Object.keys(state).filter(
    (name) => !name.startsWith("__") && !declared.includes(name),
  );
  return markSecrets(state, [
    ...fingerprints,
    ...shown,
    ...fromApi.flatMap((name) => placesWith(texts, state[name], [name])),
  ]);
}

/** The properties with secrets at these places. */
export function markSecrets(properties: Properties, places: readonly Place[]): Properties {
  let marked: Properties = { ...properties };
  for (const place of places) {
    const value = valueAt(properties, place);
    // Skips parts of unknown values.
    const isReached = value !== undefined && valueAt(properties, place.slice(0, -1)) !== UNKNOWN;
    if (isReached) marked = withValue(marked, place, asSecret(value));
  }
  return marked;
}

/** A value that the engine stores and shows as a secret. */
export function asSecret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET_MARK, value };
}

/** A value as an engine passes it to a plugin that accepts no secrets. */
export function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isRecord(value)) return value;
  if (value[SIGNATURE] === SECRET_MARK) return withoutMarks(value.value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutMarks(inner)]),
  );
}

/** Shorter texts occur in too many unrelated values. */
const MIN_LENGTH = 3;

/** The places at which a value contains one of these texts. */
function placesWith(texts: readonly string[], value: unknown, place: Place): Place[] {
  if (isRecord(value))
    return Object.entries(value).flatMap(([name, inner]) =>
      placesWith(texts, inner, [...place, name]),
    );
  const isShown = (text: string, leaf: string) =>
    leaf === text || (text.length >= MIN_LENGTH && leaf.includes(text));
  const leaves = leavesIn(value).filter(isText);
  return texts.some((text) => leaves.some((leaf) => isShown(text, leaf))) ? [place] : [];
}

function namesIn(properties: Properties, list: string): string[] {
  return entriesOf(properties[list]).filter(isText);
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
