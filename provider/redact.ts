/** Shorter texts are too likely to be part of an ordinary word. */
const SHORTEST_SECRET = 3;

/** Takes known secrets out of texts that others have written. */
export interface Redactor {
  readonly learn: (secrets: readonly (string | undefined)[]) => void;
  readonly redacted: (text: string) => string;
}

export function createRedactor(): Redactor {
  const known = new Set<string>();
  return {
    learn(secrets) {
      for (const secret of secrets) if (secret !== undefined && secret.length >= SHORTEST_SECRET) known.add(secret);
    },
    redacted(text) {
      // The longest first: one secret may be a part of another.
      const secrets = [...known].sort((one, other) => other.length - one.length);
      return secrets.reduce((line, secret) => line.replaceAll(secret, "[secret]"), text);
    },
  };
}
