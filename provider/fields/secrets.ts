import { overlap, SECRET_MARK, SIGNATURE, UNKNOWN } from "pulumi-clouddb-facts";
import { isReferenceName, SECRETS } from "../names";
import type { Definition, Properties } from "./field";
import { entriesOf } from "./list";
import { type FieldPath, fieldPathsOf, membersOf, valueAt } from "./paths";
import { fingerprintPaths, secretMembers } from "./references";

export type Place = readonly string[];

/**
 * The paths of secret arguments, at most those in the given properties. A variable's name is not
 * secret.
 */
export function secretPaths(definition: Definition, properties: Properties = {}): Place[] {
  return fieldPathsOf(definition.fields)
    .filter(({ field }) => field.secret)
    .flatMap(({ path }) => secretMembers(path, valueAt(properties, path)));
}

/** The places of secret outputs. */
export function secretOutputs({ outputs }: Definition): Place[] {
  return Object.keys(outputs).flatMap((name) => (outputs[name]?.secret ? [[name]] : []));
}

/** The places of secret arguments and outputs. */
function allSecretPaths(definition: Definition, properties: Properties = {}): Place[] {
  const paths = [...secretPaths(definition, properties), ...fingerprintPaths(properties)];
  return [...paths, ...secretOutputs(definition)];
}

/** The names of properties that are entirely secret. */
export function secretNames(definition: Definition): string[] {
  return allSecretPaths(definition)
    .filter((path) => path.length === 1)
    .map(([name = ""]) => name);
}

/** All secret texts in properties, according to the table and the program's marks. */
export function secretTexts(definition: Definition, properties: Properties): string[] {
  const places = [
    ...allSecretPaths(definition, properties),
    ...markedPaths(definition, properties),
  ];
  return places.flatMap((path) => leavesIn(valueAt(properties, path)).map(String));
}

/**
 * The declared arguments that a marked path selects, contains or is part of. Paths look like
 * `source`, `source.kafka.iamRole` and `ipAccessList[1].description`. The table's secrets need no
 * mark, and variable names are plain text.
 */
export function markedArguments(
  definition: Definition,
  inputs: Properties,
  places: unknown,
): string[] | undefined {
  const marked = entriesOf(places).map(String);
  const names = fieldPathsOf(definition.fields)
    .filter(({ path, field }) => !field.secret && valueAt(inputs, path) !== undefined)
    .filter(({ name }) => !isReferenceName(name) && marked.some((place) => overlap(name, place)))
    .map(({ name }) => name);
  return names.length > 0 ? names : undefined;
}

export function markedFields(definition: Definition, properties: Properties): FieldPath[] {
  const names = namesIn(properties, SECRETS);
  return names.length === 0
    ? []
    : fieldPathsOf(definition.fields).filter(
        ({ name }) => names.includes(name) && !isReferenceName(name),
      );
}

/** The paths of marked arguments. */
export function markedPaths(definition: Definition, inputs: Properties): Place[] {
  return markedFields(definition, inputs).map(({ path }) => path);
}

/** The arguments that the inputs mark, but the stored outputs do not. */
export function newlyMarked(outputs: Properties, inputs: Properties): string[] {
  const state = namesIn(outputs, SECRETS);
  return namesIn(inputs, SECRETS).filter((name) => !state.includes(name));
}

/** A value marked as secret for the engine. */
export function asSecret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET_MARK, value };
}

export function namesIn(properties: Properties, list: string): string[] {
  return entriesOf(properties[list]).filter(isText);
}

/** All texts and numbers in a value. */
export function leavesIn(value: unknown): (string | number)[] {
  if (typeof value === "number") return [value];
  if (isText(value)) return value === "" || value === UNKNOWN ? [] : [value];
  return membersOf(value).flatMap(leavesIn);
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}
