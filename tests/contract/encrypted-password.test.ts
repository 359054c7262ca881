import { execFileSync, spawnSync } from "node:child_process";
import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
} from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JournalRecord, parseRecord, seal, unseal } from "../../provider/core/journal/record";
import { UNKNOWN } from "../support/adapters/values";
import { temporaryFolder } from "../support/temporary-folder";
import { useJournal } from "./journal-setup";
import { create as createWith, failureOf, type Properties, type StackResource } from "./support";

/** The password of a new service, encrypted with the program's public key. */

const PASSWORD = 'pässword "of"\nthe service';
const setup = useJournal();
const { adopt, create, failCreation, records, restart } = setup;

function rsaKey(modulusLength = 2048) {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength });
  const der = publicKey.export({ type: "spki", format: "der" });
  return {
    ...pemsOf(publicKey, privateKey),
    opener: privateKey,
    fingerprint: createHash("sha256").update(der).digest("hex"),
  };
}

function pemsOf(publicKey: KeyObject, privateKey: KeyObject) {
  return {
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const [key, otherKey] = [rsaKey(), rsaKey()];
const encrypted = {
  password: null,
  encryptedPassword: expect.any(String),
  passwordKeyFingerprint: key.fingerprint,
};
const plain = { password: PASSWORD, encryptedPassword: null, passwordKeyFingerprint: null };

function open(state: Properties): string {
  const options = {
    key: key.opener,
    padding: constants.RSA_PKCS1_OAEP_PADDING,
    oaepHash: "sha256",
  };
  return privateDecrypt(options, Buffer.from(String(state.encryptedPassword), "base64")).toString();
}

/** The only record in the journal, and what it seals for the API key. */
function recorded() {
  const [file, ...others] = records();
  expect(others).toEqual([]);
  const record = parseRecord(String(file?.text));
  return {
    path: String(file?.path),
    record,
    sealed: record && unseal(record, setup.api.keySecret),
  };
}

const lines = (code: string) =>
  setup.handlers.messages.filter((line) => line.endsWith(`[${code}]`));

const answerWith = (password: string | null, result = {}) =>
  setup.api.faults({ method: "POST", effect: { kind: "answer", result, password } });
beforeEach(() => answerWith(PASSWORD));

test.each([
  ["as it is", key.publicPem],
  [
    "with other line breaks and spaces around it",
    `\n  ${key.publicPem.replaceAll("\n", "\r\n")}  `,
  ],
])(
  "with a public key %s, state and journal hold only the ciphertext, and the API gets no key",
  async (_, passwordPublicKey) => {
    const { outs } = await create({ passwordPublicKey });
    expect(outs).toMatchObject(encrypted);
    expect(open(outs)).toBe(PASSWORD);
    const { sealed, record } = recorded();
    expect(Object.keys(sealed ?? {})).toEqual(["inputs"]);
    expect(record).toMatchObject({
      encryptedPassword: outs.encryptedPassword,
      passwordKeyFingerprint: key.fingerprint,
    });
    expect(JSON.stringify(outs)).not.toContain("pässword");
    const [creation] = await setup.api.requests();
    expect(creation?.body).toEqual({ name: "orders" });
  },
);

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
(hasOpenssl ? test : test.skip)(
  "openssl opens the password, and prints the fingerprint of the key",
  async () => {
    const { outs } = await create({ passwordPublicKey: key.publicPem });
    const folder = temporaryFolder("openssl");
    const [opener, text] = [join(folder, "key.pem"), join(folder, "password")];
    writeFileSync(opener, key.privatePem);
    writeFileSync(text, Buffer.from(String(outs.encryptedPassword), "base64"));
    const padding = ["-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", "rsa_oaep_md:sha256"];
    expect(
      execFileSync("openssl", [
        "pkeyutl",
        "-decrypt",
        "-inkey",
        opener,
        "-in",
        text,
        ...padding,
      ]).toString(),
    ).toBe(PASSWORD);
    const der = execFileSync("openssl", ["pkey", "-in", opener, "-pubout", "-outform", "DER"]);
    const digest = execFileSync("openssl", ["dgst", "-sha256"], { input: der });
    expect(digest.toString()).toContain(key.fingerprint);
  },
);

test("without a key, the password is stored, and a recorded password is encrypted once a key is set", async () => {
  const { id, outs } = await create();
  expect(outs).toMatchObject(plain);
  restart();
  const again = await create({ passwordPublicKey: key.publicPem });
  expect(again.id).toBe(id);
  expect(again.outs).toMatchObject(encrypted);
  expect(open(again.outs)).toBe(PASSWORD);
});

test("a service of a lost creation is adopted with its ciphertext, even if the key has changed", async () => {
  const { id, outs } = await create({ passwordPublicKey: key.publicPem });
  restart();
  const again = await create({ passwordPublicKey: otherKey.publicPem });
  expect(again.id).toBe(id);
  expect(again.outs).toEqual({ ...outs, passwordPublicKey: otherKey.publicPem });
  expect(lines("CDB5018")).toEqual([
    expect.stringContaining(`encrypted with the key ${key.fingerprint}.`),
  ]);
  expect(await setup.api.services()).toHaveLength(1);
});

test("with another API key, a service is adopted with its ciphertext and without password advice", async () => {
  const { id, outs } = await create({ passwordPublicKey: key.publicPem });
  const { path, record } = recorded();
  const secrets = seal({ inputs: {} }, "the secret of another key");
  writeFileSync(path, JSON.stringify({ ...record, secrets }));
  restart();
  const again = await create({ passwordPublicKey: key.publicPem });
  expect([again.id, again.outs]).toEqual([id, outs]);
  expect(lines("CDB4013")).toEqual([]);
  await again.in(restart()).diff();
  expect(records()).toEqual([]);
});

test("a record of an earlier release with a sealed ciphertext is read", async () => {
  const { id, outs } = await create({ passwordPublicKey: key.publicPem });
  const { path, record, sealed } = recorded();
  const { encryptedPassword, passwordKeyFingerprint, ...rest } = record as JournalRecord;
  const secrets = { inputs: {}, ...sealed, encryptedPassword, passwordKeyFingerprint };
  const former = { ...rest, secrets: seal(secrets, setup.api.keySecret) };
  writeFileSync(path, JSON.stringify(former));
  restart();
  const again = await create({ passwordPublicKey: key.publicPem });
  expect([again.id, again.outs]).toEqual([id, outs]);
});

test("an adoption or refresh gets the ciphertext of a lost creation, and removes its stored record", async () => {
  const created = await create({ passwordPublicKey: key.publicPem });
  const { encryptedPassword } = created.outs;
  const lost = created.withOuts({ encryptedPassword: null, passwordKeyFingerprint: null });
  const refreshed = await lost.in(restart()).refresh();
  expect(refreshed.outs).toMatchObject({ ...encrypted, encryptedPassword });
  restart();
  const adopted = await adopt(created.id);
  expect(adopted.outs).toMatchObject({ ...encrypted, encryptedPassword });
  await adopted.in(restart()).up({ existingServiceId: created.id });
  expect(records()).toEqual([]);
});

test("an adoption gets the ciphertext of a response without an id from the journal", async () => {
  await answerWith(PASSWORD, { id: "" });
  const { message } = await failCreation({ passwordPublicKey: key.publicPem });
  expect(message).toContain("its password is in the creation journal");
  expect(recorded().sealed?.password).toBeUndefined();
  const [service] = await setup.api.services();
  restart();
  const { outs } = await adopt(service?.id);
  expect(outs).toMatchObject(encrypted);
  expect(open(outs)).toBe(PASSWORD);
});

test("a creation without a password is reported, with or without a key", async () => {
  await answerWith(null);
  const { message } = await failCreation({ passwordPublicKey: key.publicPem });
  expect(message).toMatch(/the response contained no password.*CDB4002/);
});

test("a password that is too long for the key is stored unencrypted, with a warning", async () => {
  const password = "p".repeat(191);
  await answerWith(password);
  const { outs } = await create({ passwordPublicKey: key.publicPem });
  expect(outs).toMatchObject({ ...plain, password });
  expect(lines("CDB4016")).toHaveLength(1);
});

test("another or a first key changes nothing on an existing service, and each command says so", async () => {
  const first = await create();
  const second = await create({ name: "second", passwordPublicKey: key.publicPem });
  await setup.api.requests();
  const preview = async (service: StackResource, args: Properties) => {
    const { changes } = await service.in(restart()).diff({ name: service.inputs.name, ...args });
    expect(changes).toBe(false);
    return lines("CDB5018");
  };
  const kept = expect.stringMatching(
    /^passwordPublicKey has no effect on service .*keeps the password that it has\. /,
  );
  const opened = expect.stringContaining(
    `keeps the password that it has, encrypted with the key ${key.fingerprint}.`,
  );
  expect(await preview(first, { passwordPublicKey: key.publicPem })).toEqual([kept]);
  expect(await preview(second, { passwordPublicKey: otherKey.publicPem })).toEqual([opened]);
  expect(
    await preview(second, { passwordPublicKey: key.publicPem.replaceAll("\n", "\r\n") }),
  ).toEqual([]);
  expect(await preview(second, { passwordPublicKey: UNKNOWN })).toEqual([]);
  expect(await preview(second, {})).toEqual([]);
  expect(await setup.api.requests()).toEqual([]);
});

test("an adoption says that the key has no effect", async () => {
  const { id } = await create();
  setup.restartEmpty();
  const args = { existingServiceId: id, passwordPublicKey: key.publicPem };
  const { outs } = await createWith(setup.handlers, args);
  expect(outs).toMatchObject({
    password: null,
    encryptedPassword: null,
    passwordKeyFingerprint: null,
  });
  expect(lines("CDB5018")).toEqual([
    expect.stringContaining(`has no effect on service ${id}, which exists`),
  ]);
});

const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pss = generateKeyPairSync("rsa-pss", { modulusLength: 2048 });
const refused: Readonly<Record<string, string>> = {
  "a private key": key.privatePem,
  "a private key of RSA alone": key.opener.export({ type: "pkcs1", format: "pem" }).toString(),
  "a public and a private key": key.publicPem + key.privatePem,
  "a certificate": key.publicPem.replaceAll("PUBLIC KEY", "CERTIFICATE"),
  "a key that is too short": rsaKey(1024).publicPem,
  "a key of an elliptic curve": pemsOf(elliptic.publicKey, elliptic.privateKey).publicPem,
  "a key for signatures": pemsOf(pss.publicKey, pss.privateKey).publicPem,
  "a private key that calls itself public": key.privatePem.replaceAll("PRIVATE KEY", "PUBLIC KEY"),
  "a damaged key": key.publicPem.replace(/\n.{64}/, ""),
  "another text": "hunter2",
};

test.each(Object.entries(refused))(
  "the key %s is refused before a request, without being shown",
  async (_, text) => {
    const { inputs, failures } = await setup.handlers.check(
      {},
      { name: "orders", passwordPublicKey: text },
    );
    expect(failures.map(({ reason }) => reason)).toEqual([
      "passwordPublicKey is invalid: must be an RSA public key of at least 2048 bits in PEM form, not a private key or a certificate. [CDB1019]",
    ]);
    expect(inputs).not.toHaveProperty("passwordPublicKey");
    // A key that was unknown in the check.
    const checked = await setup.checkArgs({ name: "orders", passwordPublicKey: UNKNOWN });
    const { message } = await failureOf(
      setup.handlers.create({ ...checked, passwordPublicKey: text }),
    );
    expect(message).toMatch(/^passwordPublicKey is invalid:.*\[CDB1019\]$/);
    const shown = JSON.stringify([inputs, failures, message, setup.handlers.messages]);
    for (const part of text.split("\n").filter((line) => line !== "" && !line.startsWith("--"))) {
      expect(shown).not.toContain(part);
    }
    expect(await setup.api.requests()).toEqual([]);
    expect(records()).toEqual([]);
  },
);
