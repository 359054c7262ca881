// Makes the files of the next release (`npm run prepare-release`): versions, CHANGELOG.md, everything generated, and the
// recorded states that later releases are tested with. The result is a pull request; see CONTRIBUTING.md.
import { join } from "node:path";
import { tool } from "./checks/tool.mjs";
import { bump } from "./release/bump.mjs";
import { build } from "./setup/build.mjs";
import { run } from "./setup/command.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runMain, SetupError } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

await runMain(async () => {
  await ensureDependencies();
  const version = await bump(root);
  await ensureDependencies();
  await build();
  const options = { cwd: root, env: { ...process.env, CLOUDDB_RECORD: "1" }, stdio: "inherit" };
  const test = [join(root, "tools/test.mjs"), "tests/engine/upgrade.test.ts"];
  const { code } = await run(process.execPath, test, options);
  if (code !== 0) throw new SetupError(`Version ${version} is prepared, but its upgrade test failed; see above.`);
  // Neither changesets nor the CLI format as this repository does.
  await tool("biome", "check", "--write", ".");
  console.log(`Version ${version} is prepared. Review the changes and merge them, then push the tag v${version}.`);
});
