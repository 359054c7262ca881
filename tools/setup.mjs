// Installs the dependencies, then runs a command of this folder: node tools/setup.mjs [COMMAND [ARGUMENT...]]
// Without a command, it prepares everything that commands need: see ready.ts. The commands are in TypeScript, which Node
// 20 does not run; this file must work before anything is installed.
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));
const lockFile = join(root, "package-lock.json");
/** A copy of the lock file that was installed; `npm ci` begins by removing it. */
const installedLockFile = join(root, "node_modules", ".installed-package-lock.json");

try {
  if (!isInstalled()) await install();
  const [command = "ready"] = process.argv.splice(2, 1);
  require("tsx/cjs");
  await require(`./${command}.ts`).main();
} catch (error) {
  // A SetupError says everything that the user needs: what failed, and what to do.
  process.stderr.write(`${error.name === "SetupError" ? error.message : (error.stack ?? error)}\n`);
  process.exitCode = 1;
}

function isInstalled() {
  return existsSync(installedLockFile) && readFileSync(installedLockFile, "utf8") === readFileSync(lockFile, "utf8");
}

/** Installs in one process at a time; the others wait. The lock of a process that died expires. */
async function install() {
  const { lock } = await lockLibrary();
  const path = join(root, ".cache", "dependencies");
  mkdirSync(join(root, ".cache"), { recursive: true });
  const retries = { forever: true, factor: 1, minTimeout: 500 };
  const release = await lock(path, { realpath: false, stale: 30_000, retries });
  try {
    if (isInstalled()) return;
    const startedAt = Date.now();
    process.stderr.write("Installing dependencies ...\n");
    const timer = setInterval(() => {
      process.stderr.write(`Installing dependencies ... ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
    }, 10_000);
    await npm("npm ci failed", "ci", "--prefer-offline").finally(() => clearInterval(timer));
    copyFileSync(lockFile, installedLockFile);
  } finally {
    await release();
  }
}

/** proper-lockfile: until the dependencies are installed, from a temporary copy that no other process uses. */
async function lockLibrary() {
  try {
    return require("proper-lockfile");
  } catch {
    const { packages } = JSON.parse(readFileSync(lockFile, "utf8"));
    const wanted = `proper-lockfile@${packages["node_modules/proper-lockfile"].version}`;
    const folder = mkdtempSync(join(tmpdir(), "clouddb-setup-"));
    try {
      const flags = ["--prefix", folder, "--ignore-scripts", "--prefer-offline"];
      await npm(`npm could not install ${wanted}`, "install", ...flags, wanted);
      return require(join(folder, "node_modules/proper-lockfile"));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Runs npm; prints its last lines only if it fails. */
function npm(failure, ...args) {
  const command = process.platform === "win32" ? "npm.cmd" : "npm";
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => (output[name] += chunk));
  return new Promise((resolve, reject) => {
    const fail = (text) => {
      const lines = text.trim().split("\n").slice(-15).join("\n");
      reject(Object.assign(new Error(`${failure}; fix the error below.\n${lines}`), { name: "SetupError" }));
    };
    child.on("error", ({ message }) => fail(message));
    child.on("close", (code) => (code === 0 ? resolve() : fail(`${output.stdout}\n${output.stderr}`)));
  });
}
