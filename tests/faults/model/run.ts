import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources as resourceTypes } from "../../../provider/resources";
import { fakeClock, startProcess } from "../../contract/support";
import type { Handlers, Properties } from "../../support/adapters/handlers";
import { injectNetworkFault, type SentRequest, takeSentRequests } from "../../support/network";
import { refresh, type StepResult, type Stored, up } from "../../support/stack-model";
import { SERVER_VARIANTS } from "../../support/variants/variants";
import { expectEqual, expectInvariants, expectOneCreation, expectReadable, reach } from "./invariants";
import { ADOPTED, type Drift, type Fault, SCALED, type Scenario, type Slot, type Step, slots } from "./scenario";
import type { Server } from "./server";

/** Runs a scenario with the real handlers and the simulator, and checks the invariants after every step. */

const CREATED_SLOTS: readonly Slot[] = ["first", "second"];
/** Arguments that a program always declares, by slot. */
const FIXED_ARGUMENTS: Readonly<Partial<Record<Slot, Properties>>> = {
  second: { name: "second" },
  adopted: { existingServiceId: ADOPTED },
};
const typeOf = (slot: Slot) => resourceTypes[slots[slot].type].definition;
const isReadable = (slot: Slot) => typeOf(slot).read !== undefined;
/** The name of a resource in the program, and of a service that declares none. */
const resourceName = (slot: Slot) => `db ${slot}`;
/** The most requests of one resource in one command when nothing fails. */
const MOST_REQUESTS = { create: 3, update: 3, same: 0, replace: 0, refresh: 1 };

export interface ModelResource {
  stored?: Stored | undefined;
  args?: Properties;
  /** The name of a service that may have been created; the user knows it from an error or a crash. */
  lostName?: unknown;
  /** The arguments to adopt that service, once the user has found it. */
  found?: { readonly existingServiceId: unknown };
  /** True if an error has told the user to look for the service. */
  isUncertain?: boolean;
  /** True if the server may differ from the state, until the next read. */
  isDrifted?: boolean;
  password?: unknown;
  /** The error of the last command. */
  error?: string | undefined;
}
export type ModelResources = ReadonlyMap<Slot, ModelResource>;

type Command = "up" | "refresh";

interface Model {
  readonly server: Server;
  readonly resources: ModelResources;
  /** The folder of the creation journal. */
  readonly journal?: string;
}

/** Runs a scenario without a journal, where users look for what a crash has left, and with one, where commands do. */
export async function runScenario(scenario: Scenario, server: Server): Promise<void> {
  await runSteps(scenario, server);
  const journal = mkdtempSync(join(tmpdir(), "clouddb-journal-"));
  try {
    await runSteps(scenario, server, journal);
    expectEqual(readdirSync(journal), []);
  } finally {
    rmSync(journal, { recursive: true });
  }
}

async function runSteps(scenario: Scenario, server: Server, journal?: string): Promise<void> {
  await server.reset();
  takeSentRequests();
  const resources: ModelResources = new Map((Object.keys(slots) as Slot[]).map((slot) => [slot, {}]));
  const model = { server, resources, ...(journal !== undefined && { journal }) };
  for (const step of scenario) {
    await runStep(model, step);
    expectInvariants(server, resources);
  }
  await expectConvergence(model);
}

async function runStep(model: Model, step: Step): Promise<void> {
  if ("drift" in step) return applyDrift(model, step.drift);
  if ("variant" in step) return model.server.useVariant(SERVER_VARIANTS[step.variant]);
  if ("up" in step) {
    for (const [slot, args] of Object.entries(step.up) as [Slot, Properties][]) resourceAt(model, slot).args = args;
  }
  await runCommand(model, "up" in step ? "up" : "refresh", step.fault);
}

function resourceAt({ resources }: Model, slot: Slot): ModelResource {
  return resources.get(slot) as ModelResource;
}

/** The actions of one command, which handles one resource after the other and may crash on the way. */
async function runCommand(model: Model, name: Command, fault?: Fault): Promise<Set<string>> {
  const { server, resources, journal } = model;
  const actions = new Set<string>();
  const { clock, crash } = prepareFault(server, fault);
  const { handlersFor, messages } = startProcess(server, { CLOUDDB_JOURNAL: journal ?? "off" }, clock);
  let stored = 0;
  try {
    for (const [slot, resource] of resources) {
      if (resource.args === undefined || (name === "refresh" && resource.stored === undefined)) continue;
      if (journal === undefined || resource.isUncertain) adoptLostService(model, resource);
      const args: Properties = { ...resource.args, ...FIXED_ARGUMENTS[slot], ...resource.found };
      const outcome = await Promise.race([
        runOn(handlersFor(typeOf(slot), resourceName(slot)), name, resource, args),
        crash,
      ]);
      const isUnwritten = fault && "engineDies" in fault && stored++ === fault.skipped;
      const result = isUnwritten && outcome !== "crashed" && !outcome.error ? "crashed" : outcome;
      expectReadable(server, [
        ...messages.splice(0),
        ...(result === "crashed" || !result.error ? [] : [result.error.message]),
      ]);
      const requests = takeSentRequests();
      expectOneCreation(requests);
      if (result === "crashed") {
        reach(isUnwritten ? "a crash of the engine" : "a crash of the plugin");
        resource.isDrifted = true;
        const wasCreating = resource.stored === undefined && CREATED_SLOTS.includes(slot) && !args.existingServiceId;
        if (wasCreating) resource.lostName = args.name ?? resourceName(slot);
        return actions;
      }
      const most = fault || result.error ? Number.POSITIVE_INFINITY : MOST_REQUESTS[result.action];
      if (requests.length > most) throw new Error(`${name} of ${slot} sent ${JSON.stringify(requests)}`);
      recordResult(resource, args, result, slot, requests);
      actions.add(result.action);
    }
    return actions;
  } finally {
    injectNetworkFault(undefined);
    server.faults();
  }
}

function runOn(handlers: Handlers, name: Command, { stored }: ModelResource, args: Properties): Promise<StepResult> {
  return name === "refresh" && stored ? refresh(handlers, stored) : up(handlers, stored, args);
}

/** Makes the next process hit the fault: its clock, and a promise of the crash that the fault may be. */
function prepareFault(server: Server, fault: Fault | undefined) {
  let hasCrashed = false;
  let onCrash = () => {};
  const crash = new Promise<"crashed">((resolve) => {
    onCrash = () => {
      hasCrashed = true;
      resolve("crashed");
    };
  });
  const runningClock = fakeClock();
  // A crashed process neither waits nor retries.
  const clock = {
    ...runningClock,
    sleep: (ms: number) => (hasCrashed ? new Promise<void>(() => {}) : runningClock.sleep(ms)),
  };
  if (fault && "effect" in fault) {
    const { effect, skipped, times } = fault;
    const first = { times: skipped, effect: { kind: "latency", milliseconds: 0 } as const };
    server.faults(...(skipped > 0 ? [first] : []), { times, effect });
  } else if (fault && "networkFault" in fault) {
    const { networkFault: kind, skipped } = fault;
    injectNetworkFault({ kind, skipped, times: kind === "refused" ? 2 : 1, onCrash });
  }
  return { clock, crash };
}

function recordResult(
  resource: ModelResource,
  args: Properties,
  result: StepResult,
  slot: Slot,
  requests: readonly SentRequest[],
): void {
  const before = resource.stored;
  resource.stored = result.stored;
  resource.error = result.error?.message;
  const isLost = result.stored === undefined && /\[CDB4001\]$/.test(result.error?.message ?? "");
  if (isLost) resource.lostName = args.name ?? resourceName(slot);
  resource.isUncertain = isLost || /\[CDB4012\]$/.test(result.error?.message ?? "");
  if (result.stored) resource.lostName = undefined;
  // After a crash, only the response to another update makes an unreadable object certain.
  const isCertain = isReadable(slot) ? result.action === "refresh" : requests.length > 0;
  if (isCertain && !result.error) resource.isDrifted = false;
  // Nothing deletes a service or a pipe in the model: no refresh may drop one.
  if (before !== undefined && result.stored === undefined) throw new Error(`${slot} was dropped from the state`);
  const password = result.stored?.outputs.password;
  if (result.stored && CREATED_SLOTS.includes(slot) && !args.existingServiceId) expectEqual(typeof password, "string");
  if (resource.password !== undefined) expectEqual(password, resource.password);
  resource.password = password;
}

/** Find the service and adopt it, or discard the record, as the error or docs/guides/after-a-crash.md tells the user to. */
function adoptLostService({ server, resources, journal }: Model, resource: ModelResource): void {
  if (resource.lostName === undefined) return;
  const known = new Set([...resources.values()].map(({ stored }) => stored?.id));
  const { services } = server.organization();
  const current = services.find(({ id, name }) => !known.has(String(id)) && name === resource.lostName);
  reach(current ? "a lost service was found" : "a creation was not carried out");
  if (current) resource.found = { existingServiceId: current.id };
  else if (journal !== undefined) discard(journal, resource.lostName);
  resource.lostName = undefined;
}

/** The command `pulumi-clouddb creations discard`. */
function discard(journal: string, name: unknown): void {
  for (const record of readdirSync(journal).map((file) => join(journal, file))) {
    if (JSON.parse(readFileSync(record, "utf8")).name === name) rmSync(record);
  }
}

async function applyDrift(model: Model, { slot, body }: Drift): Promise<void> {
  const resource = resourceAt(model, slot);
  const id = slot === "size" ? SCALED : (resource.stored?.id ?? (slot === "adopted" ? ADOPTED : undefined));
  if (id === undefined) return;
  await model.server.change(`/${id}${slot === "size" ? "/replicaScaling" : ""}`, body);
  resource.isDrifted = true;
}

/** Expects that one refresh and one up settle everything, once nothing fails any more. */
async function expectConvergence(model: Model): Promise<void> {
  const { server, resources } = model;
  await runCommand(model, "refresh");
  await runCommand(model, "up");
  // Resolves refused creations, as the user does.
  if ([...resources.values()].some(({ isUncertain }) => isUncertain)) await runCommand(model, "up");
  for (const [slot, resource] of resources) {
    expectEqual([slot, resource.error], [slot, undefined]);
    expectEqual([slot, resource.lostName], [slot, undefined]);
    if (isReadable(slot)) resource.isDrifted = false;
  }
  expectInvariants(server, resources);
  const hasResources = [...resources.values()].some(({ args }) => args !== undefined);
  expectEqual([...(await runCommand(model, "up"))], hasResources ? ["same"] : []);
  await runCommand(model, "refresh");
  expectEqual([...(await runCommand(model, "up"))], hasResources ? ["same"] : []);
}
