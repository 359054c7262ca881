import { createHash, timingSafeEqual } from "node:crypto";
import { Problem } from "./problem";
import type { Credentials } from "./simulation";

/** Refuses a request whose `Authorization` is not the expected one, in a time that says nothing about it. */
export function requireBasic(header: string | undefined, { keyId, keySecret }: Credentials): void {
  requireHeader(header, "Basic", Buffer.from(`${keyId}:${keySecret}`).toString("base64"));
}

export function requireBearer(header: string | undefined, { accessToken }: Credentials): void {
  requireHeader(header, "Bearer", accessToken);
}

function requireHeader(header: string | undefined, scheme: string, secret: string): void {
  if (isSame(header ?? "", `${scheme} ${secret}`)) return;
  throw new Problem(401, "UNAUTHORIZED", "the key is missing or not valid", { "www-authenticate": scheme });
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => createHash("sha256").update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(first, second);
}
