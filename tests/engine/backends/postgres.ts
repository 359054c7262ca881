import { execFileSync, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../support/free-port";
import { PASSWORD, programOf, type RunningBackend, serverOf } from "./server";

const CERTIFICATES = join(__dirname, "../../contract/certificate");
const ADMIN_PASSWORD = "admin";
/** The set-up of docs/guides/store-states.md: a role that owns one database, and nothing else. */
const SETUP = [`CREATE ROLE pulumi LOGIN PASSWORD '${PASSWORD}'`, "CREATE DATABASE pulumi OWNER pulumi"];

/** Starts a server that takes encrypted connections only, with a folder of its own. */
export async function startPostgres(): Promise<RunningBackend> {
  const bin = programOf("CLOUDDB_POSTGRES");
  const user = ordinaryUser();
  const folder = mkdtempSync(join(tmpdir(), "clouddb-postgres-"));
  const own = (path: string) => user && chownSync(path, user.uid, user.gid);
  const place = (name: string, content: Buffer | string) => {
    const path = join(folder, name);
    writeFileSync(path, content, { mode: 0o600 });
    own(path);
    return path;
  };
  own(folder);
  const passwordFile = place("password", ADMIN_PASSWORD);
  const certificate = place("certificate.pem", readFileSync(join(CERTIFICATES, "certificate.pem")));
  const key = place("key.pem", readFileSync(join(CERTIFICATES, "key.pem")));
  const data = join(folder, "data");
  const init = ["--pgdata", data, "--username", "admin", "--auth", "scram-sha-256", "--pwfile", passwordFile];
  execFileSync(join(bin, "initdb"), [...init, "--no-sync", "--encoding", "UTF8"], {
    ...user,
    cwd: folder,
    stdio: "pipe",
  });
  writeFileSync(join(data, "pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");

  const port = await freePort();
  const settings = {
    port: `${port}`,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    ssl: "on",
    ssl_cert_file: certificate,
    ssl_key_file: key,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const isReady = () => spawnSync(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", `${port}`]).status === 0;
  const server = serverOf(join(bin, "postgres"), ["-D", data, ...args], { ...user }, isReady);
  await server.start();

  const address = { PGHOST: "127.0.0.1", PGPORT: `${port}`, PGUSER: "admin", PGPASSWORD: ADMIN_PASSWORD };
  const query = (sql: string, database = "postgres") => {
    const env = { ...process.env, ...address, PGDATABASE: database };
    return execFileSync(join(bin, "psql"), ["-XqAtc", sql], { env, encoding: "utf8", maxBuffer: 1 << 28 });
  };
  for (const statement of SETUP) query(statement);

  let storages = 0;
  return {
    newStorage() {
      storages += 1;
      const parameters = `sslmode=verify-full&sslrootcert=${certificate}&table=storage_${storages}`;
      return {
        PULUMI_BACKEND_URL: `postgres://pulumi@127.0.0.1:${port}/pulumi?${parameters}`,
        PGPASSWORD: PASSWORD,
      };
    },
    contents() {
      const tables = query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", "pulumi").trim().split("\n");
      const rows = tables.flatMap((table) => query(`SELECT key, data->>'data' FROM ${table}`, "pulumi").split("\n"));
      return rows.map((row) => row.replace(/\|(.*)/, (_, data) => Buffer.from(data, "base64").toString())).join("\n");
    },
    // SIGQUIT ends it without a checkpoint, and without waiting for connections.
    kill: () => server.end("SIGQUIT"),
    restart: () => server.start(),
    async close() {
      await server.end("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}
