// Builds the documentation site into dist/site (`npm run docs`).
//   --serve        shows it at an address of this machine, until Ctrl-C
//   --base /PATH/  for a site that is not at the root of its address
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { stage } from "./docs/stage.mjs";
import { lastLines, run } from "./setup/command.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { during, runMain, SetupError } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

await runMain(async () => {
  const { values } = parseArgs({ options: { serve: { type: "boolean" }, base: { type: "string", default: "/" } } });
  await ensureDependencies();
  stage(join(root, ".cache/site"));
  const build = await during("Building the site", () => vitepress("build", values.base));
  if (build.code !== 0) throw new SetupError(`The site cannot be built:\n${lastLines(build, 40)}`);
  if (!values.serve) return void console.log(join(root, "dist/site"));
  // A Ctrl-C reaches the server itself.
  process.on("SIGINT", () => {});
  process.exitCode = (await vitepress("preview", values.base, { stdio: "inherit" })).code;
});

function vitepress(command, base, options = {}) {
  const manifest = createRequire(import.meta.url).resolve("vitepress/package.json");
  const program = join(dirname(manifest), "bin/vitepress.js");
  return run(process.execPath, [program, command, "site", "--base", base], { cwd: root, ...options });
}
