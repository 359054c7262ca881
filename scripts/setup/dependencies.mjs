import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastLines, npm, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during, SetupError } from "./report.mjs";
import { root } from "./root.mjs";

const STAMP = join(root, "node_modules", ".lock-hash");

/** Installs what the lock file says, unless it is there already. */
export async function ensureDependencies() {
  if (isFresh()) return;
  await withLock(join(root, ".cache", "dependencies.lock"), async () => {
    if (isFresh()) return;
    const result = await during("installing dependencies", () => run(npm, ["ci", "--prefer-offline"], { cwd: root }));
    if (result.code !== 0) {
      throw new SetupError(
        `Dependencies could not be installed: see below, then run \`npm ci\` yourself.\n${lastLines(result)}`,
      );
    }
    writeFileSync(STAMP, lockHash());
  });
}

function isFresh() {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === lockHash();
}

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}
