import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { lastLines, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during, SetupError } from "./report.mjs";
import { root } from "./root.mjs";

/** A program of a Python package, installed in a separate environment if it is not there yet. */
export async function pythonProgram(name, version) {
  const environment = join(root, ".cache", `${name}-${version}`);
  const program = join(environment, "bin", name);
  await withLock(environment, async () => {
    if (!existsSync(program)) await during(`Installing ${name} ${version}`, () => install(environment, name, version));
  });
  return program;
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
      `${name} ${version} could not be installed: it needs Python 3.10 or later, and PyPI. See below.\n${lastLines(result)}`,
    );
  }
}
