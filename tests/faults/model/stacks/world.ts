import { environmentFor, fakeClock } from "../../../contract/support";
import type { Properties } from "../../../support/adapters/handlers";
import type { Api } from "./api";
import type { Command } from "./command";
import { startOperations } from "./process";
import { createSchedule, type Disturbance } from "./schedule";
import { createSide, type Side } from "./side";

/** Two stacks on shared services, two machines that run their commands, and the commands so far. */
export interface World {
  readonly api: Api;
  readonly dev: Side;
  readonly twin: Side;
  /** The creation journals, by machine. */
  readonly journals: readonly string[];
  readonly trace: string[];
  /** The machine whose journal knows an unfinished creation. */
  pinned: number | undefined;
  /** The arguments to adopt a service whose creation was lost, once the user has found it. */
  found: Properties | undefined;
}

export function createWorld(api: Api, journals: readonly string[]): World {
  return {
    api,
    journals,
    dev: createSide("dev"),
    twin: createSide("us"),
    trace: [],
    pinned: undefined,
    found: undefined,
  };
}

/** Starts a command, with a process on a machine. */
export function start(world: World, side: Side, machine: number, parallel: number, disturbance: Disturbance): Command {
  world.api.begin(side.stack.name);
  return {
    stack: side.stack,
    operations: startProcess(world, machine),
    schedule: createSchedule(world.api, disturbance),
    parallel,
    result: { errors: [], actions: new Map(), drift: new Set() },
  };
}

export function startProcess({ api, journals }: World, machine: number) {
  const environment = { ...environmentFor(api), CLOUDDB_JOURNAL: journals[machine] ?? "off" };
  return startOperations({ environment, clock: fakeClock(), random: () => 1 });
}

/** Marks the places that others than a stack have changed. */
export function noteOthers({ api, dev, twin }: World): void {
  for (const side of [dev, twin]) {
    for (const { by, place } of api.changes()) {
      if (by !== side.stack.name) side.dirty.add(place);
    }
  }
}
