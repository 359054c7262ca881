// Prints the slow test runs of .ci/run that concern what has changed since the commit CLOUDDB_BASE,
// by default the last one; all of them with CLOUDDB_EVERYTHING=1.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "./support/process";
import { root } from "./support/repository";

/** A jest project or a run of .ci/run, with the folders and files that it tests. */
export interface SlowProject {
  readonly displayName: string;
  readonly slow: readonly string[];
}

export async function main(): Promise<void> {
  const { slow }: { slow: readonly SlowProject[] } = require("../jest.config.cjs");
  console.log(slowProjects(slow, await changedFiles()).join(" "));
}

/** Undefined if all files count, as in a shallow clone without the earlier commit. */
async function changedFiles(): Promise<string[] | undefined> {
  const { CLOUDDB_EVERYTHING, CLOUDDB_BASE = "HEAD^" } = process.env;
  if (CLOUDDB_EVERYTHING) return undefined;
  // Without renames, so that a file moved out of a folder counts as a change there.
  const args = ["diff", "--name-only", "--no-renames", CLOUDDB_BASE, "HEAD"];
  const { code, stdout } = await run("git", args, { cwd: root });
  return code === 0 ? stdout.split("\n") : undefined;
}

/** The slow projects for changed files; all of them if the changes are undefined. */
export function slowProjects(
  projects: readonly SlowProject[],
  changed?: readonly string[],
): string[] {
  const missing = projects
    .flatMap(({ slow }) => slow)
    .filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0)
    throw new Error(`jest.config.cjs names paths that do not exist: ${missing.join(", ")}`);
  const hasChanged = (path: string) =>
    changed?.some((file) => file === path || file.startsWith(`${path}/`)) ?? true;
  return projects.filter(({ slow }) => slow.some(hasChanged)).map(({ displayName }) => displayName);
}
