import type { OperationOutcome } from "../operations/operations";
import { applyChange, type Credentials, type State } from "../state/state";
import type { StateStore } from "../state/state-store";
import { createFaultRules, type FaultRule } from "./fault-rules";
import { createJournal } from "./journal";
import { createRateLimiter, type RateLimit } from "./rate-limit";
import { createState, type Seed } from "./seed";

/** Members that are absent stay as they are. */
interface Conditions {
  readonly faults?: readonly FaultRule[];
  readonly rateLimit?: RateLimit | undefined;
}

/** The state and controls that all routes share. */
export interface Simulation {
  state: State;
  readonly credentials: Credentials;
  readonly clock: ReturnType<typeof createClock>;
  readonly journal: ReturnType<typeof createJournal>;
  readonly faultRules: ReturnType<typeof createFaultRules>;
  readonly rateLimiter: ReturnType<typeof createRateLimiter>;
  /** Executes an operation that may change the state. A change that cannot be stored does not happen. */
  readonly execute: (operation: () => OperationOutcome) => Promise<OperationOutcome>;
  /** Restores the initial state. */
  readonly reset: () => Promise<void>;
  readonly replaceState: (seed: Seed) => Promise<void>;
  readonly setConditions: (changes: Conditions) => void;
}

export interface SimulationOptions {
  readonly seed: Seed;
  readonly credentials: Credentials;
  /** The state of an earlier run, which takes precedence over the seed's. */
  readonly storedState?: State | undefined;
  readonly store?: StateStore | undefined;
  readonly now: () => number;
}

export function createSimulation({
  seed: initialSeed,
  credentials,
  storedState,
  store,
  now,
}: SimulationOptions): Simulation {
  const clock = createClock(now);
  const faultRules = createFaultRules();
  const rateLimiter = createRateLimiter();
  // Each change builds on the one before it, and is stored before it becomes visible.
  const enqueue = createTaskQueue();

  function setConditions(changes: Conditions): void {
    if (changes.faults) faultRules.replace(changes.faults);
    if ("rateLimit" in changes) rateLimiter.replace(changes.rateLimit);
  }
  // Created even where a stored state is used, so that a seed that is not valid is reported at the start.
  const seedState = createState(initialSeed, clock.now());
  setConditions(initialSeed);
  const simulation: Simulation = {
    state: storedState ?? seedState,
    credentials,
    clock,
    journal: createJournal(),
    faultRules,
    rateLimiter,
    execute: (operation) =>
      enqueue(async () => {
        const outcome = operation();
        if (outcome.change === undefined) return outcome;
        await store?.save(outcome.change);
        applyChange(simulation.state, outcome.change);
        return outcome;
      }),
    reset: () => enqueue(() => restart(initialSeed)),
    replaceState: (seed) => enqueue(() => restart(seed)),
    setConditions,
  };
  return simulation;

  async function restart(seed: Seed): Promise<void> {
    const state = createState(seed, now());
    await store?.replace(state, credentials);
    simulation.state = state;
    clock.reset();
    simulation.journal.clear();
    setConditions({ faults: seed.faults ?? [], rateLimit: seed.rateLimit });
  }
}

/** The simulator's own time, which can be moved forward. */
function createClock(now: () => number) {
  let offset = 0;
  return {
    now: () => now() + offset,
    advance(milliseconds: number): void {
      offset += milliseconds;
    },
    reset(): void {
      offset = 0;
    },
  };
}

/** Runs tasks one after the other; a task that fails delays none of the others. */
function createTaskQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return function enqueue<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
