import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import versions from "../../versions.json";
import { withLock } from "../support/lock";
import { lastLines, run } from "../support/process";
import { during, SetupError } from "../support/progress";
import { root } from "../support/repository";

type PythonPackage = keyof typeof versions.pythonTools;

/** The path of a command of a package from PyPI, which is installed once, into an environment of its own. */
export async function ensurePythonCommand(from: PythonPackage, name: string = from): Promise<string> {
  const version = versions.pythonTools[from];
  const folder = join(root, ".cache", `${from}-${version}`);
  const path = join(folder, "bin", name);
  // The command itself is there before its packages are.
  const complete = join(folder, ".complete");
  if (existsSync(complete)) return path;
  await withLock(folder, async () => {
    if (existsSync(complete)) return;
    await during(`Installing ${from} ${version}`, async () => {
      for (const [command, ...args] of [
        ["python3", "-m", "venv", folder],
        [join(folder, "bin", "pip"), "install", "--quiet", `${from}==${version}`],
      ] as const) {
        const result = await run(command, args);
        if (result.code === 0) continue;
        rmSync(folder, { recursive: true, force: true });
        throw new SetupError(
          `${from} ${version} could not be installed: it needs Python ${versions.python} or later, and PyPI. See below.\n${lastLines(result)}`,
        );
      }
      writeFileSync(complete, "");
    });
  });
  return path;
}
