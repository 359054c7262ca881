import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";

const UNFINISHED = "unfinished-";
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Identifies the content of a folder. */
export interface Content {
  /** Changes with what the folder is made from: folders of another source are removed. */
  readonly source: string;
  /** Folders of the same source stand side by side. */
  readonly variant: string;
}

/** A folder that later processes find: it is made only if there is none with this content. Old ones are removed. */
export async function keptFolder(
  parent: string,
  { source, variant }: Content,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(parent, `${source}-${variant}`);
  mkdirSync(parent, { recursive: true });
  for (const name of readdirSync(parent)) {
    if (isOld(join(parent, name), name, source)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  if (!existsSync(folder)) await makeWhole(join(parent, `${UNFINISHED}${process.pid}`), folder, make);
  return folder;
}

async function makeWhole(unfinished: string, folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  mkdirSync(unfinished);
  try {
    await make(unfinished);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}

function isOld(folder: string, name: string, source: string): boolean {
  if (name.startsWith(UNFINISHED)) return !isAlive(Number(name.slice(UNFINISHED.length)));
  return !name.startsWith(`${source}-`) || Date.now() - statSync(folder).birthtimeMs >= MAX_AGE_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A copy in another place, from which Node.js looks for packages. Where the disk is the same, it takes no space. */
export function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}
