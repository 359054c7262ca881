// Installs the dependencies, then runs a command of this folder: node tools/setup.mjs [COMMAND [ARGUMENT...]]
// Without a command, it prepares everything that commands need: see ready.ts. The commands are in TypeScript, which
// Node 20 does not run; this file must work before anything is installed, and in versions of Node that are refused.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Overrides the environment: the commands need all packages, and failures need their reasons. */
const OPTIONS = ["--prefer-offline", "--include=dev", "--include=optional", "--loglevel=warn"];
const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, ".cache");
const { engines, workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

try {
  const [oldest] = /\d+/.exec(engines.node);
  if (Number.parseInt(process.versions.node, 10) < Number(oldest)) {
    throw setupError(`Node.js ${oldest} or later is needed, and this is ${process.version}. Nothing was installed.`);
  }
  // Also where everything is installed: a command that was killed at its end has left its folder.
  otherInstallations();
  if (!isInstalled()) await install();
  const [command = "ready"] = process.argv.splice(2, 1);
  // Its cache would stay in the temporary folder.
  process.env.TSX_DISABLE_CACHE = "1";
  require("tsx/cjs");
  await require(`./${command}.ts`).main();
} catch (error) {
  // A SetupError says everything that the user needs: what failed, and what to do. So does an option that is unknown.
  const isPlain = error.name === "SetupError" || String(error.code).startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`${isPlain ? error.message : (error.stack ?? error)}\n`);
  process.exitCode = 1;
}

/** True if each package of the lock file is there, in that version, whoever has installed it. */
function isInstalled() {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  try {
    const installed = JSON.parse(readFileSync(join(root, "node_modules/.package-lock.json"), "utf8")).packages;
    return Object.entries(packages).every(
      ([path, { version, optional, inBundle, link }]) =>
        !path.includes("node_modules/") ||
        link ||
        (optional && !isNeededHere(packages[path])) ||
        (installed[path]?.version === version && (inBundle || existsSync(join(root, path, "package.json")))),
    );
  } catch {
    return false;
  }
}

/** True for an optional package that is for this machine; others are never installed. */
function isNeededHere({ os, cpu, libc }) {
  const isHere = (names, name) => names === undefined || names.includes(name);
  // Only programs of one system are needed: npm leaves out whatever else cannot be built.
  return os !== undefined && libc === undefined && isHere(os, process.platform) && isHere(cpu, process.arch);
}

/** Installs into a folder of this process, and moves the whole into place: an interruption leaves nothing half done. */
async function install() {
  const folder = folderOf(process.pid);
  try {
    await waitForOthers();
    if (isInstalled()) return;
    // npm links the commands that it finds.
    const inPackages = workspaces.flatMap((name) => [`${name}/package.json`, `${name}/bin`]);
    for (const path of ["package.json", "package-lock.json", ".npmrc", ...inPackages]) {
      if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true });
    }
    await npmCi(folder);
    for (const path of ["", ...workspaces].map((name) => join(name, "node_modules"))) {
      // The old one moves away first: a removal takes a while, and can be interrupted.
      if (existsSync(join(root, path))) move(join(root, path), join(folder, "old", path));
      if (existsSync(join(folder, path))) move(join(folder, path), join(root, path));
    }
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOSPC"].includes(error.code)) throw error;
    throw setupError(
      `Cannot write to ${root} (${error.code}), where the dependencies are installed. Nothing was installed.`,
    );
  } finally {
    removeIfPossible(folder);
  }
}

function move(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** Waits until no other process installs. */
async function waitForOthers() {
  for (let isReported = false; ; isReported = true) {
    const [pid] = otherInstallations();
    if (pid === undefined) return;
    if (!isReported) {
      process.stderr.write(
        `Waiting for process ${pid}, which installs the dependencies. If it does something else, remove ${folderOf(pid)} ...\n`,
      );
    }
    await setTimeout(500);
  }
}

/** The processes that install; removes the folders of processes that were killed. */
function otherInstallations() {
  const folders = existsSync(cache) ? readdirSync(cache).filter((name) => name.startsWith("install-")) : [];
  const pids = folders.map((name) => Number(name.split("-")[1]));
  // A folder that cannot be removed, because npm still writes to it, is left to the next command.
  // In a container, a later process can have the id of one that was killed, even this one.
  const isOther = (pid) => pid !== process.pid && isRunning(pid);
  for (const pid of pids) if (!isOther(pid)) removeIfPossible(folderOf(pid));
  return pids.filter(isOther);
}

function folderOf(pid) {
  return join(cache, `install-${pid}`);
}

function removeIfPossible(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {}
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Runs `npm ci`, which ends with this process; prints its last lines only if it fails. */
async function npmCi(folder) {
  const startedAt = Date.now();
  process.stderr.write("Installing dependencies ...\n");
  const timer = setInterval(() => {
    process.stderr.write(`Installing dependencies ... ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  }, 10_000);
  const isWindows = process.platform === "win32";
  // Windows runs npm, a script, in a shell only; a group of its own ends as a whole.
  const options = { cwd: folder, stdio: ["ignore", "pipe", "pipe"], shell: isWindows, detached: !isWindows };
  const child = spawn("npm", ["ci", ...OPTIONS], options);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  let interruption;
  const end = (signal) => {
    interruption = signal;
    if (isWindows) child.kill();
    else process.kill(-child.pid, "SIGKILL");
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, end);
  const code = await new Promise((resolve) => {
    child.on("error", ({ message }) => (output += message)).on("close", resolve);
  });
  clearInterval(timer);
  for (const signal of signals) process.off(signal, end);
  if (interruption !== undefined) {
    removeIfPossible(folder);
    process.stderr.write("Interrupted; nothing was installed. The same command starts over.\n");
    process.exit(128 + constants.signals[interruption]);
  }
  if (code === 0) return;
  const lines = output.trim().split("\n").slice(-15).join("\n");
  throw setupError(`npm ci failed; fix the error below.\n${lines}`);
}

function setupError(message) {
  return Object.assign(new Error(message), { name: "SetupError" });
}
