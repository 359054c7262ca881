import { constants, createHash, createPublicKey, type KeyObject, publicEncrypt } from "node:crypto";
import { coded, type Message } from "../../errors";
import { isRecord, type Properties, UNKNOWN } from "../../fields";

/*
 * The password that a creation returns. With a public key in the program, only its ciphertext is
 * stored.
 */

export const PUBLIC_KEY = "passwordPublicKey";

/**
 * The outputs that hold a password: itself, or its ciphertext and the fingerprint of the key that
 * opens it.
 */
export interface PasswordOutputs {
  readonly password?: string | undefined;
  readonly encryptedPassword?: string | undefined;
  readonly passwordKeyFingerprint?: string | undefined;
}

/**
 * The password in the result of a creation, a state or the secrets of a record; undefined if there
 * is none.
 */
export function passwordIn(source: unknown): PasswordOutputs | undefined {
  const { password, encryptedPassword, passwordKeyFingerprint } = isRecord(source) ? source : {};
  if (isText(password)) return { password };
  const isEncrypted = isText(encryptedPassword) && isText(passwordKeyFingerprint);
  return isEncrypted ? { encryptedPassword, passwordKeyFingerprint } : undefined;
}

/**
 * Encrypts a password that is not encrypted yet, if the program declares a key. `operation` begins
 * a sentence.
 */
export function encryptPassword(
  { addSecret, warn }: { addSecret: (secret: string) => void; warn: (line: Message) => void },
  operation: string,
  inputs: Properties,
  found: PasswordOutputs | undefined,
): PasswordOutputs | undefined {
  const { password } = found ?? {};
  if (password === undefined) return found;
  addSecret(password);
  const key = readPublicKey(inputs[PUBLIC_KEY]);
  if (key === undefined) return found;
  try {
    return {
      encryptedPassword: encrypt(key, password),
      passwordKeyFingerprint: fingerprintOf(key),
    };
  } catch {
    warn(
      coded(
        "CDB4016",
        `${operation}: the password is too long for the key in ${PUBLIC_KEY},`,
        "so it is stored as password,",
        "a secret of the state, and is not encrypted with the key.",
      ),
    );
    return found;
  }
}

/** The problem with a declared key, which is never shown: it may be a private key. */
export function findKeyProblem(key: unknown): Message | undefined {
  if (key === undefined || readPublicKey(key) !== undefined) return undefined;
  return coded(
    "CDB1019",
    `${PUBLIC_KEY} is invalid: must be an RSA public key`,
    `of at least ${MIN_BITS} bits in PEM form, not a private key or a certificate.`,
  );
}

/**
 * Says that a key has no effect on an object that exists, unless its password is encrypted with
 * that key.
 */
export function describeKey(
  { log }: { log: (line: Message) => void },
  object: string,
  state: Properties,
  inputs: Properties,
): void {
  const { [PUBLIC_KEY]: key } = inputs;
  if (key === undefined || key === UNKNOWN) return;
  const { passwordKeyFingerprint: opener } = passwordIn(state) ?? {};
  const declaredKey = readPublicKey(key);
  if (opener !== undefined && declaredKey !== undefined && fingerprintOf(declaredKey) === opener)
    return;
  log(
    coded(
      "CDB5018",
      `${PUBLIC_KEY} has no effect on ${object}, which exists: only a creation returns a password.`,
      `The state keeps the password that it has${describeOpener(opener)}.`,
    ),
  );
}

/** The key that opens a password, as the end of a clause. */
export function describeOpener(opener: string | undefined): string {
  return opener === undefined ? "" : `, encrypted with the key ${opener}`;
}

const MIN_BITS = 2048;
/** Node.js derives a public key also from a private key and from a certificate. */
const PEM = /^-----BEGIN ((?:RSA )?PUBLIC KEY)-----[\w+/=\s]+-----END \1-----$/;

/** The key in a text; undefined if it cannot be used. */
function readPublicKey(text: unknown): KeyObject | undefined {
  if (!isText(text) || !PEM.test(text.trim())) return undefined;
  try {
    const key = createPublicKey(text.trim());
    // Fails now rather than after a creation.
    encrypt(key, "");
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_BITS ? key : undefined;
  } catch {
    return undefined;
  }
}

function encrypt(key: KeyObject, password: string): string {
  const options = { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
  return publicEncrypt(options, Buffer.from(password)).toString("base64");
}

function fingerprintOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
