import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { z } from "zod";
import { toSingleLine } from "../api/text";
import { type Message, message } from "../errors";
import type { Properties } from "../fields";
import { settingName } from "../names";
import { UserError } from "./user-error";

/** A place for records, by names of letters and digits. A text that was put there survives the end of the machine. */
export interface JournalStore {
  /** True if other machines have their records there, too. */
  readonly isShared: boolean;
  readonly get: (name: string) => Promise<string | undefined>;
  readonly put: (name: string, text: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly entries: () => Promise<readonly (readonly [name: string, text: string])[]>;
}

/** The resource that an object is created for: the same in each command until the stack has it. */
export interface ResourceIdentity {
  /** Where the stack is stored: two stacks of the same name in different places have nothing to do with each other. */
  readonly backend: string;
  readonly urn: string;
}

const sealed = z.strictObject({ salt: z.base64(), iv: z.base64(), tag: z.base64(), text: z.base64() });

const schema = z.strictObject({
  version: z.literal(1),
  backend: z.string(),
  urn: z.string(),
  baseUrl: z.string(),
  organizationId: z.string(),
  /** The kind of object, as in sentences. */
  title: z.string(),
  name: z.string(),
  sentAt: z.iso.datetime(),
  process: z.number(),
  /** Absent without a response. */
  id: z.string().optional(),
  secrets: sealed,
});

export type CreationRecord = z.infer<typeof schema>;
type Sealed = z.infer<typeof sealed>;

interface Secrets {
  readonly inputs: Properties;
  readonly password?: string | undefined;
}

/** The name of a resource's record. It does not show whose it is. */
function recordName({ backend, urn }: ResourceIdentity, baseUrl: string, machine: string): string {
  const hash = createHash("sha256").update(JSON.stringify([backend, machine, urn, baseUrl]));
  return hash.digest("hex").slice(0, 32);
}

/** The record in a text, if this release can read it. */
export function parseRecord(text: string): CreationRecord | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Secrets that only the same API key can read. */
function seal(secrets: Secrets, keySecret: string): Sealed {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", encryptionKey(keySecret, salt), iv);
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(secrets), "utf8"), cipher.final()]);
  return {
    salt: salt.toString("base64"),
    iv: iv.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    text: encrypted.toString("base64"),
  };
}

/** The secrets, if they were sealed with this key. */
function unseal(record: CreationRecord, keySecret: string): Secrets | undefined {
  const { salt, iv, tag, text } = record.secrets;
  const [saltBytes, ...rest] = [salt, iv, tag, text].map((part) => Buffer.from(part, "base64"));
  const [ivBytes, tagBytes, encrypted] = rest as [Buffer, Buffer, Buffer];
  try {
    const key = encryptionKey(keySecret, saltBytes as Buffer);
    const decipher = createDecipheriv("aes-256-gcm", key, ivBytes, { authTagLength: 16 });
    decipher.setAuthTag(tagBytes);
    return JSON.parse(Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("utf8")) as Secrets;
  } catch {
    return undefined;
  }
}

/** The API key's secret is random, so it needs no slow derivation. */
function encryptionKey(keySecret: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", keySecret, salt, "pulumi-clouddb creation journal", 32));
}

/** The facts about a creation that are known before its request. */
export interface CreationFacts extends Pick<CreationRecord, "organizationId" | "title" | "name"> {
  readonly inputs: Properties;
}

/** A creation that an earlier command began. Its secrets are absent where only another API key can read them. */
export interface EarlierCreation extends Partial<Secrets> {
  readonly record: CreationRecord;
  /** The command that removes the record. */
  readonly discardCommand: string;
}

/** A creation with a response, and the record that it was read from. */
interface CompleteCreation extends EarlierCreation {
  readonly name: string;
  readonly text: string;
}

/** A creation whose record is in the journal. */
export interface RecordedCreation {
  readonly discardCommand: string;
  /** After the response, before anything else. */
  readonly complete: (id: string, password: string | undefined) => Promise<void>;
  /** Nothing was created. */
  readonly end: () => Promise<void>;
}

/** The creations of one API key that the stack may not have yet. */
export interface CreationJournal {
  /** The creation that an earlier command began for this resource. Throws where nobody can tell. */
  readonly find: (identity: ResourceIdentity) => Promise<EarlierCreation | undefined>;
  /** Before the request. Without a record if the default place cannot be written; throws if a place was configured. */
  readonly begin: (identity: ResourceIdentity, facts: CreationFacts) => Promise<RecordedCreation | undefined>;
  /** The resource has another object, or none was created for it. */
  readonly end: (identity: ResourceIdentity) => Promise<void>;
  /** The stack has the object, with its password or without. */
  readonly confirm: (id: string, hasPassword: boolean) => Promise<void>;
  /** The password of an object whose creation the stack did not store. */
  readonly passwordOf: (id: string) => Promise<string | undefined>;
  /** The objects of earlier commands that this one has taken, by id. */
  readonly taken: Set<string>;
}

export interface JournalOptions {
  readonly store: JournalStore;
  /** The place, as messages name it. */
  readonly place: string;
  /** The place as an option of `clouddb-creations`, if the program's owner has chosen it, and relies on it. */
  readonly configured: string | undefined;
  readonly baseUrl: string;
  readonly keySecret: string;
  readonly warn: (line: Message) => void;
}

export function createJournal({ store, place, configured, baseUrl, keySecret, warn }: JournalOptions): CreationJournal {
  /** A path names another backend on each machine. */
  const machineOf = (backend: string) => (store.isShared && backend.startsWith("file:") ? hostname() : "");
  const nameOf = (identity: ResourceIdentity) => recordName(identity, baseUrl, machineOf(identity.backend));
  const discardCommand = (name: string) =>
    `npx --no-install clouddb-creations discard ${name}${configured ? ` --journal ${quoted(configured)}` : ""}`;
  const problem = (error: unknown) => ({ place, reason: reasonOf(error), setting: settingName("journal") });
  const taken = new Set<string>();
  let hasWarned = false;
  let completed: Promise<ReadonlyMap<string, CompleteCreation>> | undefined;

  const earlier = (name: string, record: CreationRecord) => ({
    ...unseal(record, keySecret),
    record,
    discardCommand: discardCommand(name),
  });

  /** The creations that were complete when this command began, by the object's id. Read once, since each diff asks. */
  async function completedBefore(): Promise<ReadonlyMap<string, CompleteCreation>> {
    completed ??= store.entries().then((entries) => {
      const creations = entries.flatMap(([name, text]) => {
        const record = parseRecord(text);
        return record?.id === undefined ? [] : [[record.id, { ...earlier(name, record), name, text }] as const];
      });
      return new Map(creations);
    });
    return completed.catch(() => {
      // An unreadable record stays: the next read may succeed.
      completed = undefined;
      return new Map();
    });
  }

  /** Another process may have begun anew. */
  async function ifUnchanged(name: string, text: string, work: () => Promise<void>): Promise<void> {
    if ((await store.get(name)) === text) await work();
  }

  return {
    taken,
    async find(identity) {
      const name = nameOf(identity);
      const text = await store.get(name).catch((error) => {
        throw new UserError(message("CDB4014.unread", problem(error)));
      });
      if (text === undefined) return undefined;
      const record = parseRecord(text);
      if (record === undefined)
        throw new UserError(message("CDB4014.unknown", { place, record: name, command: discardCommand(name) }));
      return earlier(name, record);
    },
    async begin(identity, { inputs, ...facts }) {
      const name = nameOf(identity);
      const secrets = seal({ inputs }, keySecret);
      const sentAt = new Date().toISOString();
      const record = { version: 1, ...identity, baseUrl, ...facts, sentAt, process: process.pid, secrets };
      const text = JSON.stringify(record);
      try {
        await store.put(name, text);
      } catch (error) {
        // It may be there nevertheless.
        await store.remove(name).catch(() => {});
        if (configured !== undefined) throw new UserError(message("CDB4014.configured", problem(error)));
        if (!hasWarned) warn(message("CDB4014.default", problem(error)));
        hasWarned = true;
        return undefined;
      }
      return {
        discardCommand: discardCommand(name),
        async complete(id, password) {
          const whole = JSON.stringify({ ...record, id, secrets: seal({ inputs, password }, keySecret) });
          const put = () => ifUnchanged(name, text, () => store.put(name, whole));
          await put()
            .catch(put)
            .catch((error) => {
              const object = `${facts.title} ${id}`;
              warn(message("CDB4014.incomplete", { ...problem(error), object, command: discardCommand(name) }));
            });
        },
        // The next command finds a record that could not be removed.
        end() {
          const remove = () => ifUnchanged(name, text, () => store.remove(name));
          return remove()
            .catch(remove)
            .catch(() => {});
        },
      };
    },
    end: (identity) => store.remove(nameOf(identity)).catch(() => {}),
    async confirm(id, hasPassword) {
      const creation = (await completedBefore()).get(id);
      if (creation === undefined) return;
      const { name, text, inputs, password } = creation;
      // A password that the stack lacks is kept, also one that only another API key can read.
      const hasAll = hasPassword || (inputs !== undefined && password === undefined);
      if (hasAll) await ifUnchanged(name, text, () => store.remove(name)).catch(() => {});
    },
    passwordOf: async (id) => (await completedBefore()).get(id)?.password,
  };
}

/** The refusal to create an object that may exist. */
export function describeUncertain(idArgument: string, { record, discardCommand }: EarlierCreation): Message {
  const { title, name, organizationId, sentAt } = record;
  return message("CDB4012.refused", {
    type: title,
    name: JSON.stringify(name),
    organization: organizationId,
    time: sentAt,
    idArgument,
    command: discardCommand,
  });
}

/** An argument as a shell reads it. */
function quoted(text: string): string {
  return /^[\w./:\\-]+$/.test(text) ? text : `"${text}"`;
}

function reasonOf(error: unknown): string {
  const { code, message: text } = error as NodeJS.ErrnoException;
  return code ?? toSingleLine(String(text), 200);
}
