import { rmSync } from "node:fs";
import { recordsIn } from "../../contract/journal-setup";
import { startProcess } from "../../contract/support";
import type { LocalProcess, Properties } from "../../support/adapters/handlers";
import { type Command, createResult } from "../../support/engine/command";
import {
  type Declared,
  findByName,
  handlersAt,
  isAccess,
  type Stack,
  type StateResource,
  typeIn,
} from "../../support/engine/state";
import { CANARY, MASK } from "../../support/variants/variants";
import type { Api } from "./api";
import { type Edit, ENDPOINT_IDS, NETWORKS, type Spec } from "./history";
import { ACCESS, ENDPOINTS, type Place, placeOf, placesIn } from "./ledger";
import { CREATED, SERVICE_IDS } from "./program";
import { createSchedule, type Disturbance } from "./schedule";
import { expectOneCreation, expectReadable, reach } from "./values";

/** Creates a stack with its program and the model's knowledge of both. */
function createSide(name: string) {
  return {
    stack: { name, resources: [] } as Stack,
    program: [] as readonly Declared[],
    spec: undefined as Spec | undefined,
    /** The names of resources in the last program, by slot. */
    names: new Map<number, string>(),
    hasCreated: false,
    /** True if the last command was a successful `up` of the whole program. */
    isSettled: false,
    /** Places that others have changed since the stack looked. */
    dirty: new Set<Place>(),
    /** Places of commands that died or failed, and those of a `Service`: their entries may stay. */
    tainted: new Set<Place>(),
    /** Resources whose object may differ from the state. */
    drifted: new Set<string>(),
    /** Resources whose last step has failed. */
    failed: new Set<string>(),
    /** Services whose password the stack knows. */
    withPassword: new Set<string>(),
    /** The services whose creation failed or died, but may have succeeded, by resource name. */
    lost: new Map<string, string>(),
    /** The arguments to adopt a lost service, once the user has found it. */
    found: new Map<string, Properties>(),
  };
}

export type Side = ReturnType<typeof createSide>;

/**
 * Two stacks on shared services, machines that run their commands, and the commands so far. No
 * journals: users turned them off.
 */
export function createWorld(api: Api, journals: readonly string[]) {
  return {
    api,
    journals,
    dev: createSide("dev"),
    twin: createSide("us"),
    trace: [] as string[],
    /** The machine whose journal knows an unfinished creation. */
    pinned: undefined as number | undefined,
  };
}

export type World = ReturnType<typeof createWorld>;

export interface ModelCommand extends Command {
  readonly process: LocalProcess;
}

/** Starts a command, with a process on a machine. */
export function start(
  world: World,
  side: Side,
  machine: number,
  parallel: number,
  disturbance: Disturbance,
): ModelCommand {
  world.api.begin(side.stack.name);
  return {
    stack: side.stack,
    schedule: createSchedule(world.api, disturbance),
    parallel,
    result: createResult(),
    ...inProcess(processOn(world, machine)),
  };
}

/** The members of a command that runs in this process. */
export function inProcess(process: LocalProcess): Pick<ModelCommand, "process" | "handlersFor"> {
  return { process, handlersFor: (urn) => handlersAt(process, urn) };
}

export function processOn({ api, journals }: World, machine: number): LocalProcess {
  return startProcess(api.server, { CLOUDDB_JOURNAL: journals[machine] ?? "off" });
}

/**
 * Adds a command to the trace, which the message of a failure shows, and checks what it has said
 * and sent.
 */
export function noteCommand(
  { api, trace }: World,
  name: string,
  { stack, schedule, process, result }: ModelCommand,
  program: readonly Declared[] = [],
): void {
  const outcome = schedule.isDead() ? "DIED" : (result.errors[0] ?? "ended");
  const requests = api
    .requests()
    .map(({ method, serviceId, body }) => ({ method, serviceId, body }));
  const details = [...program, ...result.actions, ...requests].map((detail) =>
    JSON.stringify(detail),
  );
  trace.push([`${stack.name} ${name}: ${outcome}`, ...details].join("\n    "));
  expectReadable([...process.messages, ...result.errors], [api.server.keySecret, CANARY, MASK]);
  expectOneCreation(api.requests());
}

/** Marks the places that others than a stack have changed. */
export function noteOthers({ api, dev, twin }: World): void {
  for (const side of [dev, twin]) {
    for (const { by, place } of api.changes()) {
      if (by !== side.stack.name) side.dirty.add(place);
    }
  }
}

/** Notes the places whose entries may stay after a command, by the states before and after it. */
export function taint(side: Side, states: readonly StateResource[], isDone: boolean): void {
  const isWhole = isDone && !side.program.some(({ isNoTarget }) => isNoTarget);
  const resources = isWhole ? states.filter((resource) => !isAccess(resource)) : states;
  const lists = resources.flatMap(({ id, inputs, outputs }) => [
    { id, ...inputs },
    { id, ...outputs },
  ]);
  const wanted = isWhole ? [] : side.program.map((declared) => listsOf(side, declared));
  for (const each of [...lists, ...wanted])
    for (const place of placesIn(each).keys()) side.tainted.add(place);
}

function listsOf({ stack }: Side, { args, serviceFrom = "" }: Declared) {
  return {
    ...args,
    serviceId: args.serviceId ?? args.existingServiceId ?? findByName(stack, serviceFrom)?.id,
  };
}

/**
 * Notes the creations whose end is unknown, and expects every other service to be in the state,
 * once.
 */
export function noteLost(
  { api }: World,
  { stack, program, lost }: Side,
  { schedule, result }: Command,
): void {
  for (const { name, type, args } of program) {
    const isUncertain = result.errors.some(
      (error) => error.startsWith(`${name}: `) && error.includes("CDB4001"),
    );
    const mayExist = schedule.isDead() || isUncertain;
    const isCreation =
      type === "Service" && result.actions.get(name) === "create" && !args.existingServiceId;
    if (mayExist && isCreation) lost.set(name, String(args.name ?? name));
    if (findByName(stack, name)) lost.delete(name);
  }
  const services = api.server.organization().services.map(({ id }) => id);
  const ids = stack.resources.filter(({ urn }) => typeIn(urn) === "Service").map(({ id }) => id);
  const strange = ids.filter((id, index) => !services.includes(id) || ids.indexOf(id) !== index);
  const unknown = api.createdServices().filter(({ id }) => !ids.includes(String(id)));
  if (strange.length > 0) throw new Error(`the state has ${strange}, which do not exist, or twice`);
  if (unknown.length > lost.size)
    throw new Error(`neither state nor user knows ${JSON.stringify(unknown)}`);
}

/**
 * Finds the lost services and adopts them, or discards their records, as the error or
 * docs/guides/after-a-crash.md says.
 */
export function findLost(
  { api, journals }: World,
  side: Side,
  machine: number,
  isRefused: (name: string) => boolean,
) {
  const ids = side.stack.resources.map(({ id }) => id);
  for (const [name, apiName] of side.lost) {
    if (!isRefused(name)) continue;
    const service = api
      .createdServices()
      .find((each) => each.name === apiName && !ids.includes(String(each.id)));
    reach(service ? "a lost service was found" : "a creation was not carried out");
    if (service) side.found.set(name, { existingServiceId: service.id });
    else {
      side.lost.delete(name);
      discard(journals[machine], apiName);
    }
  }
}

/** The command `pulumi-clouddb creations discard`. */
function discard(journal: string | undefined, name: string): void {
  if (journal === undefined) return;
  for (const { path, text } of recordsIn(journal)) if (JSON.parse(text).name === name) rmSync(path);
}

/** Applies a change by others, where it makes sense; returns it in words. */
export async function applyEdit(
  { api, dev: { stack } }: World,
  { kind, service, entry }: Edit,
): Promise<string> {
  const id = SERVICE_IDS[service] ?? findByName(stack, CREATED)?.id;
  if (id === undefined) return "others: no service";
  const source = NETWORKS[entry];
  const endpoint = ENDPOINT_IDS[entry - NETWORKS.length] ?? "";
  const list = source === undefined ? ENDPOINTS : ACCESS;
  const place = placeOf(id, list, source ?? endpoint);
  const has = api.ledger.entries.has(place);
  const isStored = stack.resources.some((resource) =>
    placesIn({ id: resource.id, ...resource.outputs }).has(place),
  );
  // An endpoint has no description: once a stack has it in its state, nobody can tell who has added
  // it again.
  const isAmbiguous = source === undefined && (kind === "describe" || (kind === "add" && isStored));
  if (isAmbiguous || has === (kind === "add")) return "others: nothing";
  const value = source === undefined ? endpoint : { source, description: `theirs ${kind}` };
  await api.change(id, { [list]: kind === "remove" ? { remove: [value] } : { add: [value] } });
  return `others ${kind} ${place}`;
}
