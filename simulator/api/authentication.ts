import { createHash, timingSafeEqual } from "node:crypto";
import type { Credentials } from "../simulation";
import { Problem } from "./problem";

export type Scheme = "Basic" | "Bearer";

/** Refuses a request whose `Authorization` is not the expected one, in a time that says nothing about it. */
export function requireKey(header: string | undefined, scheme: Scheme, credentials: Credentials): void {
  const [, givenScheme = "", secret = ""] = /^(\S+) (.*)$/.exec(header ?? "") ?? [];
  if (givenScheme.toLowerCase() === scheme.toLowerCase() && isSame(secret, secretOf(scheme, credentials))) return;
  throw new Problem(401, "UNAUTHORIZED", "the key is missing or not valid", { "www-authenticate": scheme });
}

function secretOf(scheme: Scheme, { keyId, keySecret, accessToken }: Credentials): string {
  return scheme === "Basic" ? Buffer.from(`${keyId}:${keySecret}`).toString("base64") : accessToken;
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(first, second);
}
