import { EventEmitter } from "node:events";
import { createJournal, type Journal, type JournalEntry } from "./admin/journal";
import { type Clock, createClock } from "./clock";
import { createRateLimiter, type RateLimit, type RateLimiter } from "./faults/rate-limit";
import { createFaults, type FaultRule, type Faults } from "./faults/rules";
import type { Memory } from "./world/memory";
import { type Seed, worldFrom } from "./world/seed";
import type { Change, World } from "./world/world";

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
  /** Done when a change would survive the process, if there is a memory. */
  readonly keep: (change: Change) => Promise<void>;
  /** Begins anew: as at the start, or as a seed says. */
  readonly begin: (seed?: Seed) => Promise<void>;
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
    async keep(change) {
      happenings.emit("changed", change);
      await memory?.keep(change);
    },
    async begin(seed = firstSeed) {
      const world = worldFrom(seed, clock.now());
      clock.reset();
      simulation.world = world;
      simulation.journal.clear();
      steer({ faults: seed.faults ?? [], rateLimit: seed.rateLimit });
      await memory?.replace(simulation.world, simulation.credentials);
    },
    async rotate(given) {
      simulation.credentials = { ...simulation.credentials, ...given };
      await memory?.keepCredentials(simulation.credentials);
    },
    steer,
  };
  return simulation;
}
