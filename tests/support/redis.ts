import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { Redis } from "ioredis";
import { freePort } from "./local-server";
import { temporaryFolder } from "./temporary-folder";

/** The server of a Debian package, where one is installed. */
const PROGRAM = find("redis-server") ?? find("valkey-server");
/** Tests with a real server; the names of skipped tests say why. */
export const describeWithRedis = PROGRAM === undefined ? describe.skip : describe;
export const needsRedis =
  PROGRAM === undefined ? " (skipped: no redis-server or valkey-server)" : "";

export type RunningRedis = Awaited<ReturnType<typeof startRedis>>;

export interface RedisOptions {
  readonly port?: number;
  readonly args?: readonly string[];
  /** Certificate and key of a server that speaks TLS alone. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

const running: { readonly close: () => Promise<void> }[] = [];
afterAll(() => Promise.all(running.map((redis) => redis.close())));

/**
 * Starts a server on a free port of this machine, with a folder of its own, that stores nothing.
 */
export async function startRedis({ port, args = [], tls }: RedisOptions = {}) {
  const folder = temporaryFolder("redis");
  const chosen = port ?? (await freePort());
  const listen = tls
    ? ["--port", "0", "--tls-port", `${chosen}`, "--tls-auth-clients", "no"].concat([
        "--tls-cert-file",
        tls.certificate,
        "--tls-key-file",
        tls.key,
        "--tls-ca-cert-file",
        tls.certificate,
      ])
    : ["--port", `${chosen}`];
  const own = [
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "no",
    ...listen,
    ...args,
  ];
  const child = spawn(`${PROGRAM}`, own, { stdio: ["ignore", "pipe", "inherit"] });
  await ready(child);
  const admin = new Redis({
    port: chosen,
    disconnectTimeout: 50,
    ...(tls && { tls: { rejectUnauthorized: false } }),
  });
  admin.on("error", () => {});
  const redis = {
    url: `${tls ? "rediss" : "redis"}://127.0.0.1:${chosen}`,
    port: chosen,
    /** An administrator's connection. */
    admin,
    signal: (name: NodeJS.Signals) => void child.kill(name),
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGKILL");
        await ended;
      }
      admin.disconnect();
    },
  };
  running.push(redis);
  return redis;
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    if (child.stdout === null) throw new Error("no output");
    createInterface(child.stdout).on("line", (line) => {
      lines.push(line);
      if (/ready to accept connections/i.test(line)) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(lines.join("\n"))));
  });
}

function find(program: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
