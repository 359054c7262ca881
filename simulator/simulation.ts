import { EventEmitter } from "node:events";
import { createJournal, type Journal, type JournalEntry } from "./admin/journal";
import type { Outcome } from "./api/operations";
import { type Clock, createClock } from "./clock";
import { createRateLimiter, type RateLimit, type RateLimiter } from "./faults/rate-limit";
import { createFaults, type FaultRule, type Faults } from "./faults/rules";
import type { Memory } from "./world/memory";
import { createQueue } from "./world/queue";
import { type Seed, worldFrom } from "./world/seed";
import { applyChange, type Change, type World } from "./world/world";

export interface Credentials {
  readonly keyId: string;
  readonly keySecret: string;
  readonly accessToken: string;
}

/** What has just happened, for whoever looks on. */
interface Happenings {
  request: [JournalEntry];
  changed: [Change];
  /** Faults, rate limit or everything: look again. */
  steered: [];
}

/** What of the surroundings is set; what is not named stays. */
interface Steering {
  readonly faults?: readonly FaultRule[];
  readonly rateLimit?: RateLimit | undefined;
}

/** What all routes share. */
export interface Simulation {
  world: World;
  /** What requests have to bring; keys can be rotated. */
  credentials: Credentials;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly rateLimiter: RateLimiter;
  readonly happenings: EventEmitter<Happenings>;
  /** Carries out an operation that may change the world. What a memory could not keep did not happen. */
  readonly change: (carryOut: () => Outcome) => Promise<Outcome>;
  /** Begins anew as at the start, with the credentials of then. */
  readonly reset: () => Promise<void>;
  /** Begins anew as a seed says. */
  readonly sow: (seed: Seed) => Promise<void>;
  readonly rotate: (given: Partial<Credentials>) => Promise<void>;
  readonly steer: (given: Steering) => void;
}

export interface SimulationOptions {
  readonly seed: Seed;
  readonly credentials: Credentials;
  /** What was kept of an earlier run; it counts instead of the seed's world. */
  readonly kept?: World | undefined;
  readonly memory?: Memory | undefined;
  readonly now: () => number;
}

export function createSimulation({ seed: firstSeed, credentials, kept, memory, now }: SimulationOptions): Simulation {
  const clock = createClock(now);
  const faults = createFaults();
  const rateLimiter = createRateLimiter();
  const happenings = new EventEmitter<Happenings>();
  happenings.setMaxListeners(0);
  // Each change is made of what the one before it has left, and kept before anybody sees it.
  const inTurn = createQueue();

  function steer(given: Steering): void {
    if (given.faults) faults.replace(given.faults);
    if ("rateLimit" in given) rateLimiter.replace(given.rateLimit);
    happenings.emit("steered");
  }
  // Also where another world goes on: a seed that cannot be used is said at the start.
  const first = worldFrom(firstSeed, clock.now());
  steer(firstSeed);
  const simulation: Simulation = {
    world: kept ?? first,
    credentials,
    clock,
    journal: createJournal(),
    faults,
    rateLimiter,
    happenings,
    change: (carryOut) =>
      inTurn(async () => {
        const outcome = carryOut();
        if (outcome.changed) {
          await memory?.keep(outcome.changed);
          applyChange(simulation.world, outcome.changed, clock.now());
          happenings.emit("changed", outcome.changed);
        }
        return outcome;
      }),
    reset: () => inTurn(() => begin(firstSeed, credentials)),
    sow: (seed) => inTurn(() => begin(seed, simulation.credentials)),
    rotate: (given) =>
      inTurn(async () => {
        const rotated = { ...simulation.credentials, ...given };
        await memory?.keepCredentials(rotated);
        simulation.credentials = rotated;
      }),
    steer,
  };
  return simulation;

  async function begin(seed: Seed, own: Credentials): Promise<void> {
    const world = worldFrom(seed, now());
    await memory?.replace(world, own);
    simulation.world = world;
    simulation.credentials = own;
    clock.reset();
    simulation.journal.clear();
    steer({ faults: seed.faults ?? [], rateLimit: seed.rateLimit });
  }
}
