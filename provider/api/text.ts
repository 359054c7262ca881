/**
 * A JSON value in well-formed Unicode, including names. gRPC cannot encode half of a surrogate
 * pair.
 */
export function wellFormed<Value>(value: Value): Value;
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]),
  );
}
