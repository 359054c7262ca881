import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names the processes that use a folder. */
const USERS = "users";
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Identifies the content of a folder. */
export interface Content {
  /** Changes with what the folder is made from: folders of another source are removed. */
  readonly source: string;
  /** Folders of the same source stand side by side. */
  readonly variant: string;
}

/**
 * A temporary folder that later processes find through a link: it is made only if there is none with this content. Old
 * ones are removed, unless a process uses them.
 */
export async function keptFolder(
  links: string,
  { source, variant }: Content,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const link = join(links, `${source}-${variant}`);
  mkdirSync(links, { recursive: true });
  for (const name of readdirSync(links)) removeOld(join(links, name), name.startsWith(`${source}-`));
  if (!existsSync(link)) await makeLinked(link, make);
  const folder = realpathSync(link);
  writeFileSync(join(folder, USERS, String(process.pid)), "");
  return folder;
}

/** Ends the use of a folder by this process. */
export function releaseFolder(folder: string): void {
  rmSync(join(folder, USERS, String(process.pid)), { force: true });
}

async function makeLinked(link: string, make: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-kept-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  // An interruption ends the process; nothing would find the folder without its link.
  process.once("exit", remove);
  try {
    mkdirSync(join(folder, USERS));
    await make(folder);
    symlinkSync(folder, link, "junction");
  } catch (error) {
    remove();
    // Another process was faster.
    if (!existsSync(link)) throw error;
  } finally {
    process.off("exit", remove);
  }
}

function removeOld(link: string, isCurrent: boolean): void {
  if (existsSync(link)) {
    if ((isCurrent && Date.now() - statSync(link).birthtimeMs < MAX_AGE_MS) || isInUse(link)) return;
    rmSync(realpathSync(link), { recursive: true, force: true });
  }
  rmSync(link, { force: true });
}

function isInUse(folder: string): boolean {
  return readdirSync(join(folder, USERS)).some((pid) => {
    try {
      return process.kill(Number(pid), 0);
    } catch {
      return false;
    }
  });
}
