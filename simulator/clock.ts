/** The simulator's own time, which can be set forward. */
export interface Clock {
  readonly now: () => number;
  readonly advance: (milliseconds: number) => void;
  readonly reset: () => void;
}

export function createClock(now: () => number): Clock {
  let ahead = 0;
  return {
    now: () => now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
    reset() {
      ahead = 0;
    },
  };
}
