// Builds the documentation site into dist/site (`npm run docs`).   --serve        shows it at an
// address of this machine until Ctrl-C; pages reload when they change   --base /PATH/  for a site
// that is not at the root of its address
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { runInForeground } from "./support/process";
import { root } from "./support/repository";

export async function main(): Promise<void> {
  const { serve, base } = parseArgs({
    options: { serve: { type: "boolean" }, base: { type: "string", default: "/" } },
  }).values;
  const vitepress = join(dirname(require.resolve("vitepress/package.json")), "bin/vitepress.js");
  const args = [vitepress, serve ? "dev" : "build", "docs", "--base", base];
  process.exitCode = await runInForeground(process.execPath, args, { cwd: root });
}
