import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { z } from "zod";
import type { Properties } from "../../fields";
import type { PasswordOutputs } from "../object/encrypted-password";

/**
 * Identifies a resource whose object is being created, in every command until the stack has the
 * object.
 */
export interface ResourceIdentity {
  /**
   * The place of the stack's state. Stacks of the same name in different backends are unrelated.
   */
  readonly backend: string;
  /** The backend without its variables, as a command without these variables records it. */
  readonly backendAddress?: string;
  readonly urn: string;
}

/** Escapes characters that act on a terminal. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** A printable text: records are untrusted. */
const shown = z.string().transform(printable);

const sealed = z.strictObject({
  salt: z.base64(),
  iv: z.base64(),
  tag: z.base64(),
  text: z.base64(),
});

const recordSchema = z.strictObject({
  version: z.literal(1),
  backend: z.string(),
  urn: z.string(),
  baseUrl: z.string(),
  organizationId: shown,
  /** The type of the object in sentences, such as `service`. */
  title: shown,
  name: shown,
  sentAt: z.iso.datetime(),
  process: z.number(),
  secrets: sealed,
  /** The id of the created object, once a response contained it. */
  id: shown.optional(),
  /**
   * Outputs that only the user's private key decrypts. A command with another API key adopts them
   * unchanged.
   */
  encryptedPassword: z.string().optional(),
  passwordKeyFingerprint: z.string().optional(),
  /** The engine that got the password from this record, but may not have stored it. */
  givenTo: z.string().optional(),
  /** The URN of the resource that now has the object, if the resource or its stack was renamed. */
  storedAs: z.string().optional(),
});

export type JournalRecord = z.infer<typeof recordSchema>;
type Sealed = z.infer<typeof sealed>;

export interface Secrets extends PasswordOutputs {
  readonly inputs: Properties;
}

/** The name of a resource's record: a hash that hides the resource. */
export function recordName(
  { backend, urn }: ResourceIdentity,
  baseUrl: string,
  machine: string,
): string {
  const hash = createHash("sha256").update(JSON.stringify([backend, machine, urn, baseUrl]));
  return hash.digest("hex").slice(0, 32);
}

/** True for resources of one stack in one backend. URNs begin with stack and project. */
export function isSameStack(one: ResourceIdentity, other: ResourceIdentity): boolean {
  const stackOf = ({ backend, urn }: ResourceIdentity) =>
    [backend, ...urn.split("::", 2)].join("\n");
  return stackOf(one) === stackOf(other);
}

export function parseRecord(text: string): JournalRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Encrypts secrets, so that only the same API key can read them. */
export function seal(secrets: Secrets, keySecret: string): Sealed {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, encryptionKey(keySecret, salt), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(secrets), "utf8"), cipher.final()]);
  const inBase64 = (bytes: Buffer) => bytes.toString("base64");
  return {
    salt: inBase64(salt),
    iv: inBase64(iv),
    tag: inBase64(cipher.getAuthTag()),
    text: inBase64(text),
  };
}

export function unseal({ secrets }: JournalRecord, keySecret: string): Secrets | undefined {
  const bytesOf = (part: keyof Sealed) => Buffer.from(secrets[part], "base64");
  try {
    const key = encryptionKey(keySecret, bytesOf("salt"));
    const decipher = createDecipheriv(CIPHER, key, bytesOf("iv"), { authTagLength: 16 });
    decipher.setAuthTag(bytesOf("tag"));
    return JSON.parse(
      Buffer.concat([decipher.update(bytesOf("text")), decipher.final()]).toString("utf8"),
    );
  } catch {
    return undefined;
  }
}

const CIPHER = "aes-256-gcm";

/** The API key's secret is random, so a fast key derivation suffices. */
function encryptionKey(keySecret: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", keySecret, salt, "pulumi-clouddb creation journal", 32));
}
