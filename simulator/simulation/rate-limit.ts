import { ApiError } from "../operations/api-error";

/** The rate limit of each key: the document's `RateLimit`. */
export interface RateLimit {
  readonly requests: number;
  /** The length of the sliding window. */
  readonly seconds: number;
  /** The headers of a 429 response. Default: `retryAfter`, in whole seconds. */
  readonly tells?: "retryAfter" | "retryAfterDecimal" | "retryAfterDate" | "reset" | "nothing";
}

export function createRateLimiter() {
  let limit: RateLimit | undefined;
  let history = new Map<string, number[]>();
  return {
    limit: () => limit,
    replace(next: RateLimit | undefined): void {
      limit = next;
      history = new Map();
    },
    /** Counts a request of a key, or throws a 429. Refused requests do not count. */
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
      throw new ApiError(429, "TOO_MANY_REQUESTS", "rate limit reached", headersFor(limit, freeAt, now));
    },
  };
}

function headersFor(
  { requests, tells = "retryAfter" }: RateLimit,
  freeAt: number,
  now: number,
): Record<string, string> {
  const seconds = String(Math.ceil((freeAt - now) / 1000));
  switch (tells) {
    case "retryAfter":
      return { "retry-after": seconds };
    case "retryAfterDecimal":
      return { "retry-after": String((freeAt - now) / 1000) };
    case "retryAfterDate":
      return { "retry-after": new Date(Math.ceil(freeAt / 1000) * 1000).toUTCString() };
    case "reset":
      return { "x-ratelimit-limit": String(requests), "x-ratelimit-remaining": "0", "x-ratelimit-reset": seconds };
    case "nothing":
      return {};
  }
}
