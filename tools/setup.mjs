// Installs the dependencies, then runs a command of this folder: node tools/setup.mjs COMMAND
// [ARGUMENT...] The commands are in TypeScript, which Node 20 does not run; this file must work
// before anything is installed, and in versions of Node that are refused.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Overrides the environment, since commands need all packages, and failures need their reasons. */
const OPTIONS = ["--prefer-offline", "--include=dev", "--include=optional", "--loglevel=error"];
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));

const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const [oldest] = /\d+/.exec(engines.node);
if (Number.parseInt(process.versions.node, 10) < Number(oldest)) {
  process.stderr.write(
    `Node.js ${oldest} or later is needed, and this is ${process.version}. Nothing was installed.\n`,
  );
  process.exit(1);
}

// Written last, so that an interrupted installation is repeated.
const stamp = join(root, "node_modules/.installed");
const lock = readFileSync(join(root, "package-lock.json"));
const wanted = `${createHash("sha256").update(lock).digest("hex")} ${process.version}\n`;
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  rmSync(stamp, { force: true });
  process.stderr.write("Installing dependencies ...\n");
  // Standard output is for the command's results. On Windows, npm is a script that needs a shell.
  const options = {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
    shell: process.platform === "win32",
  };
  const { status } = spawnSync("npm", ["ci", ...OPTIONS], options);
  if (status !== 0) process.exit(1);
  writeFileSync(stamp, wanted);
}

const [command] = process.argv.splice(2, 1);
// Otherwise, tsx would leave a cache in the temporary folder.
process.env.TSX_DISABLE_CACHE = "1";
require("tsx/cjs");
try {
  await require(`./${command}.ts`).main();
} catch (error) {
  // The message of a SetupError or an unknown option is complete without a stack trace.
  const isPlain = error.name === "SetupError" || String(error.code).startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`${isPlain ? error.message : (error.stack ?? error)}\n`);
  process.exitCode = 1;
}
