import { isRecord, SECRET_MARK, SIGNATURE, UNKNOWN } from "../../../facts";
import type { Properties } from "./handlers";

export { UNKNOWN };

/** Values as they travel between an engine and a plugin. */

export const secret = (value: unknown) => ({ [SIGNATURE]: SECRET_MARK, value });
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

/** The parts of an adapter's properties that the engine stores and shows in plain text. */
export const shown = (properties: Properties) => withoutSecrets(withMarks(properties));

/** The parts of a value that the engine stores and shows in plain text. */
export const withoutSecrets = (value: unknown) => replaceSecrets(value, () => "[secret]");

function withoutMarks(value: unknown): unknown {
  return replaceSecrets(value, withoutMarks);
}

function replaceSecrets(value: unknown, replacement: (secret: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceSecrets(item, replacement));
  if (!isRecord(value)) return value;
  if (isSecret(value)) return replacement(value.value);
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

const isSecret = (value: unknown): value is Properties =>
  isRecord(value) && SIGNATURE in value && "value" in value;
const isPlainObject = (value: unknown): value is Properties => isRecord(value) && !isSecret(value);

function holdsSecret(value: unknown): boolean {
  if (isSecret(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsSecret);
}
