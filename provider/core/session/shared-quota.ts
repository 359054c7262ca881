import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import type { Dependencies } from "../../api/client";
import { learnedQuota } from "../../api/learned-limit";
import {
  type Delay,
  type Limit,
  MAX_CONCURRENT,
  MAX_PAUSE_MS,
  type Quota,
} from "../../api/rate-limiter";
import { coded, type Message } from "../../errors";
import { settingName } from "../../names";
import { redisCommands } from "../journal/redis-connection";

/** The longest wait for Redis, enough for a busy server. */
const TIMEOUT_MS = 3000;
const RETRY_MS = 1000;
/**
 * Requests take different times to reach the API. A delayed window start keeps each in its window.
 */
const MARGIN = { ms: 30, part: 0.03 };
/** Spreads the requests of processes to Redis. */
const JITTER_MS = 5;
/** This many windows in a row with a refusal show that the limit is too high. */
const TOO_MANY_WINDOWS = 3;

type Process = Pick<Dependencies, "clock" | "log" | "random" | "redact">;

/** A limit for all processes with the same key. Redis counts their requests in each window. */
export function sharedQuota(
  { clock, log, random, redact }: Process,
  url: string,
  limit: Limit,
  key: string,
): Quota {
  const { requests, windowMs } = limit;
  const maxConcurrent = Math.max(MAX_CONCURRENT, requests);
  const marginMs = MARGIN.ms + MARGIN.part * windowMs;
  // While Redis fails, each process uses a quarter of the limit.
  const fallback = learnedQuota(clock, {
    requests: Math.max(1, Math.floor(requests / 4)),
    windowMs,
  });
  const logged = new Set<string>();
  const logOnce = (line: Message) => {
    if (!logged.has(line.code)) log(line);
    logged.add(line.code);
  };
  const countRefusal = refusalCounter(limit, logOnce);
  const counter = sharedCounter({ clock, log: logOnce, redact }, url, limit, key, maxConcurrent);
  let windowEndsAt = 0;
  let closedUntil = 0;
  let pausedUntil = 0;

  /**
   * Pauses this process, or all processes if the requested wait exceeds a window. Waits are rounded
   * up.
   */
  function refuse(requestedMs = windowEndsAt + marginMs - clock.now()): void {
    const now = clock.now();
    if (!counter.isFailing()) countRefusal(now);
    pausedUntil = Math.max(pausedUntil, now + Math.min(MAX_PAUSE_MS, requestedMs));
    if (counter.isFailing() || requestedMs <= windowMs + marginMs) return;
    // The library blocks for whole seconds and resets its count.
    counter.block(Math.ceil((pausedUntil - now) / 1000));
  }

  async function takeFallback(isUrgent: boolean) {
    const answer = await fallback.take(isUrgent);
    if (!("release" in answer)) return answer;
    const { release } = answer;
    const reportRefusal = (waitMs?: number) => {
      // A refusal does not lower this process's share, since other processes used the limit as
      // well.
      release();
      refuse(waitMs ?? windowMs);
    };
    return { release, reportRefusal };
  }

  function currentDelay(): Delay {
    const pauseMs = Math.max(0, pausedUntil - clock.now());
    return { waitMs: Math.max(pauseMs, closedUntil - clock.now()), pauseMs, limit };
  }

  const grant = { release: () => {}, reportRefusal: refuse };
  const coldGrant = { ...grant, release: () => void counter.prolong() };
  return {
    maxConcurrent,
    async take(isUrgent) {
      if (currentDelay().waitMs > 0) return currentDelay();
      const window = await counter.consume();
      if (window === undefined) return takeFallback(isUrgent);
      const { isFull, isCold, msBeforeNext } = window;
      windowEndsAt = clock.now() + msBeforeNext;
      if (!isFull) return isCold ? coldGrant : grant;
      // A wait beyond a window is a pause that the API requested from another process.
      if (msBeforeNext > windowMs) pausedUntil = windowEndsAt;
      closedUntil = windowEndsAt + marginMs + (isUrgent ? 0 : JITTER_MS * random());
      return currentDelay();
    },
  };
}

/**
 * Counts all processes' requests per window in Redis. First requests open new connections (cold)
 * and reach the API late, at different times.
 */
function sharedCounter(
  { clock, log, redact }: Omit<Process, "random">,
  url: string,
  limit: Limit,
  key: string,
  coldRequests: number,
) {
  // Loaded on use: only processes that share a limit need it.
  const { RateLimiterRedis, RateLimiterRes } =
    require("rate-limiter-flexible") as typeof import("rate-limiter-flexible");
  const { requests: points, windowMs } = limit;
  const duration = windowMs / 1000;
  const send = redisCommands(new URL(url), redact);
  const on = (storeClient: Redis) =>
    new RateLimiterRedis({ storeClient, keyPrefix: "", points, duration });
  let granted = 0;
  /** The time of the next attempt to use Redis while it fails. */
  let retryAt: number | undefined;

  /** Counts a request in the current window unless the window is full. */
  async function consume(redis: Redis) {
    try {
      const counter = await on(redis).consume(key);
      const isCold = granted < coldRequests;
      granted += 1;
      if (isCold) await prolong(redis);
      return { counter, isFull: false, isCold };
    } catch (error) {
      if (error instanceof RateLimiterRes) return { counter: error, isFull: true, isCold: false };
      throw error;
    }
  }

  /**
   * Fails for a counter that no process can have stored, since other programs may write to the
   * server.
   */
  function checkWindow({ counter, isFull, isCold }: Awaited<ReturnType<typeof consume>>) {
    const { consumedPoints, msBeforeNext } = counter;
    const longestMs = isFull ? Math.max(windowMs, MAX_PAUSE_MS) : windowMs;
    const isInTime =
      Number.isFinite(msBeforeNext) && msBeforeNext >= 0 && msBeforeNext <= longestMs;
    if (isInTime && consumedPoints >= 1)
      return { isFull, isCold, msBeforeNext: isCold ? windowMs : msBeforeNext };
    throw new Error("it holds a counter, or an end of one, that no process has stored");
  }

  /**
   * The API has counted a request by now, so the window must not end earlier than its length from
   * now. A pause stays.
   */
  async function prolong(redis: Redis): Promise<void> {
    await redis.expire(key, duration, "GT").catch((error: Error) => {
      // Redis 6 cannot compare expiry times, so the first windows may be too short.
      if (!error.message.includes("wrong number of arguments")) throw error;
    });
  }

  function fail({ message: reason }: Error): undefined {
    log(
      coded(
        "CDB3009",
        `Cannot share the rate limit through ${settingName("rateLimitUrl")}: ${reason}.`,
        "This process throttles only its own requests until Redis can be used.",
      ),
    );
    retryAt = clock.now() + RETRY_MS;
  }

  /** Uses Redis again once it responds. */
  async function retry(): Promise<void> {
    retryAt = Number.POSITIVE_INFINITY;
    await send(TIMEOUT_MS, (redis) => on(redis).get(key)).then(() => {
      retryAt = undefined;
    }, fail);
  }

  return {
    isFailing: () => retryAt !== undefined,
    /** The window of a request; undefined while Redis fails. */
    async consume() {
      if (retryAt === undefined) return send(TIMEOUT_MS, consume).then(checkWindow).catch(fail);
      if (clock.now() >= retryAt) void retry();
      return undefined;
    },
    prolong: () => send(TIMEOUT_MS, prolong).catch(fail),
    block: (seconds: number) =>
      send(TIMEOUT_MS, (redis) => on(redis).block(key, seconds)).catch(fail),
  };
}

/** Warns of a limit that is too high, after refusals in several windows in a row. */
function refusalCounter({ requests, windowMs }: Limit, log: (line: Message) => void) {
  let refusedWindows = 0;
  let refusedAt = Number.NEGATIVE_INFINITY;
  return (now: number): void => {
    if (now < refusedAt + windowMs) return;
    refusedWindows = now < refusedAt + 3 * windowMs ? refusedWindows + 1 : 1;
    refusedAt = now;
    if (refusedWindows < TOO_MANY_WINDOWS) return;
    const allowed = `${settingName("rateLimit")}, ${requests} per ${windowMs / 1000} s`;
    const advice =
      "Lower it to the API's limit for one key, unless other programs use the same key.";
    log(coded("CDB3008", `The API goes on refusing requests within ${allowed}. ${advice}`));
  };
}

/** The Redis key for an address and an API key. It shows neither. */
export function windowKey(baseUrl: string, keyId = ""): string {
  const hash = createHash("sha256").update(JSON.stringify([baseUrl, keyId]));
  return `clouddb:window:${hash.digest("hex").slice(0, 32)}`;
}
