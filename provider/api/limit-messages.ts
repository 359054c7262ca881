import { coded, type Message } from "../errors";
import type { Limit } from "./learned-limit";

/** A shorter wait is not worth a line. */
export const MIN_LOGGED_WAIT_MS = 3000;
export const LOG_INTERVAL_MS = 30_000;

export function pauseMessage(ms: number): Message {
  return coded("CDB3008", `The API's rate limit was reached; all requests are paused for ${inSeconds(ms)} s.`);
}

export function throttlingMessage({ requests, windowMs }: Limit, queued: number, shared = ""): Message {
  return coded(
    "CDB3008",
    `Throttling to about ${requests} requests per ${inSeconds(windowMs)} s${shared}; ${queued} requests queued.`,
  );
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1000);
}
