/** Time as the client uses it, so that tests can have their own. */
export interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** How fast all requests of the process may go together. */
export interface Pace {
  /** Waits until a request may be sent; answers how long that took, or nothing where it would take too long. */
  readonly turn: (longestMs: number, signal?: AbortSignal) => Promise<number | undefined>;
  /** An answer came that was not a rate limit. */
  readonly passed: () => void;
  /** A rate limit was hit; `waitMs` is what the answer asked for, if it did. */
  readonly limited: (waitMs: number | undefined) => void;
}

const FIRST_GUESS_MS = 1000;
const LONGEST_GUESS_MS = 30_000;
const FIRST_GAP_MS = 100;
const LONGEST_GAP_MS = 2000;
/** How much of the gap between requests is given back by each that passes. */
const RELIEF = 0.97;
const WORTH_SAYING_MS = 3000;

/**
 * One rate limit serves all requests of a process: when one is refused, all wait, and go on one behind the other
 * with a gap that grows with each refusal and shrinks with each success.
 */
export function createPace(clock: Clock, say: (line: string) => void): Pace {
  let closedUntil = 0;
  let nextSlot = 0;
  let gapMs = 0;
  let refusals = 0;

  return {
    async turn(longestMs, signal) {
      const arrivedAt = clock.now();
      for (let now = arrivedAt; ; now = clock.now()) {
        const startAt = Math.max(closedUntil, gapMs > 0 ? nextSlot : 0);
        if (startAt - arrivedAt > longestMs) return undefined;
        if (startAt > now) {
          await clock.sleep(startAt - now, signal);
          continue;
        }
        nextSlot = now + gapMs;
        return now - arrivedAt;
      }
    },
    passed() {
      refusals = 0;
      gapMs = gapMs < 1 ? 0 : gapMs * RELIEF;
    },
    limited(waitMs) {
      const now = clock.now();
      const guessMs = Math.min(LONGEST_GUESS_MS, FIRST_GUESS_MS * 2 ** refusals);
      // An answer that asks for no wait at all has not said how long to wait.
      const until = now + (waitMs || guessMs);
      // Requests that were under way when the limit was hit tell the same thing again.
      const isKnown = closedUntil > now;
      closedUntil = Math.max(closedUntil, until);
      if (isKnown) return;
      refusals += 1;
      gapMs = Math.min(LONGEST_GAP_MS, Math.max(FIRST_GAP_MS, gapMs * 2));
      if (until - now < WORTH_SAYING_MS) return;
      say(`The API's rate limit is reached: all requests wait ${Math.round((until - now) / 1000)} s.`);
    },
  };
}
