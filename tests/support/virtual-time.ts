import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";

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

export interface VirtualTime {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Time that passes only while everybody sleeps and no request is under way; sleepers wake in order.
 */
export function virtualTime(start = 0): VirtualTime {
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
    sleep: (ms, signal) =>
      new Promise((wake) => {
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
