const SECRET_NAMES =
  /password|secret|token|accesskey|apikey|authorization|encryptionkey$|connectionstring|credentials/i;
/** Deeper than any value of the API. */
const MAX_DEPTH = 32;

export function redact<Value>(value: Value): Value {
  return redactNested(value, 0) as Value;
}

function redactNested(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "…";
  if (Array.isArray(value)) return value.map((inner) => redactNested(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAMES.test(name) ? "[secret]" : redactNested(inner, depth + 1),
    ]),
  );
}
