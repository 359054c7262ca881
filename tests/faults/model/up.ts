import { isDeepStrictEqual } from "node:util";
import { type Command, runProgram, runRefresh } from "../../support/engine/command";
import {
  type Declared,
  findByName,
  isAccess,
  isReadable,
  nameIn,
  type StateResource,
} from "../../support/engine/state";
import { NAMES, type Spec, slotsOf, type UpSpec } from "./history";
import {
  expectDeclared,
  expectFew,
  expectRemoved,
  expectRespect,
  isGivenUp,
  ownPlaces,
} from "./invariants";
import { ENDPOINTS, listOf, placesIn } from "./ledger";
import { buildProgram, CREATED } from "./program";
import type { Interruption } from "./schedule";
import { expectValues, reach } from "./values";
import {
  applyEdit,
  findLost,
  inProcess,
  noteCommand,
  noteLost,
  noteOthers,
  processOn,
  type Side,
  start,
  taint,
  type World,
} from "./world";

/** `pulumi up` of a stack, and the invariants after it. */
export async function up(world: World, side: Side, spec: UpSpec): Promise<Command> {
  const { api, dev } = world;
  const machine = (side === dev ? world.pinned : undefined) ?? spec.machine ?? 0;
  const hasOnlyDescriptions = [...side.dirty].every(
    (place) => api.ledger.entries.get(place)?.by === "others",
  );
  const interruption = spec.interruption && interrupt(world, spec.interruption);
  const started = start(world, side, machine, spec.parallel ?? 1, { ...spec, interruption });
  const command = { ...started, continuesOnError: spec.continuesOnError };
  const { stack, schedule, result } = command;
  const before = stack.resources;
  const isAlive = () => result.errors.length === 0 && !schedule.isDead();
  if (spec.refresh) {
    await runRefresh(
      spec.hasTwoProcesses ? { ...command, ...inProcess(processOn(world, machine)) } : command,
    );
    if (isAlive()) noteRead(side);
  }
  const known = stack.resources;
  const reads = api.requests().length;
  const program = programOf(world, side, spec);
  const isUnchanged =
    side.isSettled &&
    hasOnlyDescriptions &&
    isDeepStrictEqual(wishesOf(program), wishesOf(side.program));
  side.program = program;
  if (isAlive()) {
    side.hasCreated ||= side.program.some(({ name }) => name === CREATED);
    await runProgram(command, side.program);
  }
  const isDone = isAlive();
  noteCommand(
    world,
    `up${spec.refresh ? " --refresh" : ""}${spec.lags ? ", old reads" : ""}`,
    command,
    side.program,
  );
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
    noteNames(side);
  }
  noteSteps(world, side, command, known);
  expectValues(side, api);
  if (side === dev) {
    noteLost(world, side, command);
    world.pinned = side.lost.size > 0 ? machine : undefined;
  }
  const refused = result.errors.filter((error) => /CDB40(01|12)/.test(error));
  if (isCalm && !isDone && refused.length === 0)
    throw new Error(`a calm up fails: ${result.errors}`);
  // Without a journal, users look for what a crash has left.
  const hasJournal = world.journals.length > 0;
  findLost(
    world,
    side,
    machine,
    (name) => !hasJournal || refused.some((error) => error.startsWith(`${name}: `)),
  );
  return command;
}

function noteNames({ spec, names }: Side): void {
  if (spec === undefined || "resources" in spec) return;
  for (const [slot, { name }] of slotsOf(spec).entries()) names.set(slot, NAMES[name] ?? "");
}

/** Notes that the state has what the server has, but of objects that cannot be read. */
export function noteRead({ stack, dirty, drifted }: Side): void {
  dirty.clear();
  for (const { urn } of stack.resources) if (isReadable(urn)) drifted.delete(nameIn(urn));
}

/** Notes the resources whose last step has failed, or has an unknown end. */
function noteSteps(
  { api }: World,
  side: Side,
  { schedule, result }: Command,
  known: readonly StateResource[],
): void {
  const { stack, drifted, failed } = side;
  for (const [name, action] of result.actions) {
    failed.delete(name);
    const stored = findByName(stack, name);
    const isUnknown =
      schedule.isDead() && action !== "same" && known.some((resource) => resource === stored);
    if (isUnknown) drifted.add(name);
  }
  for (const error of result.errors) failed.add(error.split(":")[0] ?? "");
  // After a crash, only the response to another update makes an object certain that cannot be read.
  const isRenamed = api
    .requests()
    .some(({ path, status }) => path.endsWith(api.server.organizationId) && status === 200);
  const isCertain = isRenamed && result.errors.length === 0 && !schedule.isDead();
  for (const { urn } of stack.resources)
    if (isCertain && !isReadable(urn)) drifted.delete(nameIn(urn));
}

/** A `Service` owns the entries of its complete list, also those that others had added just so. */
function claimLists(
  { api }: World,
  { stack, program }: Side,
  known: readonly StateResource[],
): void {
  const { ledger, changes } = api;
  for (const { name, type, args } of program) {
    if (type !== "Service") continue;
    const id = findByName(stack, name)?.id;
    for (const [place, description] of placesIn({ ...args, id })) {
      if (ledger.entries.get(place)?.description === description) ledger.claim(place, stack.name);
    }
  }
  // An endpoint that others add between read and write, or to a list that a Service gives up, has
  // no certain owner.
  const added = changes().flatMap(({ place, by }) => (by === "others" ? [place] : []));
  for (const place of stack.resources
    .filter(isAccess)
    .flatMap((resource) => [...ownPlaces(resource).keys()])) {
    const isUnclear = added.includes(place) || isGivenUp(known, place);
    if (isUnclear && listOf(place) === ENDPOINTS) ledger.claim(place, stack.name);
  }
}

/** The program of a command; one that runs again neither replaces nor names targets. */
function programOf({ dev }: World, side: Side, { program, isAgain, isRetry }: UpSpec): Declared[] {
  const isKept = side.spec !== undefined && (isAgain || (isRetry && !side.isSettled));
  const spec = isKept && side.spec ? side.spec : withFormer(side.spec, program);
  side.spec = spec;
  if (!isKept || "resources" in spec) return buildProgram(spec, side, side === dev);
  const slots = slotsOf(spec).map((slot) => ({ ...slot, replace: undefined, isNoTarget: false }));
  return buildProgram({ ...spec, slots }, side, side === dev);
}

/** Slots that a program does not name stay as they are. */
function withFormer(former: Spec | undefined, next: Spec): Spec {
  if (!former || !("resources" in former) || !("resources" in next)) return next;
  return { resources: { ...former.resources, ...next.resources } };
}

function interrupt(world: World, { at, edit }: NonNullable<UpSpec["interruption"]>): Interruption {
  return {
    at,
    run: async () => void world.trace.push(`during the next: ${await applyEdit(world, edit)}`),
  };
}

function wishesOf(program: readonly Declared[]) {
  return program.map(({ alias, ...wish }) => wish);
}

/** Expects no drift of an entry that others have described anew: it is theirs. */
function expectNoAccessStep({ stack, result }: Command): void {
  for (const [name, action] of result.actions) {
    const stored = findByName(stack, name);
    if (stored && isAccess(stored) && action !== "same")
      throw new Error(`nothing has changed, but ${name}: ${action}`);
  }
}
