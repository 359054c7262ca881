import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lastLines, npm, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during, SetupError } from "./report.mjs";
import { root } from "./root.mjs";

const wanted = join(root, "package-lock.json");
/** A copy of the lock file that was installed; `npm ci` begins by removing it. */
const installed = join(root, "node_modules", ".installed-package-lock.json");

/** Installs the dependencies, unless those of the lock file are installed already. */
export async function ensureDependencies() {
  if (isInstalled()) return;
  await withLock(join(root, ".cache", "dependencies"), async () => {
    if (isInstalled()) return;
    const result = await during("Installing dependencies", () => run(npm, ["ci", "--prefer-offline"], { cwd: root }));
    if (result.code !== 0) throw new SetupError(`npm ci failed; fix the error below.\n${lastLines(result)}`);
    copyFileSync(wanted, installed);
  });
}

function isInstalled() {
  return existsSync(installed) && readFileSync(installed, "utf8") === readFileSync(wanted, "utf8");
}
