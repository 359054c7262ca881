// Makes the files of the next release (`npm run prepare-release`): versions, CHANGELOG.md, everything generated, and the
// recorded states that later releases are tested with. The result is a pull request; see CONTRIBUTING.md.
import { tool } from "./checks/tool";
import { bump } from "./release/bump";
import { run } from "./support/process";
import { SetupError } from "./support/progress";
import { root } from "./support/repository";

export async function main(): Promise<void> {
  const version = await bump(root);
  // New processes: the dependencies are installed again, since the lock file has changed.
  if ((await setup("build")) !== 0) throw new SetupError(`Version ${version} cannot be built; see above.`);
  if ((await setup("test", "tests/engine/upgrade.test.ts")) !== 0) {
    throw new SetupError(`Version ${version} is prepared, but its upgrade test failed; see above.`);
  }
  // Neither changesets nor the CLI format as this repository does.
  await tool("biome", "check", "--write", ".");
  console.log(`Version ${version} is prepared. Review the changes and merge them, then push the tag v${version}.`);
}

async function setup(...command: string[]): Promise<number> {
  const options = { cwd: root, env: { ...process.env, CLOUDDB_RECORD: "1" }, stdio: "inherit" } as const;
  return (await run(process.execPath, ["tools/setup.mjs", ...command], options)).code;
}
