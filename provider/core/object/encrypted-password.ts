import { constants, createHash, createPublicKey, type KeyObject, publicEncrypt } from "node:crypto";
import { coded, type Message } from "../../errors";
import { isRecord, type Properties, UNKNOWN } from "../../fields";

/*
 * The password that a creation returns. If the program has a public key, only the ciphertext is
 * stored.
 */

export const PUBLIC_KEY = "passwordPublicKey";

/** A password in outputs: either plain, or its ciphertext with the fingerprint of its key. */
export interface PasswordOutputs {
  readonly password?: string | undefined;
  readonly encryptedPassword?: string | undefined;
  readonly passwordKeyFingerprint?: string | undefined;
}

/** The password in a creation's result, a state or a record's secrets, if any. */
export function passwordIn(source: unknown): PasswordOutputs | undefined {
  const { password, encryptedPassword, passwordKeyFingerprint } = isRecord(source) ? source : {};
  if (isText(password)) return { password };
  const isEncrypted = isText(encryptedPassword) && isText(passwordKeyFingerprint);
  return isEncrypted ? { encryptedPassword, passwordKeyFingerprint } : undefined;
}

/** Encrypts a plain password if the program declares a key. `operation` begins a sentence. */
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

/** The problem with a declared key. The key is not shown, since it may be a private key. */
export function findKeyProblem(key: unknown): Message | undefined {
  if (key === undefined || readPublicKey(key) !== undefined) return undefined;
  return coded(
    "CDB1019",
    `${PUBLIC_KEY} is invalid: must be an RSA public key`,
    `of at least ${MIN_BITS} bits in PEM form, not a private key or a certificate.`,
  );
}

/**
 * Logs that a key has no effect on an existing object, unless the password is encrypted with that
 * key.
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

/** Names the key that decrypts a password, as the end of a clause. */
export function describeOpener(opener: string | undefined): string {
  return opener === undefined ? "" : `, encrypted with the key ${opener}`;
}

const MIN_BITS = 2048;
/** Refuses private keys and certificates, from which Node.js derives public keys, too. */
const PEM = /^-----BEGIN ((?:RSA )?PUBLIC KEY)-----[\w+/=\s]+-----END \1-----$/;

/** Parses a public key; undefined if the text is not a usable key. */
function readPublicKey(text: unknown): KeyObject | undefined {
  if (!isText(text) || !PEM.test(text.trim())) return undefined;
  try {
    const key = createPublicKey(text.trim());
    // Fails here rather than after a creation.
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
