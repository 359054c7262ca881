import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import versions from "../../versions.json";
import { withLock } from "../support/lock";
import { lastLines, run } from "../support/process";
import { during, SetupError } from "../support/progress";
import { root } from "../support/repository";

type PythonPackage = keyof typeof versions.pythonTools;

/** A PyPI package with its version from versions.json. */
export const pinned = (name: PythonPackage): string => `${name}==${versions.pythonTools[name]}`;

/** The path of a command from a PyPI package. */
export async function ensurePythonCommand(
  from: PythonPackage,
  name: string = from,
): Promise<string> {
  return join(await ensurePythonPackages(from, [pinned(from)]), name);
}

/** The programs' folder of a separate Python environment, with packages installed once. */
export async function ensurePythonPackages(
  name: string,
  packages: readonly string[],
): Promise<string> {
  const folder = join(root, ".cache", name);
  const bin = join(folder, process.platform === "win32" ? "Scripts" : "bin");
  // Written last, because a complete environment cannot be moved into place.
  const installed = join(folder, "installed.txt");
  const isInstalled = () =>
    existsSync(installed) && readFileSync(installed, "utf8") === packages.join("\n");
  await withLock(folder, async () => {
    if (isInstalled()) return;
    rmSync(folder, { recursive: true, force: true });
    await during(`Installing ${packages.join(", ")}`, async () => {
      await succeed("python3", ["-m", "venv", folder]);
      await succeed(join(bin, "python"), ["-m", "pip", "install", "--quiet", ...packages]);
    });
    writeFileSync(installed, packages.join("\n"));
  });
  return bin;
}

async function succeed(command: string, args: readonly string[]): Promise<void> {
  const result = await run(command, args);
  if (result.code === 0) return;
  throw new SetupError(
    `${args.at(-1)} could not be installed: it needs Python ${versions.python} or later, and PyPI. See below.\n${lastLines(result)}`,
  );
}
