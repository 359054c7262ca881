import type { OperationOutcome } from "../operations/operations";
import type { Seed } from "../schema/seed";
import { applyChange, type Credentials, type State } from "../state/state";
import type { Store } from "../state/store";
import { createFaultRules } from "./fault-rules";
import { createJournal } from "./journal";
import { createRateLimiter } from "./rate-limit";
import { createState } from "./seed";

export type Simulation = ReturnType<typeof createSimulation>;

export function createSimulation({
  seed: initialSeed,
  credentials,
  storedState,
  store,
  now,
}: {
  readonly seed: Seed;
  readonly credentials: Credentials;
  /** The state of an earlier run, which overrides the seed. */
  readonly storedState?: State | undefined;
  readonly store?: Store | undefined;
  readonly now: () => number;
}) {
  // Read even with a stored state, so that an invalid seed is reported at the start.
  const seedState = createState(initialSeed, now());
  let offset = 0;
  const simulation = {
    state: storedState ?? seedState,
    credentials,
    /** The simulator's time, which can be moved forward. */
    now: () => now() + offset,
    advance(milliseconds: number): void {
      offset += milliseconds;
    },
    journal: createJournal(),
    faultRules: createFaultRules(),
    rateLimiter: createRateLimiter(),
    /** Executes an operation. Its change takes effect only if it can be stored. */
    async execute(operation: (state: State) => OperationOutcome): Promise<OperationOutcome> {
      let outcome: OperationOutcome = { result: undefined };
      await change((draft) => {
        outcome = operation(draft);
        if (outcome.change) applyChange(draft, outcome.change);
        return draft;
      });
      return outcome;
    },
    /** Restarts with a seed, by default the initial one. */
    async reset(seed: Seed = initialSeed): Promise<void> {
      await change(() => createState(seed, now()));
      offset = 0;
      simulation.journal.clear();
      simulation.setConditions({ faults: seed.faults ?? [], rateLimit: seed.rateLimit });
    },
    /** Changes conditions. Absent members stay unchanged. */
    setConditions(
      changes: {
        readonly [Name in "faults" | "rateLimit"]?: Seed[Name] | undefined;
      },
    ): void {
      if (changes.faults) simulation.faultRules.replace(changes.faults);
      if ("rateLimit" in changes) simulation.rateLimiter.replace(changes.rateLimit);
    },
  };
  const change = createChangeQueue(simulation, async (state) => store?.save(state, credentials));
  simulation.setConditions(initialSeed);
  return simulation;
}

/** Changes the draft or returns another state. Throws before any change. */
type Change = (draft: State) => State;

interface WaitingChange {
  readonly run: Change;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Applies changes in order. Changes that arrive during a write share the next write. */
function createChangeQueue(current: { state: State }, save: (state: State) => Promise<void>) {
  const waiting: WaitingChange[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await write(waiting.splice(0));
    isWriting = false;
  }

  /** A state becomes visible once stored. */
  async function write(batch: readonly WaitingChange[]): Promise<void> {
    const { organizations, services, ...others } = current.state;
    let draft: State = {
      organizations: new Map(organizations),
      services: new Map(services),
      ...others,
    };
    const made: WaitingChange[] = [];
    for (const change of batch) {
      try {
        draft = change.run(draft);
        made.push(change);
      } catch (error) {
        change.reject(error);
      }
    }
    if (made.length === 0) return;
    try {
      await save(draft);
      current.state = draft;
      for (const { resolve } of made) resolve();
    } catch (error) {
      for (const { reject } of made) reject(error);
    }
  }

  /** Resolves once the change is stored. */
  return (run: Change) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ run, resolve, reject });
      if (!isWriting) void writeAll();
    });
}
