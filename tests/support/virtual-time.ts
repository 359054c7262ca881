import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import type { PermitOptions, RateLimiter } from "../../provider/api/rate-limiter";

/** Idle turns of the event loop before time advances, because handling a response takes a few. */
const QUIET_TURNS = 10;

/** Requests of this process without a response so far. */
let pendingRequests = 0;
const count = (message: unknown) => {
  pendingRequests += 1;
  (message as { request: ClientRequest }).request.once("close", () => {
    pendingRequests -= 1;
  });
};
beforeAll(() => subscribe("http.client.request.start", count));
afterAll(() => void unsubscribe("http.client.request.start", count));

export type VirtualTime = ReturnType<typeof virtualTime>;

/**
 * Time that passes only while everybody sleeps and no request is under way; sleepers wake in order.
 */
export function virtualTime(start = 0) {
  let now = start;
  let isRunning = false;
  let sleepers: readonly { at: number; wake: () => void }[] = [];

  async function quiet(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; turns += 1) {
      await new Promise(setImmediate);
      if (pendingRequests > 0) turns = 0;
    }
  }

  async function run(): Promise<void> {
    for (isRunning = true; sleepers.length > 0; ) {
      await quiet();
      if (sleepers.length === 0) break;
      const next = sleepers.reduce((one, other) => (other.at < one.at ? other : one));
      sleepers = sleepers.filter((sleeper) => sleeper !== next);
      now = Math.max(now, next.at);
      next.wake();
      await Promise.resolve();
    }
    isRunning = false;
  }

  return {
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((wake) => {
        if (signal?.aborted) return wake();
        const sleeper = { at: now + ms, wake };
        sleepers = [...sleepers, sleeper];
        signal?.addEventListener("abort", () => {
          sleepers = sleepers.filter((item) => item !== sleeper);
          wake();
        });
        if (!isRunning) void run();
      }),
  };
}

export const PATIENT: PermitOptions = { since: 0, maxWaitMs: 600_000, isUrgent: false };

export interface LimitedApiOptions {
  readonly requests: number;
  readonly windowMs: number;
  /** The precision of the wait in a refusal: exact, whole seconds, or none. */
  readonly tells?: "exactly" | "in seconds" | "nothing";
  readonly latencyMs?: number;
  /** Delays a request for which no earlier connection is free. */
  readonly connectMs?: number;
}

/**
 * A server with a sliding window in virtual time, and the times of the requests that passed and
 * that it refused.
 */
export function limitedApi(time: VirtualTime, options: LimitedApiOptions) {
  const { requests, windowMs, tells = "exactly", latencyMs = 20, connectMs = 0 } = options;
  const passed: number[] = [];
  const refused: number[] = [];
  let freeConnections = 0;
  const connect = async () => {
    if (freeConnections === 0) return time.sleep(connectMs);
    freeConnections -= 1;
  };
  return {
    passed,
    refused,
    /** Sends a request until it passes; false if the limiter gave up. */
    async send(limiter: RateLimiter): Promise<boolean> {
      for (;;) {
        const permit = await limiter.acquire(PATIENT);
        if (permit === undefined) return false;
        await connect();
        const opensAt = (passed.at(-requests) ?? -windowMs) + windowMs;
        const isRefused = opensAt > time.now();
        (isRefused ? refused : passed).push(time.now());
        await time.sleep(latencyMs);
        freeConnections += 1;
        const waitMs = opensAt - time.now();
        const told = {
          exactly: waitMs,
          "in seconds": 1000 * Math.ceil(waitMs / 1000),
          nothing: undefined,
        }[tells];
        if (isRefused) permit.reportRefusal(told);
        else permit.release();
        if (!isRefused) return true;
      }
    },
    /** The shortest time for a number of requests. */
    idealMs: (count: number) => (Math.ceil(count / requests) - 1) * windowMs,
  };
}
