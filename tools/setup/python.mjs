import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lastLines, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during, SetupError } from "./report.mjs";
import { root } from "./root.mjs";
import { versions } from "./versions.mjs";

/** The path of a command of a package from PyPI, which is installed once, into an environment of its own. */
export async function ensurePythonCommand(name, { from = name } = {}) {
  const version = versions.pythonTools[from];
  const environment = join(root, ".cache", `${from}-${version}`);
  const path = join(environment, "bin", name);
  if (!existsSync(path)) {
    await withLock(environment, async () => {
      if (!existsSync(path)) await during(`Installing ${from} ${version}`, () => install(environment, from, version));
    });
  }
  return path;
}

async function install(environment, name, version) {
  for (const [command, ...args] of [
    ["python3", "-m", "venv", environment],
    [join(environment, "bin", "pip"), "install", "--quiet", `${name}==${version}`],
  ]) {
    const result = await run(command, args);
    if (result.code === 0) continue;
    rmSync(environment, { recursive: true, force: true });
    throw new SetupError(
      `${name} ${version} could not be installed: it needs Python ${versions.python} or later, and PyPI. See below.\n${lastLines(result)}`,
    );
  }
}
