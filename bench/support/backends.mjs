// Servers that store states, each in a temporary folder: PostgreSQL, and an S3-compatible store.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "./free-port.mjs";
import { ensureS3Gateway, findPostgres, root } from "./tools.mjs";

export const BACKENDS = { files: withFiles, PostgreSQL: withPostgres, S3: withS3 };

/** Passes on the environment of commands that store their states in files. */
function withFiles(work) {
  return inFolder((folder) => work({ PULUMI_BACKEND_URL: `file://${folder}` }));
}

function withPostgres(work) {
  const bin = findPostgres();
  if (bin === undefined) throw new Error("There is no PostgreSQL server; install Debian's package postgresql.");
  // It refuses to run as root.
  const user = process.getuid() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  return inFolder(async (folder) => {
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    const options = { cwd: folder, ...user, stdio: "ignore" };
    execFileSync(join(bin, "initdb"), ["--auth", "trust", "--username", "pulumi", folder], options);
    const port = await freePort();
    const args = ["-D", folder, "-p", `${port}`, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
    const isReady = () => succeeds(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", `${port}`]);
    const url = `postgres://pulumi@127.0.0.1:${port}/postgres?sslmode=disable`;
    return during(spawn(join(bin, "postgres"), args, options), isReady, () => work({ PULUMI_BACKEND_URL: url }));
  });
}

async function withS3(work) {
  const program = await ensureS3Gateway();
  return inFolder(async (folder) => {
    mkdirSync(join(folder, "states"));
    const port = await freePort();
    const env = { ...process.env, ROOT_ACCESS_KEY: "bench", ROOT_SECRET_KEY: "bench-secret" };
    const gateway = spawn(program, ["--quiet", "--port", `127.0.0.1:${port}`, "posix", folder], {
      env,
      stdio: "ignore",
    });
    const endpoint = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      );
    const url = `s3://states?endpoint=${endpoint}&s3ForcePathStyle=true&region=us-east-1`;
    const credentials = { AWS_ACCESS_KEY_ID: "bench", AWS_SECRET_ACCESS_KEY: "bench-secret" };
    return during(gateway, isReady, () => work({ PULUMI_BACKEND_URL: url, ...credentials }));
  });
}

async function inFolder(work) {
  // On the disk of the repository: a temporary folder may be in memory.
  const folder = mkdtempSync(join(root, ".cache", "bench-backend-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Works while a server runs, which is ended by the signal that both take for "at once". */
async function during(server, isReady, work) {
  const ended = once(server, "exit");
  try {
    while (!(await isReady())) {
      if (server.exitCode !== null) throw new Error(`${server.spawnfile} has ended with exit code ${server.exitCode}.`);
      await setTimeout(50);
    }
    return await work();
  } finally {
    server.kill("SIGQUIT");
    await ended;
  }
}

function idOf(kind) {
  return Number(execFileSync("id", [kind, "postgres"], { encoding: "utf8" }));
}

function succeeds(program, args) {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
