/** The simulator's own time, which can be moved forward. */
export interface Clock {
  readonly now: () => number;
  readonly advance: (milliseconds: number) => void;
  readonly reset: () => void;
}

export function createClock(now: () => number): Clock {
  let offset = 0;
  return {
    now: () => now() + offset,
    advance(milliseconds) {
      offset += milliseconds;
    },
    reset() {
      offset = 0;
    },
  };
}
