import { isRecord, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";

export { hasUnknown, isRecord, UNKNOWN } from "pulumi-clouddb-facts";

/** True where a member of a response, or anything inside it, has another type than documented: a symbol stands for it. */
export function hasInvalid(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasInvalid);
  return typeof value === "symbol" || (isRecord(value) && Object.values(value).some(hasInvalid));
}

/** A value that the engine stores and shows as a secret. */
export function asSecret(value: unknown): unknown {
  return { [SIGNATURE]: SECRET_MARK, value };
}
