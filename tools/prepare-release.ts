// Makes the files of the next release (`npm run prepare-release`): versions, CHANGELOG.md, everything generated, and the
// recorded states that later releases are tested with. The result is a pull request; see CONTRIBUTING.md.
import { tool } from "./checks/tool";
import { bump } from "./release/bump";
import { lastLines, run } from "./support/process";
import { SetupError } from "./support/progress";
import { root } from "./support/repository";

export async function main(): Promise<void> {
  if (await isChanged()) {
    throw new SetupError(
      "There are uncommitted changes, which the preparation would be mixed with. Commit them first.",
    );
  }
  // Ctrl-C ends the command that runs, and this process says what it leaves.
  process.on("SIGINT", () => undefined);
  try {
    await prepare();
  } catch (error) {
    if (!(await isChanged())) throw error;
    const message = error instanceof SetupError ? error.message : (error as Error).stack;
    throw new SetupError(
      `${message}\nThe release is half prepared. To start over, run \`git restore . && git clean -d --force\`, which discards all that was changed.`,
    );
  }
}

async function prepare(): Promise<void> {
  const version = await bump(root);
  // New processes: these have read the old version.
  if ((await setup("build")) !== 0) throw new SetupError(`Version ${version} cannot be built; see above.`);
  if ((await setup("test", "tests/engine/upgrade.test.ts")) !== 0) {
    throw new SetupError(`The upgrade test of version ${version} failed; see above.`);
  }
  // Neither changesets nor the CLI format as this repository does.
  const formatted = await tool("biome", "check", "--write", ".");
  if (formatted.code !== 0) throw new SetupError(`biome failed; see below.\n${lastLines(formatted)}`);
  console.log(`Version ${version} is prepared. Review the changes and merge them, then push the tag v${version}.`);
}

async function isChanged(): Promise<boolean> {
  return (await run("git", ["status", "--porcelain"], { cwd: root })).stdout !== "";
}

async function setup(...command: string[]): Promise<number> {
  const options = { cwd: root, env: { ...process.env, CLOUDDB_RECORD: "1" }, stdio: "inherit" } as const;
  return (await run(process.execPath, ["tools/setup.mjs", ...command], options)).code;
}
