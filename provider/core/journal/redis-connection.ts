import { isIP } from "node:net";
import { setTimeout } from "node:timers/promises";
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
  let connecting: Promise<Redis> | undefined;

  function connected(): Promise<Redis> {
    if (connecting !== undefined) return connecting;
    const current = connect(server);
    connecting = current;
    // A server may close an idle connection: the next command connects again.
    const forget = () => {
      if (connecting === current) connecting = undefined;
    };
    current.then((connection) => connection.once("close", forget), forget);
    return current;
  }

  return async <Result>(
    timeoutMs: number,
    command: (redis: Redis) => Promise<Result>,
  ): Promise<Result> => {
    const current = connected();
    try {
      return await within(timeoutMs, command(await current));
    } catch (error) {
      current.then(close, () => {});
      // A server may repeat the password that it refuses.
      throw new Error(redact(failureReason(server, error as Failure)));
    }
  };
}

async function connect(server: URL): Promise<Redis> {
  for (const pauseMs of CONNECT_PAUSES_MS) {
    try {
      return await connectOnce(server);
    } catch (error) {
      const { name, code = "" } = error as Failure;
      if (name === "ReplyError" || !REFUSED_CONNECTION.test(code)) throw error;
      await setTimeout(pauseMs);
    }
  }
  return connectOnce(server);
}

async function connectOnce(server: URL): Promise<Redis> {
  // Loaded here, because only those who have a Redis server need it, and may not have installed it.
  const { Redis } = require("ioredis") as typeof import("ioredis");
  const host = server.hostname.replace(/^\[|\]$/g, "");
  const database = Number(server.pathname.slice(1));
  const redis = new Redis({
    host,
    port: Number(server.port || DEFAULT_PORT),
    username: decodeURIComponent(server.username),
    password: decodeURIComponent(server.password),
    ...(database > 0 && { db: database }),
    ...(server.protocol === "rediss:" && { tls: isIP(host) ? {} : { servername: host } }),
    lazyConnect: true,
    // `within` limits the time instead.
    connectTimeout: 0,
    // The caller decides what to do after a failure.
    retryStrategy: null,
    enableOfflineQueue: false,
    // Other values would need the right to more commands.
    protocol: 2,
    enableReadyCheck: false,
    disableClientInfo: true,
  });
  let failure: Error | undefined;
  redis.on("error", (error: Error) => {
    failure ??= error;
  });
  try {
    await within(CONNECT_TIMEOUT_MS, redis.connect(), "ETIMEDOUT");
  } catch (error) {
    close(redis);
    throw failure ?? error;
  }
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

/** Closes at once: to wait for a server that does not answer would keep the process alive. */
function close(redis: Redis): void {
  redis.stream?.destroy();
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
