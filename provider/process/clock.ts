import { setTimeout } from "node:timers/promises";
import type { Clock } from "../api";

/** This machine's time, which does not jump when the system clock is set. */
export const clock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  // Aborting the signal ends the wait, and is no failure.
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
};
