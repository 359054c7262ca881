import { createHash, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Sharing } from "../api";
import { toSingleLine } from "../api/text";
import { type Message, message } from "../errors";
import { settingName } from "../names";
import { SCRIPT } from "./script";

/** Nobody waits longer for Redis than for a request that is paced by the process itself. */
const CONNECT_TIMEOUT_MS = 2000;
const COMMAND_TIMEOUT_MS = 1000;
const MAX_COMMAND_TIMEOUT_MS = 5000;
/** A response may take so many times as long as the one before. */
const SLOWER = 4;
const TICK_MS = 100;
/** A server that many processes connect to at the same moment, or that restarts, may refuse the first attempts. */
const CONNECT_PAUSES_MS = [100, 300];
const REFUSED_CONNECTION = /^(ECONNREFUSED|ECONNRESET|EPIPE)?$/;
const DEFAULT_PORT = 6379;
const MAX_REPLY_LENGTH = 200;
/** Raised when a state has another form, so that releases with different forms do not share one. */
const STATE_VERSION = 2;

/** A connection whose script takes the key of a state and a message. */
type Connection = Redis & { readonly respond: (key: string, message: string) => Promise<string> };

/** The owner of a rate limit: one key at one address. */
export interface LimitedKey {
  readonly baseUrl: string;
  readonly keyId: string | undefined;
}

/** Shares the rate limit of a key through Redis. It connects when it is first needed. */
export function redisSharing(url: string, limited: LimitedKey, redact: (text: string) => string): Sharing {
  const server = new URL(url);
  const key = stateKey(limited);
  let connecting: Promise<Connection> | undefined;
  /** The time that the last response took; the first one may take longer, since the server has to load the script. */
  let tookMs = CONNECT_TIMEOUT_MS / SLOWER;

  function connected(): Promise<Connection> {
    if (connecting !== undefined) return connecting;
    const current = connect(server);
    connecting = current;
    // A server may close what was idle for long: the next message connects again.
    const forget = () => {
      if (connecting === current) connecting = undefined;
    };
    current.then((connection) => connection.once("close", forget), forget);
    return current;
  }

  return {
    // Short, because it stands in the state many times.
    process: randomBytes(6).toString("base64url"),
    async exchange(message) {
      const current = connected();
      try {
        const responding = (await current).respond(key, JSON.stringify(message));
        // Many processes at once make a server slow, and it is still better than none.
        const timeoutMs = Math.min(MAX_COMMAND_TIMEOUT_MS, Math.max(COMMAND_TIMEOUT_MS, SLOWER * tookMs));
        const response = await within(timeoutMs, responding);
        tookMs = response.tookMs;
        return JSON.parse(response.result);
      } catch (error) {
        current.then(close, () => {});
        throw new Error(describeFailure(server, error as Error, redact));
      }
    },
  };
}

/** The name of a state. It does not show whose it is. */
export function stateKey({ baseUrl, keyId = "" }: LimitedKey): string {
  const hash = createHash("sha256").update(JSON.stringify([STATE_VERSION, baseUrl, keyId]));
  return `clouddb:limit:${hash.digest("hex").slice(0, 32)}`;
}

async function connect(server: URL): Promise<Connection> {
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

async function connectOnce(server: URL): Promise<Connection> {
  // Loaded here, because only those who share a limit need it, and may not have installed it.
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
    scripts: { respond: { lua: SCRIPT, numberOfKeys: 1 } },
    lazyConnect: true,
    // See `within`.
    connectTimeout: 0,
    // The caller decides what to do after a failure.
    retryStrategy: null,
    enableOfflineQueue: false,
    // These would need the right to more commands.
    protocol: 2,
    enableReadyCheck: false,
    disableClientInfo: true,
  }) as Connection;
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
 * The result and how long it took, or the failure where it takes too long. Time in which this process was busy does not
 * count: only ticks do, and whatever has arrived by the last one is read first.
 */
function within<Result>(ms: number, work: Promise<Result>, code = "") {
  return new Promise<{ readonly result: Result; readonly tookMs: number }>((resolve, reject) => {
    let tookMs = 0;
    const timer = setInterval(() => {
      tookMs += TICK_MS;
      if (tookMs < ms) return;
      clearInterval(timer);
      setImmediate(() => reject(Object.assign(new Error("timeout"), { code, timeoutMs: ms })));
    }, TICK_MS);
    work.finally(() => clearInterval(timer)).then((result) => resolve({ result, tookMs }), reject);
  });
}

/** At once, without a timer that would keep the process alive: a server that does not answer does not close it. */
function close(redis: Redis): void {
  redis.stream?.destroy();
}

interface Failure extends Error {
  readonly code?: string;
  readonly timeoutMs?: number;
}

function describeFailure(
  server: URL,
  { name, code = "", message: text, timeoutMs }: Failure,
  redact: (text: string) => string,
): Message {
  return message("CDB3009.sharing", { setting: settingName("rateLimitUrl"), reason: redact(reason()) });

  function reason(): string {
    if (code === "MODULE_NOT_FOUND") return "the package ioredis is not installed; run `npm install ioredis`";
    if (/CERT|UNABLE_TO_VERIFY/.test(code)) return `the certificate of ${server.host} is not trusted: ${code}`;
    if (code !== "") return `could not connect to ${server.host}: ${code}`;
    if (timeoutMs !== undefined) return `${server.host} did not respond within ${timeoutMs / 1000} s`;
    if (name === "ReplyError")
      return `${server.host} refused: ${toSingleLine(text, MAX_REPLY_LENGTH).replace(/\.$/, "")}`;
    return `the connection to ${server.host} was lost`;
  }
}
