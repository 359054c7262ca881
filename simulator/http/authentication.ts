import { createHash, timingSafeEqual } from "node:crypto";
import { ApiError } from "../operations/api-error";
import type { Scheme } from "../schema/api-operations";
import type { Credentials } from "../state/state";

/** Throws a 401 unless the `Authorization` header is the expected one; compares in constant time. */
export function authenticate(header: string | undefined, scheme: Scheme, credentials: Credentials): void {
  const [, givenScheme = "", secret = ""] = /^(\S+) (.*)$/.exec(header ?? "") ?? [];
  if (givenScheme.toLowerCase() === scheme.toLowerCase() && isEqual(secret, expectedSecret(scheme, credentials))) {
    return;
  }
  throw new ApiError(401, "UNAUTHORIZED", "the key or token is missing or invalid", { "www-authenticate": scheme });
}

function expectedSecret(scheme: Scheme, { keyId, keySecret, accessToken }: Credentials): string {
  return scheme === "Basic" ? Buffer.from(`${keyId}:${keySecret}`).toString("base64") : accessToken;
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(first, second);
}
