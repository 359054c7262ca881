import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type Descendant,
  descendants,
  end,
  expectOk,
  NODE_OPTIONS,
  newStack,
  type Stack,
  simulated,
  typeOf,
} from "../../engine/support/stack";
import { ADAPTER } from "../../support/adapters/adapter";
import { type HoldingProxy, startHoldingProxy } from "./holding-proxy";

/* An `up` of many services that something interrupts, and what docs/guides/after-a-crash.md says to do without a journal. */

export const COUNT = 20;
export const PARALLEL = 8;
export const IN_FLIGHT = 4;

export type InterruptedUp = Awaited<ReturnType<typeof interruptUp>>;

const proxies: HoldingProxy[] = [];
let survivors: readonly Descendant[] = [];
afterEach(() => {
  for (const proxy of proxies.splice(0)) proxy.close();
  end(survivors);
});

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
    proxy: HoldingProxy;
    stack: Stack;
  }) => void,
  fates?: Parameters<typeof startHoldingProxy>[2],
  { parallel = PARALLEL, inFlight = IN_FLIGHT, keepsJournal = false } = {},
) {
  const api = await simulated();
  let pid = 0;
  let output = () => "";
  const range = { from: arrivals - inFlight + 1, to: arrivals };
  const onAllHeld = () => {
    descendantsUntilEnd(pid);
    interrupt({ pid, output, proxy, stack });
  };
  const proxy: HoldingProxy = await startHoldingProxy(api.baseUrl, { ...range, onAllHeld }, fates);
  proxies.push(proxy);
  const stack: Stack = await newStack({ ...api, baseUrl: proxy.baseUrl }, program({}));
  if (!keepsJournal) stack.environment({ CLOUDDB_JOURNAL: "off" });
  const run = stack.started("up", "--yes", "--skip-preview", "--parallel", String(parallel));
  pid = run.pid;
  output = run.output;
  return {
    api,
    proxy,
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
  await stack.pulumi("cancel", "--yes");
  stack.environment({ CLOUDDB_PAUSE_AT: undefined, NODE_OPTIONS });
}

/** The steps of docs/guides/after-a-crash.md once all processes of the run have ended. */
export async function expectRecovery(interrupted: InterruptedUp): Promise<void> {
  const { stack, proxy } = interrupted;
  const missing = await servicesMissingFromState(interrupted);
  expect(missing.length).toBeGreaterThan(0);
  for (const name of proxy.lost) expect(missing.map((service) => service.name)).not.toContain(name);
  stack.program(
    program(Object.fromEntries(missing.map(({ name, id }) => [String(name), String(id)]))),
  );
  await expectOk(stack.refresh("--clear-pending-creates"));
  await expectOk(stack.up("--parallel", String(PARALLEL)));
  await expectEachServiceOnce(
    interrupted,
    missing.map(({ id }) => id),
  );
  // Only creations that never reached the API were requested twice.
  expect(proxy.posts()).toBe(COUNT + proxy.lost.size);
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

async function storedServices(stack: Stack) {
  return (await stack.resources()).filter(({ type }) => type === typeOf("Service"));
}

/** The API names of the services that the engine lists as pending. */
export async function pendingNames(stack: Stack): Promise<string[]> {
  const { deployment } = JSON.parse(await expectOk(stack.pulumi("stack", "export"))) as {
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
