import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Redis } from "ioredis";
import type { JournalStore } from "./creation-journal";
import { COMMAND_TIMEOUT_MS, close, type Failure, reasonOf, redisConnection, within } from "./redis-connection";

type Environment = Readonly<Record<string, string | undefined>>;

/** The place of the journal: the one that is set, or a folder in Pulumi's home; none where it is off, or there is no home. */
export function journalPlace(setting: string | undefined, { PULUMI_HOME, HOME, USERPROFILE }: Environment) {
  if (setting === "off") return undefined;
  const user = HOME || USERPROFILE;
  const home = PULUMI_HOME || (user && join(user, ".pulumi"));
  return setting || (home && join(home, "clouddb-creations")) || undefined;
}

/** The records in a place. */
export function openStore(place: string): JournalStore {
  return isRedis(place) ? journalOnRedis(new URL(place)) : journalFolder(place);
}

/** A place as messages name it: an address may hold a password. */
export function nameOfPlace(place: string): string {
  return isRedis(place) ? `Redis at ${new URL(place).host}` : place;
}

const isRedis = (place: string) => /^rediss?:/.test(place);

/** One hash for all records: a user of the server needs the right to this key alone. */
const REDIS_KEY = "clouddb:creations";

/** Records on a server, for machines without a disk of their own. The server decides how durable they are. */
function journalOnRedis(server: URL): JournalStore {
  const connected = redisConnection<Redis>(server);

  async function ask<Result>(command: (redis: Redis) => Promise<Result>): Promise<Result> {
    const current = connected();
    try {
      return (await within(COMMAND_TIMEOUT_MS, command(await current))).result;
    } catch (error) {
      current.then(close, () => {});
      throw new Error(reasonOf(server, error as Failure));
    }
  }

  return {
    get: async (name) => (await ask((redis) => redis.hget(REDIS_KEY, name))) ?? undefined,
    put: async (name, text) => void (await ask((redis) => redis.hset(REDIS_KEY, name, text))),
    remove: async (name) => void (await ask((redis) => redis.hdel(REDIS_KEY, name))),
    names: () => ask((redis) => redis.hkeys(REDIS_KEY)),
  };
}

/** Records in a folder, a file each that only its owner can read. */
function journalFolder(folder: string): JournalStore {
  const pathOf = (name: string) => join(folder, `${name}.json`);

  /** A rename, a new file and a removal last only once their folder has been written, too. */
  async function syncFolder(): Promise<void> {
    // Windows can open no folder, and needs none to be written.
    if (process.platform === "win32") return;
    const handle = await open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  return {
    async get(name) {
      try {
        return await readFile(pathOf(name), "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    async put(name, text) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = join(folder, `.${name}.${randomBytes(6).toString("hex")}`);
      try {
        const handle = await open(temporary, "wx", 0o600);
        try {
          await handle.writeFile(text);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(temporary, pathOf(name));
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
      await syncFolder();
    },
    async remove(name) {
      await rm(pathOf(name), { force: true });
    },
    async names() {
      const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return [];
        throw error;
      });
      return entries.flatMap((entry) => /^([0-9a-f]+)\.json$/.exec(entry)?.[1] ?? []);
    },
  };
}
