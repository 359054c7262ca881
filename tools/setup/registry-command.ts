import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import versions from "../../versions.json";
import { withLock } from "../support/lock";
import { lastLines, npm, run } from "../support/process";
import { during, SetupError } from "../support/progress";
import { root } from "../support/repository";

type PythonPackage = keyof typeof versions.pythonTools;
type NpmPackage = keyof typeof versions.npmTools;

/** The path of a command of a package from PyPI, which is installed once, into an environment of its own. */
export function ensurePythonCommand(from: PythonPackage, name: string = from): Promise<string> {
  const version = versions.pythonTools[from];
  const needs = `Python ${versions.python} or later, and PyPI`;
  return ensureCommand(from, version, needs, join("bin", name), (folder) => [
    ["python3", "-m", "venv", folder],
    [join(folder, "bin", "pip"), "install", "--quiet", `${from}==${version}`],
  ]);
}

/** The path of a command of a package from npm, which is installed once, into a folder of its own. */
export function ensureNpmCommand(from: NpmPackage, name: string): Promise<string> {
  const version = versions.npmTools[from];
  return ensureCommand(from, version, "npm's registry", join("node_modules", ".bin", name), (folder) => {
    mkdirSync(folder, { recursive: true });
    return [[npm, "install", "--prefix", folder, "--ignore-scripts", "--loglevel=error", `${from}@${version}`]];
  });
}

async function ensureCommand(
  from: string,
  version: string,
  needs: string,
  place: string,
  installation: (folder: string) => readonly (readonly [string, ...string[]])[],
): Promise<string> {
  const folder = join(root, ".cache", `${from.replace(/^@.*\//, "")}-${version}`);
  const path = join(folder, place);
  // The command itself is there before its packages are.
  const complete = join(folder, ".complete");
  if (existsSync(complete)) return path;
  await withLock(folder, async () => {
    if (existsSync(complete)) return;
    await during(`Installing ${from} ${version}`, async () => {
      for (const [command, ...args] of installation(folder)) {
        const result = await run(command, args);
        if (result.code === 0) continue;
        rmSync(folder, { recursive: true, force: true });
        throw new SetupError(
          `${from} ${version} could not be installed: it needs ${needs}. See below.\n${lastLines(result)}`,
        );
      }
      writeFileSync(complete, "");
    });
  });
  return path;
}
