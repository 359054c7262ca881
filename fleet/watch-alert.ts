import { setTimeout } from "node:timers/promises";

const MINUTE_MS = 60_000;
const MOST_FAILURES = 3;

/** An alert that a roll-out watches. */
export interface WatchedAlert {
  readonly id: string;
  /** The state that lets the roll-out continue. */
  readonly good: string;
  /** The time to watch after the canary. */
  readonly forMs: number;
}

interface Watching {
  readonly read: () => Promise<{
    readonly state: string | undefined;
    readonly interval: string | undefined;
  }>;
  readonly log: (line: string) => void;
  /** Waits. An aborted signal ends the wait early. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * Reads an alert once a minute for some time, or only once without a time. Returns the reason to
 * stop the roll-out, if any.
 */
export function watchAlert(
  { id, good, forMs }: WatchedAlert,
  stop: AbortSignal,
  { read, log, sleep = sleepUnlessStopped }: Watching,
): (ms: number) => Promise<string | undefined> {
  const expected = JSON.stringify(good);
  const reasonToStop = (problem: string) =>
    `The alert ${id} ${problem}: no more stacks are started. Do not go on until it is ${expected} again; then run the same command again.`;
  let hasWarned = false;
  const warnOf = (interval = "") => {
    const intervalMs = durationMs(interval) ?? 0;
    if (!hasWarned && intervalMs > forMs)
      log(
        `Warning: --for is shorter than the interval of the alert ${id} (${interval}): the alert may not show what the canary causes.`,
      );
    hasWarned = true;
  };
  return async (ms) => {
    let [left, failures] = [ms, 0];
    for (let pause = Math.min(left, MINUTE_MS); ; pause = Math.min(left, MINUTE_MS) || MINUTE_MS) {
      await sleep(pause, stop);
      if (stop.aborted) return undefined;
      left = Math.max(0, left - pause);
      try {
        const { state, interval } = await read();
        if (state === undefined) throw new Error(`The API shows no state of the alert ${id}.`);
        if (state !== good) return reasonToStop(`is ${JSON.stringify(state)}, not ${expected}`);
        warnOf(interval);
        failures = 0;
        if (left === 0) return undefined;
      } catch (error) {
        // An interruption also aborts the read.
        if (stop.aborted) return undefined;
        failures += 1;
        log(error instanceof Error ? error.message : String(error));
        if (failures === MOST_FAILURES)
          return reasonToStop(`could not be read ${failures} times in a row: its state is unknown`);
      }
    }
  };
}

const sleepUnlessStopped = (ms: number, signal: AbortSignal) =>
  setTimeout(ms, undefined, { signal }).catch(() => {});

const UNITS_MS = { d: 86_400_000, h: 3_600_000, m: MINUTE_MS, s: 1000 } as const;

/** Parses a duration such as `10m` or `1h30m`; undefined for other texts. */
export function durationMs(text: string): number | undefined {
  if (!/^(?:\d{1,6}[dhms])+$/.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([dhms])/g)]
    .map(([, count, unit]) => Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS])
    .reduce((sum, part) => sum + part);
}
