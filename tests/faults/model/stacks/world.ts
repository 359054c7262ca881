import { environmentFor, fakeClock } from "../../../contract/support";
import type { Properties } from "../../../support/adapters/handlers";
import type { Api } from "./api";
import type { Command } from "./command";
import { ACCESS, ENDPOINTS, placeOf, placesIn } from "./ledger";
import { startOperations } from "./process";
import { CREATED, SERVICE_IDS } from "./program";
import { type Edit, ENDPOINT_IDS, NETWORKS } from "./scenario";
import { createSchedule, type Disturbance } from "./schedule";
import { createSide, type Side } from "./side";
import { type Declared, findByName } from "./state";

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

/** Adds a command to the trace, which the message of a failure shows. */
export function noteCommand(
  { api, trace }: World,
  name: string,
  { stack, schedule, result }: Command,
  program: readonly Declared[] = [],
): void {
  const outcome = schedule.isDead() ? "DIED" : (result.errors[0] ?? "ended");
  const requests = api.requests().map(({ method, serviceId, body }) => ({ method, serviceId, body }));
  const details = [...program, ...result.actions, ...requests].map((detail) => JSON.stringify(detail));
  trace.push([`${stack.name} ${name}: ${outcome}`, ...details].join("\n    "));
}

/** Applies a change by others, where it makes sense; returns it in words. */
export async function applyEdit({ api, dev: { stack } }: World, { kind, service, entry }: Edit): Promise<string> {
  const id = SERVICE_IDS[service] ?? findByName(stack, CREATED)?.id;
  if (id === undefined) return "others: no service";
  const source = NETWORKS[entry];
  const endpoint = ENDPOINT_IDS[entry - NETWORKS.length] ?? "";
  const list = source === undefined ? ENDPOINTS : ACCESS;
  const place = placeOf(id, list, source ?? endpoint);
  const has = api.ledger.entries.has(place);
  const isStored = stack.resources.some((resource) => placesIn({ id: resource.id, ...resource.outputs }).has(place));
  // An endpoint has no description: once a stack has it in its state, nobody can tell who has added it again.
  const isAmbiguous = source === undefined && (kind === "describe" || (kind === "add" && isStored));
  if (isAmbiguous || has === (kind === "add")) return "others: nothing";
  const value = source === undefined ? endpoint : { source, description: `theirs ${kind}` };
  await api.change(id, { [list]: kind === "remove" ? { remove: [value] } : { add: [value] } });
  return `others ${kind} ${place}`;
}
