import { isIP } from "node:net";
import type { Redis } from "ioredis";
import { toSingleLine } from "pulumi-clouddb-facts";

/** The upper bound on waits for Redis: a process that paces itself would not wait longer. */
const CONNECT_TIMEOUT_MS = 2000;
export const COMMAND_TIMEOUT_MS = 1000;
const TICK_MS = 100;
/**
 * A server that many processes connect to at the same moment, or that restarts, may refuse the
 * first attempts.
 */
const CONNECT_PAUSES_MS = [100, 300];
const REFUSED_CONNECTION = /^(ECONNREFUSED|ECONNRESET|EPIPE)?$/;
const DEFAULT_PORT = 6379;
const MAX_REPLY_LENGTH = 200;

/**
 * Sends commands to a server. The first command connects, and so does the next one after a lost
 * connection or a failed command. An error gives the reason, without secrets.
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
      // A server may repeat the password that it refuses.
      throw new Error(redact(failureReason(server, error as Failure)));
    }
  };
}

/** Connects; `onEnd` is called once the connection is lost: a server may close an idle one. */
async function connect(server: URL, onEnd: () => void): Promise<Redis> {
  // Loaded here, because only those who have a Redis server need it, and may not have installed it.
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
    // `within` limits the time instead: timers of ioredis count time in which this process is busy.
    connectTimeout: 0,
    // To wait for a server that does not answer would keep the process alive.
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
    // Other values would need the right to more commands.
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
    // After a refused SELECT, the server still accepts commands, for database 0.
    if (failure !== undefined) throw failure;
  } catch (error) {
    redis.disconnect();
    throw failure ?? error;
  }
  // From now on, the next command connects again.
  pausesMs.length = 0;
  // Commands under way keep the process alive by their timeouts; an idle connection must not.
  redis.stream.unref();
  return redis;
}

/**
 * The result, or a failure after the timeout. The timeout counts ticks, so that time in which this
 * process was busy does not count, and responses that have arrived by the last tick are read first.
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
  /** The reasons why the server has discarded a transaction. */
  readonly previousErrors?: readonly Failure[];
  readonly code?: string;
  readonly timeoutMs?: number;
}

/** The reason of a failure, with nothing of the server's address but its host. */
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
