// Builds the documentation site into dist/site (`npm run docs`).
//   --serve        shows it at an address of this machine, until Ctrl-C
//   --base /PATH/  for a site that is not at the root of its address
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { stage } from "./docs/stage";
import { lastLines, run, runInForeground } from "./support/process";
import { during, SetupError } from "./support/progress";
import { root } from "./support/repository";

export async function main(): Promise<void> {
  const { values } = parseArgs({ options: { serve: { type: "boolean" }, base: { type: "string", default: "/" } } });
  stage(join(root, ".cache/site"));
  const build = await during("Building the site", () =>
    run(process.execPath, vitepress("build", values.base), { cwd: root }),
  );
  if (build.code !== 0) throw new SetupError(`The site cannot be built:\n${lastLines(build, 40)}`);
  if (!values.serve) return console.log(join(root, "dist/site"));
  process.exitCode = await runInForeground(process.execPath, vitepress("preview", values.base), { cwd: root });
}

function vitepress(command: string, base: string): string[] {
  const folder = dirname(require.resolve("vitepress/package.json"));
  return [join(folder, "bin/vitepress.js"), command, "site", "--base", base];
}
