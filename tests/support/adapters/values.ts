import type { Properties } from "./handlers";

/** Values as they travel between an engine and a plugin. */

export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const SIGNATURE = "4dabf18193072939515e22adb298388d";

export const secret = (value: unknown) => ({
  [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270",
  value,
});
export const asset = (text: string) => ({ [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", text });

/** Properties as the engine sends them to a plugin that accepts no secrets. */
export const plain = (properties: Properties) => withoutMarks(properties) as Properties;

/** The marked form of properties without marks. */
const marksOf = new WeakMap<object, Properties>();

/** The properties without marks of secrets, which `withMarks` finds again. */
export function unmarked(properties: Properties): Properties {
  const result = plain(properties);
  marksOf.set(result, properties);
  return result;
}

/** Properties that an adapter has returned, with its marks of secrets. */
export const withMarks = (properties: Properties): Properties =>
  marksOf.get(properties) ?? properties;

/** The parts of a value that the engine stores and shows in plain text. */
export const withoutSecrets = (value: unknown) => replaceSecrets(value, () => "[secret]");

function withoutMarks(value: unknown): unknown {
  return replaceSecrets(value, withoutMarks);
}

function replaceSecrets(value: unknown, replacement: (secret: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceSecrets(item, replacement));
  if (typeof value !== "object" || value === null) return value;
  if (SIGNATURE in value && "value" in value) return replacement(value.value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, replaceSecrets(inner, replacement)]),
  );
}

/**
 * Results with secrets where inputs have them, as the engine marks them for a plugin that accepts
 * no secrets.
 */
export function marked(results: Properties, inputs: Properties): Properties {
  const members = Object.entries(results).map(([name, value]) => {
    const input = inputs[name];
    if (isPlainObject(value) && isPlainObject(input)) return [name, marked(value, input)];
    return [name, isSecret(value) || !holdsSecret(input) ? value : secret(value)];
  });
  return Object.fromEntries(members);
}

function isSecret(value: unknown): boolean {
  return typeof value === "object" && value !== null && SIGNATURE in value && "value" in value;
}

function isPlainObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isSecret(value);
}

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}
