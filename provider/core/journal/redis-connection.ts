import { isIP } from "node:net";
import type { Redis } from "ioredis";
import { toSingleLine } from "pulumi-clouddb-facts";

/** The upper bound on waits for Redis: a process that paces itself would not wait longer. */
const CONNECT_TIMEOUT_MS = 2000;
export const COMMAND_TIMEOUT_MS = 1000;
const TICK_MS = 100;
/** A server may refuse first attempts while it restarts or many processes connect. */
const CONNECT_PAUSES_MS = [100, 300];
const REFUSED_CONNECTION = /^(ECONNREFUSED|ECONNRESET|EPIPE)?$/;
const DEFAULT_PORT = 6379;
const MAX_REPLY_LENGTH = 200;

/**
 * Sends commands to a server. The first command connects, as does a command after a lost connection
 * or a failure. Errors give the reason without secrets.
 */
export function redisCommands(server: URL, redact: (text: string) => string) {
  let current: Promise<Redis> | undefined;

  return async <Result>(
    timeoutMs: number,
    command: (redis: Redis) => Promise<Result>,
  ): Promise<Result> => {
    const connection = current ?? connect(server, forget);
    current = connection;
    function forget(): void {
      if (current === connection) current = undefined;
    }
    try {
      return await within(timeoutMs, command(await connection));
    } catch (error) {
      forget();
      connection.then((redis) => redis.disconnect()).catch(() => {});
      // A server may echo the refused password.
      throw new Error(redact(failureReason(server, error as Failure)));
    }
  };
}

/** Connects. `onEnd` is called when the connection is lost; servers close idle connections. */
async function connect(server: URL, onEnd: () => void): Promise<Redis> {
  // Loaded on use: most users have no Redis and need not install the client.
  const { Redis } = require("ioredis") as typeof import("ioredis");
  const host = server.hostname.replace(/^\[|\]$/g, "");
  const database = Number(server.pathname.slice(1));
  const pausesMs = [...CONNECT_PAUSES_MS];
  let failure: Failure | undefined;
  const redis = new Redis({
    host,
    port: Number(server.port || DEFAULT_PORT),
    username: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
    ...(database > 0 && { db: database }),
    ...(server.protocol === "rediss:" && { tls: isIP(host) ? {} : { servername: host } }),
    lazyConnect: true,
    // `within` limits the time: ioredis timers count time in which this process is busy.
    connectTimeout: 0,
    // A disconnect that waits for an unresponsive server would keep the process alive.
    disconnectTimeout: 0,
    retryStrategy() {
      const { name, code = "" } = failure ?? {};
      if (name === "ReplyError" || !REFUSED_CONNECTION.test(code)) return null;
      const pauseMs = pausesMs.shift();
      if (pauseMs !== undefined) failure = undefined;
      return pauseMs;
    },
    // The caller decides what to do after a failure.
    enableOfflineQueue: false,
    // Other values require permission for more commands.
    protocol: 2,
    enableReadyCheck: false,
    disableClientInfo: true,
  });
  redis.on("error", (error: Failure) => {
    failure ??= error;
  });
  redis.once("end", onEnd);
  try {
    const ready = new Promise((resolve, reject) => {
      redis.once("ready", resolve).once("end", () => reject(new Error("closed")));
    });
    redis.connect().catch(() => {});
    await within(CONNECT_TIMEOUT_MS, ready, "ETIMEDOUT");
    // After a failed SELECT, the server would run commands on database 0.
    if (failure !== undefined) throw failure;
  } catch (error) {
    redis.disconnect();
    throw failure ?? error;
  }
  // Without pauses, ioredis does not reconnect a lost connection: the next command does.
  pausesMs.length = 0;
  // A timeout keeps the process alive while a command runs. An idle connection must not.
  redis.stream.unref();
  return redis;
}

/**
 * The result, or a failure after the timeout. The timeout counts ticks: time in which this process
 * is busy does not count, and responses that arrived by the last tick are read first.
 */
function within<Result>(ms: number, work: Promise<Result>, code = "") {
  return new Promise<Result>((resolve, reject) => {
    let tookMs = 0;
    const timer = setInterval(() => {
      tookMs += TICK_MS;
      if (tookMs < ms) return;
      clearInterval(timer);
      setImmediate(() => reject(Object.assign(new Error("timeout"), { code, timeoutMs: ms })));
    }, TICK_MS);
    work.finally(() => clearInterval(timer)).then(resolve, reject);
  });
}

interface Failure extends Error {
  /** The server's reasons for discarding a transaction. */
  readonly previousErrors?: readonly Failure[];
  readonly code?: string;
  readonly timeoutMs?: number;
}

/** The reason of a failure. The only part of the server's address is its host. */
function failureReason(
  server: URL,
  { name, code = "", message, timeoutMs, previousErrors = [] }: Failure,
): string {
  const [cause] = previousErrors;
  if (cause !== undefined) return failureReason(server, cause);
  if (code === "MODULE_NOT_FOUND")
    return "the package ioredis is not installed; run `npm install ioredis`";
  if (/CERT|UNABLE_TO_VERIFY/.test(code))
    return `the certificate of ${server.host} is not trusted: ${code}`;
  if (code !== "") return `could not connect to ${server.host}: ${code}`;
  if (timeoutMs !== undefined) return `${server.host} did not respond within ${timeoutMs / 1000} s`;
  if (name === "ReplyError")
    return `${server.host} refused: ${toSingleLine(message, MAX_REPLY_LENGTH).replace(/\.$/, "")}`;
  return `the connection to ${server.host} was lost`;
}
