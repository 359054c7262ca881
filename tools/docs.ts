// Builds the documentation site into dist/site (`npm run docs`).
//   --serve        shows it at an address of this machine, until Ctrl-C
//   --dev          the same while it is written: pages reload when a file of docs/ changes
//   --port NUMBER  another port than 4173
//   --base /PATH/  for a site that is not at the root of its address
import { once } from "node:events";
import { rmSync, watch } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { stage } from "./docs/stage";
import { lastLines, run, runInForeground } from "./support/process";
import { during, SetupError } from "./support/progress";
import { root } from "./support/repository";

const HOST = "127.0.0.1";

export async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      serve: { type: "boolean" },
      dev: { type: "boolean" },
      port: { type: "string", default: "4173" },
      base: { type: "string", default: "/" },
    },
  });
  const { serve, dev, port, base } = values;
  const folder = join(root, ".cache/site");
  if (serve || dev) await assertFree(Number(port));
  rmSync(folder, { recursive: true, force: true });
  stage(folder);
  const listen = ["--host", HOST, "--port", port];
  if (dev) {
    for (const pages of ["docs", "README.md"]) watch(join(root, pages), { recursive: true }, () => stage(folder));
    process.exitCode = await runInForeground(process.execPath, vitepress("dev", base, ...listen), { cwd: root });
    return;
  }
  const build = await during("Building the site", () => run(process.execPath, vitepress("build", base), { cwd: root }));
  if (build.code !== 0) throw new SetupError(`The site cannot be built:\n${lastLines(build, 40)}`);
  if (!serve) return console.log(join(root, "dist/site"));
  // VitePress's own preview listens on every address of the machine.
  const preview = [viteProgram(), "preview", "--outDir", "dist/site", "--base", base, ...listen];
  process.exitCode = await runInForeground(process.execPath, preview, { cwd: root });
}

/** VitePress would print a stack trace, or take another port. */
async function assertFree(port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen(port, HOST);
    await once(server, "listening");
  } catch (error) {
    throw new SetupError(
      `Port ${port} cannot be used (${(error as NodeJS.ErrnoException).code}); choose another one with --port.`,
    );
  } finally {
    server.close();
  }
}

const vitepressFolder = () => dirname(require.resolve("vitepress/package.json"));

/** The program that VitePress is made with. */
function viteProgram(): string {
  return join(dirname(require.resolve("vite/package.json", { paths: [vitepressFolder()] })), "bin/vite.js");
}

function vitepress(command: string, base: string, ...args: string[]): string[] {
  return [join(vitepressFolder(), "bin/vitepress.js"), command, "docs", "--base", base, ...args];
}
