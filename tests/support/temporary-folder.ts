import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that is removed after the tests of the file. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `clouddb-${name}-`));
  folders.push(folder);
  return folder;
}

/** A new folder, in memory where the machine has one: a disk takes milliseconds for each sync. */
export const folderInMemory = (name: string): string =>
  mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), `clouddb-${name}-`));

/** Every text file under a folder, as one text. */
export function textOf(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
}
