import { createHash, randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { Redis } from "ioredis";
import type { Sharing } from "../api";
import { settingName } from "../fields/setting-names";
import { SCRIPT } from "./script";

/** Nobody waits longer for Redis than for a request that is paced by the process itself. */
const CONNECT_TIMEOUT_MS = 2000;
const COMMAND_TIMEOUT_MS = 1000;
const DEFAULT_PORT = 6379;
const MAX_REPLY_LENGTH = 200;
/** Raised when a state has another form, so that releases with different forms do not share one. */
const STATE_VERSION = 1;

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
    process: randomUUID(),
    async exchange(message) {
      const current = connected();
      try {
        return JSON.parse(await (await current).respond(key, JSON.stringify(message)));
      } catch (error) {
        current.then(close, () => {});
        throw new Error(redact(describeFailure(server, error as Error)));
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
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    // Callers handle failures.
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
    await redis.connect();
  } catch (error) {
    close(redis);
    throw failure ?? error;
  }
  // Commands under way keep the process alive by their timeouts; an idle connection must not.
  redis.stream.unref();
  return redis;
}

/** At once, without a timer that would keep the process alive: a server that does not answer does not close it. */
function close(redis: Redis): void {
  redis.stream?.destroy();
}

interface Failure extends Error {
  readonly code?: string;
}

function describeFailure(server: URL, { name, code = "", message }: Failure): string {
  const consequence = "This process throttles only its own requests until Redis can be used.";
  return `Cannot share the rate limit through ${settingName("rateLimitUrl")}: ${reason()}. ${consequence}`;

  function reason(): string {
    if (code === "MODULE_NOT_FOUND") return "the package ioredis is not installed; run `npm install ioredis`";
    if (/CERT|UNABLE_TO_VERIFY/.test(code)) return `the certificate of ${server.host} is not trusted: ${code}`;
    if (code !== "") return `could not connect to ${server.host}: ${code}`;
    if (/^Command timed out$/.test(message))
      return `${server.host} did not respond within ${COMMAND_TIMEOUT_MS / 1000} s`;
    if (name === "ReplyError") return `${server.host} refused: ${toLine(message)}`;
    return `the connection to ${server.host} was lost`;
  }
}

function toLine(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return (line.length > MAX_REPLY_LENGTH ? `${line.slice(0, MAX_REPLY_LENGTH)}…` : line).replace(/\.$/, "");
}
