import {
  type ChildProcess,
  execFileSync,
  type SpawnOptions,
  spawn,
  spawnSync,
} from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "../../support/local-server";
import { textOf } from "../../support/temporary-folder";

/** Where the stacks of this jest project have their states: see jest.config.cjs. */
export const BACKEND = (globalThis as { BACKEND?: "postgres" | "s3" }).BACKEND ?? "files";

/** The password that Pulumi has for a server. */
export const PASSWORD = "canary-of-the-server";
const ADMIN_PASSWORD = "admin";
/** The set-up of docs/guides/store-states.md: a role that owns one database, and nothing else. */
const SETUP = [
  `CREATE ROLE pulumi LOGIN PASSWORD '${PASSWORD}'`,
  "CREATE DATABASE pulumi OWNER pulumi",
];
const CERTIFICATES = join(__dirname, "../../contract/certificate");

/** A server that stores states. */
interface Backend extends Server {
  /** The environment of commands for a new storage without stacks. */
  readonly newStorage: () => Readonly<Record<string, string>>;
  /** Everything that the server has stored. */
  readonly contents: () => string;
}

interface Server {
  /** Ends the server as a power failure does. */
  readonly kill: () => Promise<void>;
  /** Starts the server, again with its data; resolves when it is ready. */
  readonly start: () => Promise<void>;
}

let running: Promise<Backend> | undefined;
const folders: string[] = [];
afterAll(async () => {
  await (await running)?.kill();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The server for this file's tests, which starts when it is first needed. */
export function backend(): Promise<Backend> {
  running ??= BACKEND === "s3" ? startS3() : startPostgres();
  return running;
}

/** An S3-compatible store whose buckets are folders. */
async function startS3(): Promise<Backend> {
  const folder = newFolder();
  const port = await freePort();
  const env = { ...process.env, ROOT_ACCESS_KEY: "pulumi", ROOT_SECRET_KEY: PASSWORD };
  const command = [
    programOf("CLOUDDB_S3_GATEWAY"),
    "--quiet",
    "--port",
    `127.0.0.1:${port}`,
    "posix",
    folder,
  ];
  const server = serverOf(command, { env }, () => accepts(port));
  await server.start();

  let storages = 0;
  return {
    ...server,
    newStorage() {
      storages += 1;
      const bucket = `storage-${storages}`;
      mkdirSync(join(folder, bucket));
      const parameters = `endpoint=http://127.0.0.1:${port}&s3ForcePathStyle=true&region=us-east-1`;
      return {
        PULUMI_BACKEND_URL: `s3://${bucket}?${parameters}`,
        AWS_ACCESS_KEY_ID: "pulumi",
        AWS_SECRET_ACCESS_KEY: PASSWORD,
      };
    },
    contents: () => textOf(folder),
  };
}

/** A server that takes encrypted connections only, with a folder of its own. */
async function startPostgres(): Promise<Backend> {
  const bin = programOf("CLOUDDB_POSTGRES");
  const user = ordinaryUser();
  const folder = newFolder();
  const data = join(folder, "data");
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);
  own(folder);
  const fileWith = (name: string, content: Buffer | string) => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    own(path);
    return path;
  };
  const passwordFile = fileWith("password", ADMIN_PASSWORD);
  const [certificate = "", key = ""] = ["certificate.pem", "key.pem"].map((name) =>
    fileWith(name, readFileSync(join(CERTIFICATES, name))),
  );
  const init = [
    "--pgdata",
    data,
    "--username",
    "admin",
    "--auth",
    "scram-sha-256",
    "--pwfile",
    passwordFile,
  ];
  const options = { ...user, cwd: folder, stdio: "pipe" } as const;
  execFileSync(join(bin, "initdb"), [...init, "--no-sync", "--encoding", "UTF8"], options);
  writeFileSync(join(data, "pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");

  const port = `${await freePort()}`;
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    ssl: "on",
    ssl_cert_file: certificate,
    ssl_key_file: key,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const isReady = () =>
    spawnSync(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", port]).status === 0;
  // SIGQUIT ends it without a checkpoint, and without waiting for connections.
  const server = serverOf(
    [join(bin, "postgres"), "-D", data, ...args],
    { ...user },
    isReady,
    "SIGQUIT",
  );
  await server.start();

  const address = {
    PGHOST: "127.0.0.1",
    PGPORT: port,
    PGUSER: "admin",
    PGPASSWORD: ADMIN_PASSWORD,
  };
  const query = (sql: string, database = "postgres") => {
    const env = { ...process.env, ...address, PGDATABASE: database };
    return execFileSync(join(bin, "psql"), ["-XqAtc", sql], {
      env,
      encoding: "utf8",
      maxBuffer: 1 << 28,
    });
  };
  for (const statement of SETUP) query(statement);

  let storages = 0;
  return {
    ...server,
    newStorage() {
      storages += 1;
      const parameters = `sslmode=verify-full&sslrootcert=${certificate}&table=storage_${storages}`;
      return {
        PULUMI_BACKEND_URL: `postgres://pulumi@127.0.0.1:${port}/pulumi?${parameters}`,
        PGPASSWORD: PASSWORD,
      };
    },
    contents() {
      const tables = query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", "pulumi")
        .trim()
        .split("\n");
      const rows = tables.flatMap((table) =>
        query(`SELECT key, data->>'data' FROM ${table}`, "pulumi").split("\n"),
      );
      return rows
        .map((row) => row.replace(/\|(.*)/, (_, data) => Buffer.from(data, "base64").toString()))
        .join("\n");
    },
  };
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] =
    /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-backend-"));
  folders.push(folder);
  return folder;
}

/** The path of a server's program, which the suite has found. */
function programOf(variable: string): string {
  const path = process.env[variable];
  if (path === undefined)
    throw new Error("These tests run under `npm test -- --selectProjects postgres s3`.");
  return path;
}

function serverOf(
  [program = "", ...args]: readonly string[],
  options: SpawnOptions,
  isReady: () => boolean | Promise<boolean>,
  signal: NodeJS.Signals = "SIGKILL",
): Server {
  let child: ChildProcess;
  return {
    async start() {
      child = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
      let problems = "";
      child.stderr?.on("data", (chunk) => {
        problems += chunk;
      });
      while (!(await isReady())) {
        if (child.exitCode !== null) throw new Error(`${program} ended:\n${problems}`);
        await setTimeout(50);
      }
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "close");
      child.kill(signal);
      await ended;
    },
  };
}

export function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
