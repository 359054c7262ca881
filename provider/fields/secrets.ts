import type { Definition, Properties } from "./field";
import { fieldPathsOf, valueAt } from "./paths";
import { isRecord } from "./unknown";

/** The places of secret arguments. */
export function secretPaths(definition: Definition): (readonly string[])[] {
  return fieldPathsOf(definition.fields)
    .filter(({ field }) => field.secret)
    .map(({ path }) => path);
}

/** The names of properties that are secrets themselves. What is secret inside of one is marked where it stands. */
export function secretNames(definition: Definition): string[] {
  const places = [...secretPaths(definition), ...secretOutputs(definition)];
  return places.flatMap(([name = "", ...rest]) => (rest.length === 0 ? [name] : []));
}

/** Every secret text among these properties. */
export function secretTexts(definition: Definition, properties: Readonly<Properties>): string[] {
  return [...secretPaths(definition), ...secretOutputs(definition)].flatMap((path) =>
    textsIn(valueAt(properties, path)),
  );
}

function secretOutputs(definition: Definition): string[][] {
  return Object.entries(definition.outputs).flatMap(([name, output]) => (output.secret ? [[name]] : []));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
