import { randomUUID } from "node:crypto";
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Redis } from "ioredis";
import { pulumiHome, withoutPassword } from "../session/backend";
import type { Environment } from "../session/environment";
import { COMMAND_TIMEOUT_MS, redisCommands } from "./redis-connection";

/** A store of texts by name. Names consist of letters and digits. */
export interface JournalStore {
  /** The place of the store in messages. */
  readonly place: string;
  /** The place of the store as a command-line argument. */
  readonly argument: string;
  /** True if other machines may use the same store. */
  readonly isShared: boolean;
  /** The place of a record in messages. */
  readonly locate: (name: string) => string;
  readonly get: (name: string) => Promise<string | undefined>;
  /** Returns false if the name is taken. */
  readonly create: (name: string, text: string) => Promise<boolean>;
  readonly put: (name: string, text: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  /** Records of all processes. */
  readonly entries: () => Promise<readonly StoredRecord[]>;
}

interface StoredRecord {
  readonly name: string;
  readonly text?: string;
  readonly error?: unknown;
}

/**
 * Opens the configured journal, or the default one in Pulumi's home. Undefined if the journal is
 * off.
 */
export function openStore(
  setting: string | undefined,
  environment: Environment,
  redact: (text: string) => string,
): JournalStore | undefined {
  if (setting === "off") return undefined;
  if (setting)
    return /^rediss?:/i.test(setting) ? journalOnRedis(setting, redact) : journalFolder(setting);
  return journalFolder(join(pulumiHome(environment, process.cwd()), "clouddb-creations"));
}

/** A store for this process: the engine may repeat a creation within a command. */
export function memoryStore(): JournalStore {
  const texts = new Map<string, string>();
  return {
    place: "this process",
    argument: "off",
    isShared: false,
    locate: (name) => name,
    get: async (name) => texts.get(name),
    create: async (name, text) => !texts.has(name) && Boolean(texts.set(name, text)),
    put: async (name, text) => void texts.set(name, text),
    remove: async (name) => void texts.delete(name),
    entries: async () => [],
  };
}

/** Bounds the size of a read, since other clients use the server. */
const BATCH = 100;

/** The names of records. Files with other names do not belong to the journal. */
const RECORD_NAME = /^[0-9a-f]+$/;

/** One hash for all records: users of the server need permission for this key only. */
const REDIS_KEY = "clouddb:creations";

/**
 * Records on a server, for machines without a durable disk. The server's settings decide its
 * durability.
 */
function journalOnRedis(address: string, redact: (text: string) => string): JournalStore {
  const place = `Redis at ${new URL(address).host}`;
  const send = redisCommands(new URL(address), redact);
  const ask = <Result>(command: (redis: Redis) => Promise<Result>) =>
    send(COMMAND_TIMEOUT_MS, command);

  return {
    place,
    argument: withoutPassword(address),
    isShared: true,
    locate: (name) => `${name} in ${place}`,
    get: async (name) => (await ask((redis) => redis.hget(REDIS_KEY, name))) ?? undefined,
    create: async (name, text) => (await ask((redis) => redis.hsetnx(REDIS_KEY, name, text))) === 1,
    put: async (name, text) => void (await ask((redis) => redis.hset(REDIS_KEY, name, text))),
    remove: async (name) => void (await ask((redis) => redis.hdel(REDIS_KEY, name))),
    async entries() {
      const entries = new Map<string, string>();
      for (let cursor = ""; cursor !== "0"; ) {
        const [next, items] = await ask((redis) =>
          redis.hscan(REDIS_KEY, cursor || "0", "COUNT", BATCH),
        );
        for (let index = 0; index < items.length; index += 2)
          entries.set(items[index] ?? "", items[index + 1] ?? "");
        cursor = next;
      }
      return [...entries]
        .filter(([name]) => RECORD_NAME.test(name))
        .map(([name, text]) => ({ name, text }));
    },
  };
}

/** Records in a folder, one file each, readable only by its owner. */
function journalFolder(folder: string): JournalStore {
  const pathOf = (name: string) => join(folder, `${name}.json`);
  const get = (name: string) => readFile(pathOf(name), "utf8").catch(insteadOfAbsent(undefined));

  /** Writes a record to a temporary file, to which `publish` gives the record's name. */
  async function write(
    name: string,
    text: string,
    publish: (temporary: string) => Promise<void>,
  ): Promise<void> {
    const outermost = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (outermost !== undefined) await syncParents(dirname(pathOf(name)), outermost);
    const temporary = join(folder, `.${randomUUID()}`);
    try {
      await sync(temporary, "wx", (file) => file.writeFile(text));
      await publish(temporary);
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
    await syncFolder(folder);
  }

  return {
    place: folder,
    argument: folder,
    isShared: false,
    locate: pathOf,
    get,
    async create(name, text) {
      let isNew = true;
      const publish = (temporary: string) =>
        link(temporary, pathOf(name)).catch((error: NodeJS.ErrnoException) => {
          if (error.code === "EEXIST") throw error;
          // Without hard links, a crash may leave an incomplete record, which counts as damaged.
          return sync(pathOf(name), "wx", (file) => file.writeFile(text));
        });
      await write(name, text, (temporary) =>
        publish(temporary).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "EEXIST") throw error;
          isNew = false;
        }),
      );
      return isNew;
    },
    put: (name, text) => write(name, text, (temporary) => rename(temporary, pathOf(name))),
    remove: (name) => rm(pathOf(name), { force: true }),
    async entries() {
      const files = await readdir(folder).catch(insteadOfAbsent([]));
      const entries: StoredRecord[] = [];
      for (const name of files.flatMap((file) => /^([0-9a-f]+)\.json$/.exec(file)?.[1] ?? [])) {
        const text = await get(name).catch((error: unknown) => void entries.push({ name, error }));
        // Another command may have removed the record meanwhile.
        if (typeof text === "string") entries.push({ name, text });
      }
      return entries;
    },
  };
}

/** Turns the error about a missing file into an answer; rethrows other errors. */
function insteadOfAbsent<Answer>(answer: Answer): (error: NodeJS.ErrnoException) => Answer {
  return (error) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return answer;
    throw error;
  };
}

/** Syncs a file or folder to disk. */
async function sync(
  path: string,
  flags: "r" | "wx",
  work: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await work(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename or new file is durable only after its folder was synced. */
async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders, and some network file systems cannot sync them.
  if (process.platform === "win32") return;
  await sync(folder, "r", async () => {}).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EINVAL" && error.code !== "ENOTSUP") throw error;
  });
}

/** A new folder is durable only after its parent was synced. */
async function syncParents(folder: string, outermost: string): Promise<void> {
  const parent = dirname(folder);
  await syncFolder(parent);
  if (folder !== outermost && folder !== parent) await syncParents(parent, outermost);
}
