// Builds the documentation site into dist/site (`npm run docs`).
//   --serve        shows it at an address of this machine until Ctrl-C; pages reload when a file of docs/ changes
//   --base /PATH/  for a site that is not at the root of its address
import { rmSync, watch } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { stage } from "./docs/stage";
import { lastLines, run, runInForeground } from "./support/process";
import { during, SetupError } from "./support/progress";
import { root } from "./support/repository";

export async function main(): Promise<void> {
  const { serve, base } = parseArgs({
    options: { serve: { type: "boolean" }, base: { type: "string", default: "/" } },
  }).values;
  const folder = join(root, ".cache/site");
  rmSync(folder, { recursive: true, force: true });
  stage(folder);
  const program = join(dirname(require.resolve("vitepress/package.json")), "bin/vitepress.js");
  const vitepress = (command: string) => [program, command, "docs", "--base", base];
  if (serve) {
    for (const pages of ["docs", "README.md"]) watch(join(root, pages), { recursive: true }, () => stage(folder));
    process.exitCode = await runInForeground(process.execPath, vitepress("dev"), { cwd: root });
    return;
  }
  const build = await during("Building the site", () => run(process.execPath, vitepress("build"), { cwd: root }));
  if (build.code !== 0) throw new SetupError(`The site cannot be built:\n${lastLines(build, 40)}`);
  console.log(join(root, "dist/site"));
}
