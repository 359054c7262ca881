/** The engine's placeholder, for any declared type, of a value that a preview cannot know. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** True where the value, or anything inside it, is unknown. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (isRecord(value)) return Object.values(value).some(hasUnknown);
  return false;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True where a member of a response, or anything inside it, has another type than documented: a symbol stands for it. */
export function hasInvalid(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasInvalid);
  return typeof value === "symbol" || (isRecord(value) && Object.values(value).some(hasInvalid));
}

/** The member by which the engine tells a value of a special kind from an object, and its value for a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** A value that the engine stores and shows as a secret. */
export function asSecret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET, value };
}
