import type { PermitOptions, RateLimiter } from "../../provider/api/rate-limiter";
import type { VirtualTime } from "./virtual-time";

export const PATIENT: PermitOptions = { since: 0, maxWaitMs: 600_000, isUrgent: false };

export interface LimitedApiOptions {
  readonly requests: number;
  readonly windowMs: number;
  /** How a refusal tells the wait: exactly, in whole seconds, or not. */
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
    async send(limiter: RateLimiter, permitOptions = PATIENT): Promise<boolean> {
      for (;;) {
        const permit = await limiter.acquire(permitOptions);
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
