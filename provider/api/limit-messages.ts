import type { Limit } from "./learned-limit";

/** A shorter wait is not worth a line. */
export const MIN_LOGGED_WAIT_MS = 3000;
export const LOG_INTERVAL_MS = 30_000;

export function pauseMessage(ms: number): string {
  return `The API's rate limit was reached; all requests are paused for ${inSeconds(ms)}.`;
}

export function throttlingMessage({ requests, windowMs }: Limit, queued: number, sharedWith = ""): string {
  return `Throttling to about ${requests} requests per ${inSeconds(windowMs)}${sharedWith}; ${queued} requests queued.`;
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
