import { EventEmitter } from "node:events";
import type { OperationOutcome } from "../operations/operations";
import { applyChange, type Credentials, type State, type StateChange } from "../state/state";
import type { StateStore } from "../state/state-store";
import { type Changes, describeChanges } from "./changes";
import { createFaultRules, type FaultRule } from "./fault-rules";
import { createJournal, type JournalEntry } from "./journal";
import { createRateLimiter, type RateLimit } from "./rate-limit";
import { createState, type Seed } from "./seed";

/** The server-sent events of the admin API. */
interface SimulationEvents {
  request: [JournalEntry];
  changed: [StateChange];
  /** Faults, rate limit, clock or the whole state: read again. */
  steered: [];
  /** The time after the clock was moved. */
  clock: [now: number];
}

/** Members that are absent stay as they are. */
interface Conditions {
  readonly faults?: readonly FaultRule[];
  readonly rateLimit?: RateLimit | undefined;
}

interface ExecutedOutcome extends OperationOutcome {
  readonly changes?: Changes | undefined;
}

/** The state and controls that all routes share. */
export interface Simulation {
  state: State;
  /** The accepted credentials; can be rotated. */
  credentials: Credentials;
  readonly clock: ReturnType<typeof createClock>;
  readonly journal: ReturnType<typeof createJournal>;
  readonly faultRules: ReturnType<typeof createFaultRules>;
  readonly rateLimiter: ReturnType<typeof createRateLimiter>;
  readonly events: EventEmitter<SimulationEvents>;
  /** Executes an operation that may change the state. A change that cannot be stored does not happen. */
  readonly execute: (operation: () => OperationOutcome) => Promise<ExecutedOutcome>;
  /** Restores the initial state and credentials. */
  readonly reset: () => Promise<void>;
  readonly replaceState: (seed: Seed) => Promise<void>;
  readonly rotateCredentials: (changes: Partial<Credentials>) => Promise<void>;
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
  const clock = createClock(now, (time) => events.emit("clock", time));
  const faultRules = createFaultRules();
  const rateLimiter = createRateLimiter();
  const events = new EventEmitter<SimulationEvents>();
  events.setMaxListeners(0);
  // Each change builds on the one before it, and is stored before it becomes visible.
  const enqueue = createTaskQueue();

  function setConditions(changes: Conditions): void {
    if (changes.faults) faultRules.replace(changes.faults);
    if ("rateLimit" in changes) rateLimiter.replace(changes.rateLimit);
    events.emit("steered");
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
    events,
    execute: (operation) =>
      enqueue(async () => {
        const outcome = operation();
        if (outcome.change === undefined) return outcome;
        const changes = describeChanges(simulation.state, outcome.change);
        await store?.save(outcome.change);
        applyChange(simulation.state, outcome.change, clock.now());
        events.emit("changed", outcome.change);
        return { ...outcome, changes };
      }),
    reset: () => enqueue(() => restart(initialSeed, credentials)),
    replaceState: (seed) => enqueue(() => restart(seed, simulation.credentials)),
    rotateCredentials: (changes) =>
      enqueue(async () => {
        const rotated = { ...simulation.credentials, ...changes };
        await store?.saveCredentials(rotated);
        simulation.credentials = rotated;
        events.emit("steered");
      }),
    setConditions,
  };
  return simulation;

  async function restart(seed: Seed, nextCredentials: Credentials): Promise<void> {
    const state = createState(seed, now());
    await store?.replace(state, nextCredentials);
    simulation.state = state;
    simulation.credentials = nextCredentials;
    clock.reset();
    simulation.journal.clear();
    setConditions({ faults: seed.faults ?? [], rateLimit: seed.rateLimit });
  }
}

/** The simulator's own time, which can be moved forward. */
function createClock(now: () => number, onAdvance: (time: number) => void) {
  let offset = 0;
  return {
    now: () => now() + offset,
    advance(milliseconds: number): void {
      offset += milliseconds;
      onAdvance(now() + offset);
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
