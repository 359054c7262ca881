import { ApiError } from "../operations/api-error";
import type { RateLimit } from "../schema/seed";

/** Limits the requests of each key in a sliding window. */
export function createRateLimiter() {
  let limit: RateLimit | undefined;
  let history = new Map<string, number[]>();
  return {
    limit: () => limit,
    replace(next: RateLimit | undefined): void {
      limit = next;
      history = new Map();
    },
    /** Counts a request of a key, or throws a 429 without counting it. */
    admit(key: string, now: number): void {
      if (limit === undefined) return;
      const windowMs = limit.seconds * 1000;
      const recent = history.get(key) ?? [];
      history.set(key, recent);
      while (recent[0] !== undefined && recent[0] <= now - windowMs) recent.shift();
      if (recent.length < limit.requests) {
        recent.push(now);
        return;
      }
      const freeAt = (recent[0] ?? now) + windowMs;
      throw new ApiError(
        429,
        "TOO_MANY_REQUESTS",
        "rate limit reached",
        headersFor(limit, freeAt, now),
      );
    },
  };
}

function headersFor({ requests, tells = "retryAfter" }: RateLimit, freeAt: number, now: number) {
  const seconds = (freeAt - now) / 1000;
  const wholeSeconds = String(Math.ceil(seconds));
  const headers: Record<NonNullable<RateLimit["tells"]>, Record<string, string>> = {
    retryAfter: { "retry-after": wholeSeconds },
    retryAfterDecimal: { "retry-after": String(seconds) },
    retryAfterDate: { "retry-after": new Date(Math.ceil(freeAt / 1000) * 1000).toUTCString() },
    reset: {
      "x-ratelimit-limit": String(requests),
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": wholeSeconds,
    },
    nothing: {},
  };
  return headers[tells];
}
