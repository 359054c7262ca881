import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { reach } from "../invariants";
import { type Command, runProgram, runRefresh } from "./command";
import {
  expectDeclared,
  expectFew,
  expectOneService,
  expectRemoved,
  expectRespect,
  isGivenUp,
  ownPlaces,
} from "./invariants";
import { ENDPOINTS, listOf, placesIn } from "./ledger";
import { buildProgram, CREATED } from "./program";
import { NAMES, type UpSpec } from "./scenario";
import type { Interruption } from "./schedule";
import { type Side, taint } from "./side";
import { type Declared, findByName, isAccess, type StateResource } from "./state";
import { applyEdit, noteCommand, noteOthers, start, startProcess, type World } from "./world";

/** `pulumi up` of a stack, and the invariants after it. */
export async function up(world: World, side: Side, spec: UpSpec): Promise<Command> {
  const { api, dev } = world;
  const machine = (side === dev ? world.pinned : undefined) ?? spec.machine;
  const hasOnlyDescriptions = [...side.dirty].every((place) => api.ledger.entries.get(place)?.by === "others");
  const interruption = spec.interruption && interrupt(world, spec.interruption);
  const command = start(world, side, machine, spec.parallel, { ...spec, interruption });
  const { stack, schedule, result } = command;
  const before = stack.resources;
  const isAlive = () => result.errors.length === 0 && !schedule.isDead();
  if (spec.refresh) {
    await runRefresh(spec.hasTwoProcesses ? { ...command, operations: startProcess(world, machine) } : command);
    if (isAlive()) side.dirty.clear();
  }
  const known = stack.resources;
  const reads = api.requests().length;
  const program = programOf(world, side, spec);
  const isUnchanged =
    side.isSettled && hasOnlyDescriptions && isDeepStrictEqual(wishesOf(program), wishesOf(side.program));
  side.program = program;
  if (isAlive()) {
    side.hasCreated ||= side.program.some(({ name }) => name === CREATED);
    await runProgram(command, side.program);
  }
  const isDone = isAlive();
  noteCommand(world, `up${spec.refresh ? " --refresh" : ""}${spec.lags ? ", old reads" : ""}`, command, side.program);
  reach(isDone ? "an up" : schedule.isDead() ? "an up that died" : "an up that failed");
  noteOthers(world);
  claimLists(world, side, known);
  taint(side, [...before, ...known, ...stack.resources], isDone);
  side.isSettled = isDone && !side.program.some(({ isNoTarget }) => isNoTarget);
  expectRespect(side, known, api.changes());
  const isCalm = !spec.fault && !schedule.isDead() && !spec.interruption;
  if (isDone) {
    expectDeclared(side, result, known, api);
    if (side.isSettled) expectRemoved(side, known, api);
    if (isCalm) expectFew(side, result, api.requests().slice(reads), api.addsFirst());
    if (isUnchanged && isCalm) expectNoAccessStep(command);
    for (const [slot, { name }] of (side.spec?.slots ?? []).entries()) side.names.set(slot, NAMES[name] ?? "");
  }
  if (side === dev) settleCreation(world, machine, isDone);
  const isRefused = result.errors.some((error) => /CDB40(01|12)/.test(error));
  if (isCalm && !isDone && !isRefused) throw new Error(`a calm up fails: ${result.errors}`);
  if (isRefused) findLostService(world, machine);
  return command;
}

/** A `Service` owns the entries of its complete list, also those that others had added just so. */
function claimLists({ api }: World, { stack, program }: Side, known: readonly StateResource[]): void {
  const { ledger, changes } = api;
  for (const { name, type, args } of program) {
    if (type !== "Service") continue;
    const id = findByName(stack, name)?.id;
    for (const [place, description] of placesIn({ ...args, id })) {
      if (ledger.entries.get(place)?.description === description) ledger.claim(place, stack.name);
    }
  }
  // An endpoint that others add between read and write, or to a list that a Service gives up, has no certain owner.
  const added = changes().flatMap(({ place, by }) => (by === "others" ? [place] : []));
  for (const place of stack.resources.filter(isAccess).flatMap((resource) => [...ownPlaces(resource).keys()])) {
    const isUnclear = added.includes(place) || isGivenUp(known, place);
    if (isUnclear && listOf(place) === ENDPOINTS) ledger.claim(place, stack.name);
  }
}

/** The program of a command; one that runs again neither replaces nor names targets. */
function programOf({ dev, found }: World, side: Side, { program, isAgain, isRetry }: UpSpec) {
  const isKept = side.spec !== undefined && (isAgain || (isRetry && !side.isSettled));
  side.spec = isKept ? side.spec : program;
  const spec = side.spec ?? program;
  const slots = spec.slots.map((slot) => ({ ...slot, replace: undefined, isNoTarget: false }));
  const past = { ...side, found: side === dev ? found : undefined };
  return buildProgram(isKept ? { ...spec, slots } : spec, past, side === dev);
}

function interrupt(world: World, { at, edit }: NonNullable<UpSpec["interruption"]>): Interruption {
  return { at, run: async () => void world.trace.push(`during the next: ${await applyEdit(world, edit)}`) };
}

function wishesOf(program: readonly Declared[]) {
  return program.map(({ alias, ...wish }) => wish);
}

/** Expects no drift of an entry that others have described anew: it is theirs. */
function expectNoAccessStep({ stack, result }: Command): void {
  for (const [name, action] of result.actions) {
    const stored = findByName(stack, name);
    if (stored && isAccess(stored) && action !== "same") throw new Error(`nothing has changed, but ${name}: ${action}`);
  }
}

/** Until a creation is in the stack, the machine whose journal may know it runs the commands. */
function settleCreation(world: World, machine: number, isDone: boolean): void {
  const { dev, api } = world;
  const stored = findByName(dev.stack, CREATED);
  expectOneService(api.createdServices(), stored);
  world.pinned = isDone || !dev.hasCreated || stored !== undefined ? undefined : machine;
}

/** After a refused creation, the user looks for the service: adopts it, or discards the record. */
function findLostService(world: World, machine: number): void {
  const [service] = world.api.createdServices();
  const journal = world.journals[machine] ?? "";
  reach(service ? "a lost service was found" : "a creation was not carried out");
  if (service) world.found = { existingServiceId: service.id };
  else for (const record of readdirSync(journal)) rmSync(join(journal, record));
}
