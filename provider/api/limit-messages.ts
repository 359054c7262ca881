import { type Message, message } from "../errors";
import type { Limit } from "./learned-limit";

/** A shorter wait is not worth a line. */
export const MIN_LOGGED_WAIT_MS = 3000;
export const LOG_INTERVAL_MS = 30_000;

export function pauseMessage(ms: number): Message {
  return message("CDB3008.pause", { seconds: inSeconds(ms) });
}

export function throttlingMessage({ requests, windowMs }: Limit, queued: number, shared = ""): Message {
  return message("CDB3008.throttle", { requests, seconds: inSeconds(windowMs), shared, queued });
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1000);
}
