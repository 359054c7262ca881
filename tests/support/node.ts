import { homedir } from "node:os";
import { dirname } from "node:path";
import { lastLines, npx, run } from "../../tools/support/process";
import { SetupError } from "../../tools/support/progress";

/** The folder of a Node version's program: of this process, or from npm, which has the programs themselves. */
export async function nodeFolder(major: number): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return dirname(process.execPath);
  const platform = `${process.platform.replace("win32", "win")}-${process.arch}`;
  const args = [
    "--yes",
    "--ignore-scripts",
    "--package",
    `node-${platform}@${major}`,
    "node",
    "-p",
    "process.execPath",
  ];
  // npx runs the packages of its folder and of those around it first: not the repository's, nor what other users put
  // into the temporary folder.
  const found = await run(npx, args, { cwd: homedir() });
  if (found.code !== 0) throw new SetupError(`npm could not install Node ${major}; see below.\n${lastLines(found)}`);
  return dirname(found.stdout.trim());
}
