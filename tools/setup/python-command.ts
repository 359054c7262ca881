import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import versions from "../../versions.json";
import { withLock } from "../support/lock";
import { lastLines, run } from "../support/process";
import { during, SetupError } from "../support/progress";
import { root } from "../support/repository";

type Package = keyof typeof versions.pythonTools;

/** The path of a command of a package from PyPI, which is installed once, into an environment of its own. */
export async function ensurePythonCommand(from: Package, name: string = from): Promise<string> {
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

async function install(environment: string, name: string, version: string): Promise<void> {
  for (const [command, ...args] of [
    ["python3", "-m", "venv", environment],
    [join(environment, "bin", "pip"), "install", "--quiet", `${name}==${version}`],
  ] as const) {
    const result = await run(command, args);
    if (result.code === 0) continue;
    rmSync(environment, { recursive: true, force: true });
    throw new SetupError(
      `${name} ${version} could not be installed: it needs Python ${versions.python} or later, and PyPI. See below.\n${lastLines(result)}`,
    );
  }
}
