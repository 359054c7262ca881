import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lastLines, npm, run } from "./command.mjs";
import { SetupError } from "./report.mjs";
import { root } from "./root.mjs";

const require = createRequire(import.meta.url);

/** Runs `work` in one process at a time; the others wait. The lock of a process that died expires. */
export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  const { lock } = await lockfile();
  const retries = { forever: true, factor: 1, minTimeout: 500 };
  const release = await lock(path, { realpath: false, stale: 30_000, retries });
  try {
    return await work();
  } finally {
    await release();
  }
}

/** proper-lockfile: until the dependencies are installed, from a temporary copy that no other process uses. */
async function lockfile() {
  try {
    return require("proper-lockfile");
  } catch {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
    const wanted = `proper-lockfile@${packages["node_modules/proper-lockfile"].version}`;
    const folder = mkdtempSync(join(tmpdir(), "clouddb-setup-"));
    try {
      const installed = await run(npm, ["install", "--prefix", folder, "--ignore-scripts", "--prefer-offline", wanted]);
      if (installed.code === 0) return require(join(folder, "node_modules/proper-lockfile"));
      throw new SetupError(`npm could not install ${wanted}; fix the error below.\n${lastLines(installed)}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
