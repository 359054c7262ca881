/** The authorization of the management interface. */
export function basic(keyId: string, keySecret: string): string {
  return `Basic ${encodedKey(keyId, keySecret)}`;
}

/** The key as it is sent: whoever reads it has the key. */
export function encodedKey(keyId: string, keySecret: string): string {
  return Buffer.from(`${keyId}:${keySecret}`).toString("base64");
}

/** The authorization of the observability interface. */
export function bearer(accessToken: string): string {
  return `Bearer ${accessToken}`;
}
