const SECRET_NAMES =
  /password|secret|token|accesskey|apikey|authorization|encryptionkey$|connectionstring|credentials/i;
/** Nothing of the API is half as deep; what is deeper was made to break something. */
const DEEPEST = 32;

/** The same value without what is secret in it. */
export function redacted<Value>(value: Value): Value {
  return withoutSecrets(value, 0) as Value;
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "…";
  if (Array.isArray(value)) return value.map((inner) => withoutSecrets(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAMES.test(name) ? "[secret]" : withoutSecrets(inner, depth + 1),
    ]),
  );
}
