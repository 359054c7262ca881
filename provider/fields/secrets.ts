import type { Definition, Properties } from "./field";
import { fieldPathsOf, valueAt } from "./paths";
import { isRecord } from "./unknown";

/** The places of secret arguments. */
export function secretPaths(definition: Definition): (readonly string[])[] {
  return fieldPathsOf(definition.fields)
    .filter(({ field }) => field.secret)
    .map(({ path }) => path);
}

/** The places of everything secret, arguments and outputs. */
function allSecretPaths(definition: Definition): (readonly string[])[] {
  const outputs = Object.entries(definition.outputs).filter(([, { secret }]) => secret);
  return [...secretPaths(definition), ...outputs.map(([name]) => [name])];
}

/** The names of properties that are secrets themselves. What is secret inside of one is marked where it stands. */
export function secretNames(definition: Definition): string[] {
  return allSecretPaths(definition)
    .filter((path) => path.length === 1)
    .map(([name = ""]) => name);
}

/** Every secret text among these properties. */
export function secretTexts(definition: Definition, properties: Readonly<Properties>): string[] {
  return allSecretPaths(definition).flatMap((path) => textsIn(valueAt(properties, path)));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}
