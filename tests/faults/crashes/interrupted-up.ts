import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { defaultOrganization } from "../../../simulator/simulation/seed";
import {
  type Descendant,
  descendants,
  end,
  NODE_OPTIONS,
  newStack,
  outcomeOf,
  type Stack,
  storedServices,
} from "../../engine/support/stack";
import { ADAPTER } from "../../support/adapters/handlers";
import { createTestApi } from "../../support/api";
import { type Gate, type Server, startServer } from "../model/server";

/* An `up` of many services that something interrupts, and what docs/guides/after-a-crash.md says to do without a journal. */

export const COUNT = 20;
export const PARALLEL = 8;
export const IN_FLIGHT = 4;

export type InterruptedUp = Awaited<ReturnType<typeof interruptUp>>;

const servers: Server[] = [];
let survivors: readonly Descendant[] = [];
afterEach(async () => {
  end(survivors);
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** The fate of a held request after its sender has died. */
type Fate =
  /** The request was applied before; nobody reads the response. */
  | "applied"
  /** The request had arrived before, and is applied only now. */
  | "appliedLate"
  /** The request never reached the API. */
  | "lost";

/**
 * Holds creations, so that it is known which are in flight: those from number `from` on. Calls
 * `onAllHeld` once number `to` is held.
 */
function holdCreations(from: number, to: number, fates: readonly Fate[], onAllHeld: () => void) {
  const lost = new Set<unknown>();
  let [posts, held, handled] = [0, 0, 0];
  let isReleased = false;
  let openGate = () => {};
  const released = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  async function hold(): Promise<void> {
    held += 1;
    if (held === to - from + 1) onAllHeld();
    await released;
  }
  const finish = async () => {
    handled += 1;
  };
  const pass: Gate = async (method, body) => {
    if (method !== "POST") return undefined;
    posts += 1;
    if (isReleased || posts < from) return undefined;
    const fate = fates[(posts - from) % fates.length];
    if (fate === "applied") return () => hold().then(finish);
    await hold();
    if (fate === "appliedLate") return finish;
    lost.add(body?.name);
    await finish();
    return "lost";
  };
  return {
    pass,
    /** The number of creations that have arrived. */
    posts: () => posts,
    /** The names in requests that never reached the API. */
    lost,
    /** Passes all later requests; resolves when all held requests have been handled. */
    async release(): Promise<void> {
      isReleased = true;
      openGate();
      while (handled < held) await setTimeout(20);
    },
  };
}

/** The descendants of a process; those that still run are ended with the test. */
export function descendantsUntilEnd(pid: number): readonly Descendant[] {
  survivors = descendants(pid);
  return survivors;
}

/** An `up` of many services that is interrupted while the last few creations are in flight. */
export async function interruptUp(
  arrivals: number,
  interrupt: (run: {
    pid: number;
    output: () => string;
    gate: ReturnType<typeof holdCreations>;
    stack: Stack;
  }) => void,
  fates: readonly Fate[] = ["applied", "appliedLate", "applied", "lost"],
  { parallel = PARALLEL, inFlight = IN_FLIGHT, keepsJournal = false } = {},
) {
  const server = await startServer({ organizations: [{ id: defaultOrganization.id }] });
  servers.push(server);
  const api = createTestApi(server);
  const stack = await newStack(api, program({}));
  let pid = 0;
  let output = () => "";
  const gate = holdCreations(arrivals - inFlight + 1, arrivals, fates, () => {
    descendantsUntilEnd(pid);
    interrupt({ pid, output, gate, stack });
  });
  server.useGate(gate.pass);
  if (!keepsJournal) stack.environment({ CLOUDDB_JOURNAL: "off" });
  const run = stack.started("up", "--yes", "--skip-preview", "--parallel", String(parallel));
  pid = run.pid;
  output = run.output;
  return {
    api,
    gate,
    stack,
    ended: run.ended,
    survivors: () => survivors.filter(({ isAlive }) => isAlive()),
  };
}

export const VICTIMS = ["plugin", "engine", "both"] as const;

/** Kills an `up` at a point of a creation (see pause-at.cjs), and releases its lock. */
export async function killAt(
  stack: Stack,
  point: string,
  victim: (typeof VICTIMS)[number],
): Promise<void> {
  const pauseFile = join(stack.folder, "paused");
  stack.environment({
    NODE_OPTIONS: `${NODE_OPTIONS} --require ${join(__dirname, "pause-at.cjs")}`,
    CLOUDDB_PAUSE_FILE: pauseFile,
    CLOUDDB_PAUSE_AT: point,
  });
  const run = stack.started("up", "--yes", "--skip-preview", "--parallel", "1");
  while (!existsSync(pauseFile)) await setTimeout(20);
  const all = descendantsUntilEnd(run.pid);
  if (victim !== "engine") end(all.filter(isPlugin));
  if (victim !== "plugin") process.kill(run.pid, "SIGKILL");
  await run.ended;
  // A plugin that outlives its engine does nothing more once it is paused.
  end(all);
  await outcomeOf(stack.pulumi("cancel", "--yes"));
  stack.environment({ CLOUDDB_PAUSE_AT: undefined, NODE_OPTIONS });
}

/** The steps of docs/guides/after-a-crash.md once all processes of the run have ended. */
export async function expectRecovery(interrupted: InterruptedUp): Promise<void> {
  const { stack, gate } = interrupted;
  const missing = await servicesMissingFromState(interrupted);
  expect(missing.length).toBeGreaterThan(0);
  for (const name of gate.lost) expect(missing.map((service) => service.name)).not.toContain(name);
  stack.program(
    program(Object.fromEntries(missing.map(({ name, id }) => [String(name), String(id)]))),
  );
  await stack.refresh("--clear-pending-creates");
  await stack.up("--parallel", String(PARALLEL));
  await expectEachServiceOnce(
    interrupted,
    missing.map(({ id }) => id),
  );
  // Only creations that never reached the API were requested twice.
  expect(gate.posts()).toBe(COUNT + gate.lost.size);
}

/**
 * Each service exists once, on the server and in the stack, with the password of each that the
 * stack created.
 */
export async function expectEachServiceOnce(
  { api, stack }: InterruptedUp,
  adopted: readonly unknown[],
): Promise<void> {
  const onServer = await api.services();
  const stored = await storedServices(stack);
  expect(onServer).toHaveLength(COUNT);
  expect(new Set(onServer.map(({ name }) => name)).size).toBe(COUNT);
  expect(stored.map(({ id }) => id).sort()).toEqual(onServer.map(({ id }) => id).sort());
  for (const { id, outputs } of stored) {
    if (!adopted.includes(id)) expect(outputs?.password).toHaveProperty("ciphertext");
  }
  expect(await pendingNames(stack)).toEqual([]);
}

/** The services on the server that are not in the state. */
export async function servicesMissingFromState({
  api,
  stack,
}: InterruptedUp): Promise<Record<string, unknown>[]> {
  const ids = new Set((await storedServices(stack)).map(({ id }) => id));
  return (await api.services()).filter(({ id }) => !ids.has(String(id)));
}

/** The API names of the services that the engine lists as pending. */
export async function pendingNames(stack: Stack): Promise<string[]> {
  const { deployment } = JSON.parse(await stack.pulumi("stack", "export")) as {
    deployment: { pending_operations?: { resource: { inputs: { name: string } }; type: string }[] };
  };
  return (deployment.pending_operations ?? []).map(({ resource }) => resource.inputs.name);
}

export function program(existing: Record<string, string>): string {
  return `
    const existing = ${JSON.stringify(existing)};
    for (let i = 0; i < ${COUNT}; i++) {
      new clouddb.Service("db-" + i, { region: "us-east-1", existingServiceId: existing["db " + i] });
    }
  `;
}

export function isPlugin({ command }: Descendant): boolean {
  return { dynamic: /^\S*node .*dynamic-provider/, native: /^\S*node .*native-plugin/ }[
    ADAPTER
  ].test(command);
}
