import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ClassicLevel } from "classic-level";

/** LevelDB in a folder, with errors that users can act on. */
export type KeyValueStore = Awaited<ReturnType<typeof openKeyValueStore>>;

export type Write =
  | { readonly type: "put"; readonly key: string; readonly value: unknown }
  | { readonly type: "del"; readonly key: string };

/** A write that failed; nothing of it was stored. */
export class NotStoredError extends Error {
  override readonly name = "NotStoredError";
  /** The message of the operating system, without the folder. */
  readonly reason: string;

  constructor(folder: string, reason: string) {
    super(`cannot write to ${folder}: ${reason}; free some space or choose another folder with --data`);
    this.reason = reason;
  }
}

/** Opens a folder, which one process at a time can use. */
export async function openKeyValueStore(folder: string) {
  const level = await openLevel(folder);
  let isBroken = false;

  return {
    get: (key: string) => level.get(key),
    isEmpty: async () => (await level.keys({ limit: 1 }).all()).length === 0,
    keys: () => level.keys().all(),
    /** The values of all keys with this prefix, which ends in a colon: a semicolon comes right after it. */
    values: (prefix: string) => level.values({ gte: prefix, lt: prefix.replace(":", ";") }).all(),
    /** Atomic; resolves when the data would survive the process. */
    async write(writes: readonly Write[]): Promise<void> {
      try {
        if (isBroken) await reopen();
        await level.batch([...writes]);
      } catch (error) {
        isBroken = true;
        throw new NotStoredError(folder, reasonOf(error, folder));
      }
    },
    close: () => level.close(),
  };

  /** LevelDB can lose writes that follow a broken record in its log; opening it again starts a new log. */
  async function reopen(): Promise<void> {
    await level.close();
    await level.open();
    isBroken = false;
  }
}

async function openLevel(folder: string): Promise<ClassicLevel<string, unknown>> {
  try {
    createFolder(folder);
    // Loaded here, because most simulators keep their state in memory.
    const { ClassicLevel } = require("classic-level") as typeof import("classic-level");
    const level = new ClassicLevel<string, unknown>(folder, { valueEncoding: "json" });
    await level.open();
    return level;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    if (cause?.code === "LEVEL_LOCKED") {
      throw new Error(`another simulator uses ${folder}; stop it or choose another folder with --data`);
    }
    if (cause?.code === "LEVEL_CORRUPTION") throw corruptionError(folder, error);
    throw new Error(`cannot store data in ${folder}: ${cause?.message ?? message}; choose another folder with --data`);
  }
}

/** One level at a time: Node's recursive mkdir loops forever where a level cannot be created. */
function createFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  const parent = dirname(resolve(folder));
  if (parent !== resolve(folder)) createFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!statSync(folder, { throwIfNoEntry: false })) throw error;
  }
}

/** The error for a folder whose contents cannot be read. */
export function corruptionError(folder: string, error: unknown): Error {
  const reason = reasonOf(error, folder);
  return new Error(`${folder} is corrupted (${reason}); restore it from a backup or choose another folder with --data`);
}

function reasonOf(error: unknown, folder: string): string {
  const { message, cause } = error as Error & { cause?: Error };
  const last = (cause?.message ?? message).split(": ").at(-1) ?? "";
  return last === "" || last.includes(folder) ? "the storage failed" : last;
}
