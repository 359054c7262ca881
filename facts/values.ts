/** The engine's placeholder for an unknown value. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The placeholders for all types. The engine mostly uses the first. */
const UNKNOWNS: ReadonlySet<unknown> = new Set([
  UNKNOWN,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

export function isUnknown(value: unknown): boolean {
  // Compares the length first, which is faster.
  return typeof value === "string" && value.length === UNKNOWN.length && UNKNOWNS.has(value);
}

/** True if the value, or a part of it, is unknown. */
export function hasUnknown(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasUnknown);
  if (!isRecord(value)) return isUnknown(value);
  for (const name in value) if (hasUnknown(value[name])) return true;
  return false;
}

/** An ID in the form for comparisons, since servers may use capital letters. */
export function canonicalId<Value>(id: Value): Value | string {
  return typeof id === "string" ? id.toLowerCase() : id;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * True if one path equals or contains the other: `a.b` overlaps `a` and `a.b[1].c`, but not `a.bc`.
 */
export function overlap(one: string, other: string): boolean {
  const [outer, inner] = one.length <= other.length ? [one, other] : [other, one];
  return inner.startsWith(outer) && /^(?:[.[]|$)/.test(inner.slice(outer.length));
}

/** The member that marks special values for the engine, with its value for a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_MARK = "1b47061264138c4ac30d75fd1eb44270";
