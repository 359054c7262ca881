const SECRET_NAMES = /password|secret|accesskey|encryptionkey$|connectionstring|credentials/i;

/** The same value without what is secret in it. */
export function redacted<Value>(value: Value): Value {
  return withoutSecrets(value) as Value;
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_NAMES.test(name) ? "[secret]" : withoutSecrets(inner)]),
  );
}
