import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { getSystemErrorMap } from "node:util";
import { applyChange, type Credentials, createEmptyState, type State } from "./state";

/** Stores state in one file of a folder. Only one write may run at a time. */
export type Store = ReturnType<typeof openStore>;

const FORMAT = 2;
const STATE_FILE = "state.json";
const OWNER_FILE = "pid";
const OTHER_FOLDER = "choose another folder with --data";

const ownFolders = new Set<string>();

/** A failed write, which stored nothing. */
export class NotStoredError extends Error {
  override readonly name = "NotStoredError";

  constructor(
    folder: string,
    /** The operating system's message. */
    readonly reason: string,
  ) {
    super(`cannot write to ${folder}: ${reason}; free some space or ${OTHER_FOLDER}`);
  }
}

/** Opens a folder. Only one simulator can use it at a time. */
export function openStore(folder: string) {
  const file = join(folder, STATE_FILE);
  const newFile = `${file}.new`;
  const owner = findOwner(folder);
  if (owner !== undefined) {
    throw new Error(
      `another simulator uses ${folder} (process ${owner}); stop it or ${OTHER_FOLDER}`,
    );
  }
  claim(folder);
  return {
    /** Undefined for a new folder. */
    load: () => (existsSync(file) ? parse(readFileSync(file, "utf8"), folder) : undefined),
    /** Atomic. Resolves once the data is durable if the process ends. */
    async save(state: State, credentials: Credentials): Promise<void> {
      try {
        await writeFile(newFile, JSON.stringify(contentOf(state, credentials)), { mode: 0o600 });
        await rename(newFile, file);
      } catch (error) {
        await rm(newFile, { force: true }).catch(() => undefined);
        throw new NotStoredError(folder, reasonOf(error));
      }
    },
    close(): void {
      ownFolders.delete(resolve(folder));
      rmSync(join(folder, OWNER_FILE), { force: true });
    },
  };
}

function findOwner(folder: string): number | undefined {
  const file = join(folder, OWNER_FILE);
  if (!existsSync(file)) return undefined;
  const [id, start = ""] = readFileSync(file, "utf8").split("\n");
  const owner = Number(id);
  // In a container, a killed process may have had this process's id.
  if (owner === process.pid) return ownFolders.has(resolve(folder)) ? owner : undefined;
  const isOther = [start, startOf(owner)].every((text) => text !== "") && start !== startOf(owner);
  return isRunning(owner) && !isOther ? owner : undefined;
}

/**
 * A process's start in system ticks, which distinguishes processes with equal ids; empty if
 * unknown.
 */
function startOf(processId: number): string {
  try {
    // The program's name, in parentheses, may contain spaces.
    const [, facts = ""] = readFileSync(`/proc/${processId}/stat`, "utf8").split(/\) (?!.*\) )/);
    return facts.split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function isRunning(processId: number): boolean {
  try {
    // A process id of 0 would mean this process's group.
    return processId > 0 && process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function claim(folder: string): void {
  try {
    createFolder(resolve(folder));
    const names = readdirSync(folder);
    if (names.length > 0 && !names.includes(STATE_FILE) && !names.includes(OWNER_FILE))
      throw foreignData(folder);
    const owner = `${process.pid}\n${startOf(process.pid)}`;
    writeFileSync(join(folder, OWNER_FILE), owner, { mode: 0o600 });
    ownFolders.add(resolve(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Error(`cannot store data in ${folder}: ${reasonOf(error)}; ${OTHER_FOLDER}`);
  }
}

/**
 * Creates one level at a time, since Node.js's recursive mkdir loops forever if a level cannot be
 * created.
 */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** The file's content. Lists keep the order of objects. */
function contentOf(
  { organizations, services, alerts, dashboards }: State,
  credentials: Credentials,
) {
  return {
    format: FORMAT,
    credentials,
    organizations: [...organizations.values()],
    services: [...services.values()],
    alerts: [...alerts.values()],
    dashboards,
  };
}

function parse(text: string, folder: string) {
  try {
    const {
      format,
      credentials,
      organizations,
      services,
      alerts,
      dashboards,
    }: ReturnType<typeof contentOf> = JSON.parse(text);
    if (format !== FORMAT) throw foreignData(folder);
    const state = createEmptyState(alerts, dashboards);
    for (const organization of organizations) applyChange(state, { organization });
    for (const service of services) applyChange(state, { service });
    return { state, credentials };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
    throw new Error(
      `${folder} is corrupted (${error.message}); restore it from a backup or ${OTHER_FOLDER}`,
    );
  }
}

function foreignData(folder: string): Error {
  return new Error(
    `${folder} contains data of another release or another program; ${OTHER_FOLDER}`,
  );
}

/** The operating system's message, without a path. */
function reasonOf(error: unknown): string {
  const { errno = 0, message } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno)?.[1] ?? message;
}
