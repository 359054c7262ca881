import { readdirSync, rmSync } from "node:fs";
import { ADAPTER } from "../../support/adapters/handlers";
import {
  type Result,
  runDeletions,
  runImport,
  runProgram,
  runRefresh,
} from "../../support/engine/command";
import { findByName, isAccess, isReadable, urnOf } from "../../support/engine/state";
import { folderInMemory } from "../../support/temporary-folder";
import { SERVER_VARIANTS } from "../../support/variants/variants";
import type { Api } from "./api";
import type { History, StepSpec, UpSpec } from "./history";
import { expectEmpty, expectNothingLeft, expectRespect } from "./invariants";
import { buildProgram, CREATED, nameOfSlot } from "./program";
import { ADOPTED, SCALED } from "./scenario";
import { noteRead, up } from "./up";
import { expectEqual, expectValues, reach } from "./values";
import {
  applyEdit,
  createWorld,
  inProcess,
  noteCommand,
  noteOthers,
  processOn,
  type Side,
  start,
  type World,
} from "./world";

/**
 * Runs a history with the real handlers and the simulator, and checks the invariants after every
 * command.
 */
export async function runHistory(
  { steps, addsFirst }: History,
  api: Api,
  hasJournal = true,
): Promise<void> {
  await api.reset(addsFirst);
  const journals = hasJournal ? [0, 1].map(() => folderInMemory("journal")) : [];
  const world = createWorld(api, journals);
  try {
    for (const step of steps) await runStep(world, step);
    await expectConvergence(world);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n  trace:\n  ${world.trace.join("\n  ")}`, {
      cause: error,
    });
  } finally {
    for (const journal of journals) rmSync(journal, { recursive: true });
  }
}

async function runStep(world: World, step: StepSpec): Promise<void> {
  const { api, dev, twin, trace } = world;
  if ("edits" in step) {
    api.begin("others");
    for (const edit of step.edits) trace.push(await applyEdit(world, edit));
    noteOthers(world);
  } else if ("drift" in step) await drift(world, step.drift);
  else if ("variant" in step) api.server.useVariant(SERVER_VARIANTS[step.variant]);
  else if ("refresh" in step) await refresh(world, step.refresh);
  else if ("import" in step) await importService(world, step.import);
  else if ("preview" in step) await preview(world, step.preview);
  else if ("up" in step) await up(world, dev, step.up);
  else await up(world, twin, step.twin);
}

type Drift = Extract<StepSpec, { readonly drift: unknown }>["drift"];

async function drift(world: World, { slot, body }: Drift): Promise<void> {
  const { api, dev } = world;
  const name = nameOfSlot(slot);
  const id = { size: SCALED, adopted: ADOPTED }[slot as "size"] ?? findByName(dev.stack, name)?.id;
  if (id === undefined) return;
  api.begin("others");
  await api.change(id, body, slot === "size" ? "/replicaScaling" : "");
  noteOthers(world);
  dev.drifted.add(name);
  expectValues(dev, api);
}

async function refresh(
  world: World,
  { machine = 0, seed = 0 }: Pick<UpSpec, "machine" | "seed">,
): Promise<Result> {
  const { api, dev } = world;
  const command = start(world, dev, machine, 4, { seed });
  const read = dev.stack.resources.filter(({ urn, isDeleted }) => !isDeleted && isReadable(urn));
  await runRefresh(command);
  noteCommand(world, "refresh", command);
  if (command.result.errors.length > 0)
    throw new Error(`a refresh fails: ${command.result.errors}`);
  expectEqual(
    api.requests().map(({ method }) => method),
    read.map(() => "GET"),
  );
  // The import may have found differences to the program.
  dev.isSettled &&= dev.dirty.size === 0;
  noteRead(dev);
  expectValues(dev, api);
  reach("a refresh");
  return command.result;
}

/** Imports a service that a death has kept from the stack. Only the native plugin can import. */
async function importService(
  world: World,
  { machine = 0 }: Pick<UpSpec, "machine">,
): Promise<void> {
  const { api, dev } = world;
  const [service] = api.createdServices();
  if (ADAPTER === "dynamic" || service === undefined || findByName(dev.stack, CREATED)) return;
  const command = start(world, dev, world.pinned ?? machine, 1, { seed: 0 });
  const urn = urnOf(dev.stack, "Service", CREATED);
  if ((await runImport(command, urn, String(service.id))) === undefined)
    throw new Error(`an import finds nothing: ${command.result.errors}`);
  dev.isSettled = false;
  dev.lost.delete(CREATED);
  noteCommand(world, "import", command);
  reach("an import");
}

/** Runs a preview, perhaps with a refresh. Its state is not stored. */
async function preview(
  world: World,
  { machine = 0, refresh, hasTwoProcesses, program, seed = 0 }: UpSpec,
): Promise<void> {
  const { api, dev, journals } = world;
  const records = () => journals.map((journal) => readdirSync(journal));
  const before = records();
  const stack = { ...dev.stack };
  const command = { ...start(world, dev, machine, 4, { seed }), stack, isPreview: true };
  if (refresh)
    await runRefresh(
      hasTwoProcesses ? { ...command, ...inProcess(processOn(world, machine)) } : command,
    );
  const { errors } = command.result;
  const resources = buildProgram(program, { ...dev, stack }, true);
  if (errors.length === 0) await runProgram(command, resources);
  noteCommand(world, `preview${refresh ? " --refresh" : ""}`, command, resources);
  // A preview, too, refuses a creation that may be lost.
  if (errors.some((error) => !error.includes("CDB4012")))
    throw new Error(`a preview fails: ${errors}`);
  expectEqual(
    [...new Set(api.requests().map(({ method }) => method))],
    refresh && stack.resources[0] ? ["GET"] : [],
  );
  // A record ends once the stored state has the service with its password.
  if (typeof findByName(dev.stack, CREATED)?.outputs.password !== "string")
    expectEqual(records(), before);
  reach("a preview");
}

/**
 * Expects an `up` with a refresh to settle everything once nothing fails any more, and a destroy to
 * leave nothing.
 */
async function expectConvergence(world: World): Promise<void> {
  const { api, dev, twin, journals } = world;
  if (dev.spec === undefined) return;
  const calm: UpSpec = { isAgain: true, program: dev.spec };
  // A creation may be refused, and be sent again after the user has resolved it.
  for (let attempt = 0; attempt < 3 && !dev.isSettled; attempt += 1)
    await up(world, dev, { ...calm, refresh: true });
  await up(world, dev, { ...calm, refresh: true });
  for (const machine of journals.length > 0 ? [0, 1] : [0]) {
    await expectNothingToDo(world, { ...calm, machine });
    const outputs = () =>
      dev.stack.resources.filter(isAccess).map(({ outputs: { __urn, ...shown } }) => shown);
    const before = outputs();
    const { drift } = await refresh(world, { machine });
    expectEqual([[...drift], outputs()], [[], before]);
    await expectNothingToDo(world, { ...calm, machine });
    const journal = journals[machine];
    if (journal !== undefined) expectEqual(readdirSync(journal), []);
  }
  const created = findByName(dev.stack, CREATED);
  if (created && !dev.found.has(CREATED)) expectEqual(typeof created.outputs.password, "string");
  expectNothingLeft(dev, api, "the last up");
  for (const side of [dev, twin]) await destroy(world, side);
}

async function expectNothingToDo(world: World, spec: UpSpec): Promise<void> {
  const { result } = await up(world, world.dev, spec);
  expectEmpty(result, world.api);
}

async function destroy(world: World, side: Side): Promise<void> {
  const { api } = world;
  const command = start(world, side, 0, 1, { seed: 0 });
  await runDeletions(command, side.stack.resources.filter(isAccess));
  noteCommand(world, "destroy", command);
  if (command.result.errors.length > 0) throw new Error(`destroy fails: ${command.result.errors}`);
  expectRespect(side, [], api.changes());
  noteOthers(world);
  expectNothingLeft(side, api, "destroy");
}
