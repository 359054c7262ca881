import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { z } from "zod";
import { toSingleLine } from "../api/text";
import { type Message, message } from "../errors";
import { settingName } from "../names";
import { UserError } from "./user-error";

/** A place for records, by names of letters and digits. A text that `put` has taken survives the end of the machine. */
export interface JournalStore {
  readonly get: (name: string) => Promise<string | undefined>;
  readonly put: (name: string, text: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly names: () => Promise<readonly string[]>;
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
  /** Absent until the response has come. */
  id: z.string().optional(),
  password: sealed.optional(),
});

export type CreationRecord = z.infer<typeof schema>;
type Sealed = z.infer<typeof sealed>;

/** The name of a resource's record. It does not show whose it is. */
export function recordName({ backend, urn }: ResourceIdentity, baseUrl: string): string {
  const hash = createHash("sha256").update(JSON.stringify([backend, urn, baseUrl]));
  return hash.digest("hex").slice(0, 32);
}

/** The record in a text; nothing where it is none that this release can read. */
export function parseRecord(text: string): CreationRecord | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A text that only the same API key can read. */
export function seal(text: string, keySecret: string): Sealed {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", encryptionKey(keySecret, salt), iv);
  const encrypted = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return {
    salt: salt.toString("base64"),
    iv: iv.toString("base64"),
    tag: cipher.getAuthTag().toString("base64"),
    text: encrypted.toString("base64"),
  };
}

/** The text; nothing where it was sealed with another key. */
export function unseal(sealedText: Sealed, keySecret: string): string | undefined {
  const [salt, iv, tag, text] = [sealedText.salt, sealedText.iv, sealedText.tag, sealedText.text].map((part) =>
    Buffer.from(part, "base64"),
  ) as [Buffer, Buffer, Buffer, Buffer];
  try {
    const decipher = createDecipheriv("aes-256-gcm", encryptionKey(keySecret, salt), iv, { authTagLength: 16 });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** The API key's secret is random, so it needs no slow derivation. */
function encryptionKey(keySecret: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync("sha256", keySecret, salt, "pulumi-clouddb creation journal", 32));
}

/** The facts about a creation that are known before its request. */
export type CreationFacts = Pick<CreationRecord, "organizationId" | "title" | "name">;

/** The creations of one API key that the stack may not have yet. */
export interface CreationJournal {
  /** The creation that an earlier command began for this resource. */
  readonly find: (identity: ResourceIdentity) => Promise<CreationRecord | undefined>;
  /** Before the request. Throws where a place that was configured cannot be written: nothing must be sent then. */
  readonly begin: (identity: ResourceIdentity, facts: CreationFacts) => Promise<void>;
  /** After the response, before anything else. */
  readonly complete: (identity: ResourceIdentity, id: string, password: string | undefined) => Promise<void>;
  /** Nothing was created, or the stack has it. */
  readonly end: (identity: ResourceIdentity) => Promise<void>;
  readonly passwordOf: (record: CreationRecord) => string | undefined;
  /** The objects of earlier commands that this one has taken into the stack, by id. */
  readonly taken: Set<string>;
}

export interface JournalOptions {
  readonly store: JournalStore;
  /** The place, as messages name it. */
  readonly place: string;
  /** True if the program's owner has chosen the place, and relies on it. */
  readonly isConfigured: boolean;
  readonly baseUrl: string;
  readonly keySecret: string;
  readonly now: () => number;
  readonly warn: (line: Message) => void;
}

export function createJournal(options: JournalOptions): CreationJournal {
  const { store, place, isConfigured, baseUrl, keySecret, now, warn } = options;
  const nameOf = (identity: ResourceIdentity) => recordName(identity, baseUrl);
  const started = new Map<string, CreationRecord>();
  let isUnusable = false;

  const problem = (reason: string) => ({ place, reason, setting: settingName("journal") });

  /** The result, or nothing where a default place cannot be used: creations go on as if there were no journal. */
  async function using<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (isUnusable) return undefined;
    try {
      return await work();
    } catch (error) {
      const facts = problem(reasonOf(error));
      if (isConfigured) throw new UserError(message("CDB4014.configured", facts));
      isUnusable = true;
      warn(message("CDB4014.default", facts));
      return undefined;
    }
  }

  return {
    find: async (identity) => {
      const text = await using(() => store.get(nameOf(identity)));
      if (text === undefined) return undefined;
      const record = parseRecord(text);
      // Something was created, or is: that is certain, whatever the place.
      if (record === undefined) {
        throw new UserError(message("CDB4014.configured", problem(`record ${nameOf(identity)} cannot be read`)));
      }
      return record;
    },
    begin: async (identity, facts) => {
      const record: CreationRecord = {
        version: 1,
        ...identity,
        baseUrl,
        ...facts,
        sentAt: new Date(now()).toISOString(),
        process: process.pid,
      };
      started.set(nameOf(identity), record);
      await using(() => store.put(nameOf(identity), JSON.stringify(record)));
    },
    complete: async (identity, id, password) => {
      const record = started.get(nameOf(identity));
      if (record === undefined || isUnusable) return;
      const whole = { ...record, id, ...(password !== undefined && { password: seal(password, keySecret) }) };
      await store.put(nameOf(identity), JSON.stringify(whole)).catch((error: unknown) => {
        warn(message("CDB4014.incomplete", { place, object: `${record.title} ${id}`, reason: reasonOf(error) }));
      });
    },
    // What is left behind is found, read and ended by the next command.
    end: (identity) => store.remove(nameOf(identity)).catch(() => {}),
    taken: new Set(),
    passwordOf: ({ password }) => password && unseal(password, keySecret),
  };
}

/** The refusal to create an object that may exist. */
export function describeUncertain(record: CreationRecord, idArgument: string): Message {
  const { title, name, organizationId, sentAt } = record;
  const quoted = JSON.stringify(name);
  return message("CDB4012.refused", {
    type: title,
    name: quoted,
    organization: organizationId,
    time: sentAt,
    idArgument,
  });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? toSingleLine(String(message), 200);
}
