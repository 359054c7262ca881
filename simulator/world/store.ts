import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ClassicLevel } from "classic-level";

/** LevelDB in a folder, with failures as sentences. */
export interface Store {
  readonly get: (key: string) => Promise<unknown>;
  readonly isEmpty: () => Promise<boolean>;
  readonly keys: () => Promise<string[]>;
  /** The values of all keys with this beginning, which ends in a colon. */
  readonly values: (prefix: string) => Promise<unknown[]>;
  /** All of it or nothing; done when it would survive the process. */
  readonly write: (operations: readonly Operation[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

export type Operation =
  | { readonly type: "put"; readonly key: string; readonly value: unknown }
  | { readonly type: "del"; readonly key: string };

/** A write that failed; nothing of it was kept. */
export class NotStoredError extends Error {
  override readonly name = "NotStoredError";
  /** What the operating system says, without the folder. */
  readonly reason: string;

  constructor(folder: string, reason: string) {
    super(`${folder} cannot be written: ${reason}; choose another folder with --data, or make room`);
    this.reason = reason;
  }
}

/** Opens a folder, which one process at a time may use. */
export async function openStore(folder: string): Promise<Store> {
  const level = await opened(folder);
  let isBroken = false;

  return {
    get: (key) => level.get(key),
    isEmpty: async () => (await level.keys({ limit: 1 }).all()).length === 0,
    keys: () => level.keys().all(),
    // A semicolon is next to a colon.
    values: (prefix) => level.values({ gte: prefix, lt: prefix.replace(":", ";") }).all(),
    async write(operations) {
      try {
        if (isBroken) await reopen();
        await level.batch([...operations]);
      } catch (error) {
        isBroken = true;
        throw new NotStoredError(folder, reasonOf(error, folder));
      }
    },
    close: () => level.close(),
  };

  /** What a failed write has left in the log could take later writes with it, so these get a log of their own. */
  async function reopen(): Promise<void> {
    await level.close();
    await level.open();
    isBroken = false;
  }
}

async function opened(folder: string): Promise<ClassicLevel<string, unknown>> {
  try {
    makeFolder(folder);
    const level = new ClassicLevel<string, unknown>(folder, { valueEncoding: "json" });
    await level.open();
    return level;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    if (cause?.code === "LEVEL_LOCKED") {
      throw new Error(`another simulator uses ${folder}; end it, or choose another folder with --data`);
    }
    if (cause?.code === "LEVEL_CORRUPTION") throw damaged(folder, error);
    throw new Error(`${folder} cannot be used to keep data in: ${cause?.message ?? message}`);
  }
}

/** Folder by folder: Node's own way to make several spins for ever where one of them cannot be made. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })) return;
  const parent = dirname(resolve(folder));
  if (parent !== resolve(folder)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })) throw error;
  }
}

/** What is said of a folder whose contents cannot be read. */
export function damaged(folder: string, error: unknown): Error {
  const reason = reasonOf(error, folder);
  return new Error(`${folder} is damaged (${reason}): restore it from a copy, or choose another folder with --data`);
}

function reasonOf(error: unknown, folder: string): string {
  const { message, cause } = error as Error & { cause?: Error };
  const last = (cause?.message ?? message).split(": ").at(-1) ?? "";
  return last === "" || last.includes(folder) ? "the storage failed" : last;
}
