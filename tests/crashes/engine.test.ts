import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type Descendant,
  descendants,
  end,
  expectFailure,
  expectOk,
  newStack,
  type Stack,
  simulated,
} from "../engine/support/stack";
import { type Gate, gateTo } from "./gate";

/*
 * What docs/crashes.md tells the user to do, done. A moment is a number of creations that have arrived at the API.
 * CLOUDDB_CRASH_MOMENTS=all kills at every one of them, =5,20 at some; 25 s for each on two cores.
 */

const COUNT = 20;
const PARALLEL = 8;
const IN_FLIGHT = 4;
const moments = momentsFrom(process.env.CLOUDDB_CRASH_MOMENTS ?? "11");

type World = Awaited<ReturnType<typeof brokenOff>>;

const gates: Gate[] = [];
let survivors: readonly Descendant[] = [];
afterEach(() => {
  for (const gate of gates.splice(0)) gate.close();
  end(survivors);
});

describe.each(moments)("after %i creations have arrived", (until) => {
  test("kill -9 of the engine", async () => {
    const world = await brokenOff(until, ({ pid }) => process.kill(pid, "SIGKILL"));
    expect((await world.ended).code).not.toBe(0);
    // The plugin outlives the engine, and may still be sending: it has to go before anybody looks.
    expect(world.survivors()).not.toHaveLength(0);
    end(world.survivors());
    await world.gate.open();

    const { stack } = world;
    withoutCutOffFiles(stack);
    expect(await expectFailure(stack.up())).toContain("the stack is currently locked by 1 lock(s).");
    await expectOk(stack.pulumi("cancel"));
    // Whatever the state lacks is in its list of what is pending.
    expect(await pendingNames(stack)).toEqual(expect.arrayContaining((await unknown(world)).map(({ name }) => name)));
    await recovers(world);
  });

  test("kill -9 of the plugin", async () => {
    const world = await brokenOff(until, ({ pid }) => {
      end(descendants(pid).filter(isPlugin));
    });
    const { code, output } = await world.ended;
    expect(code).not.toBe(0);
    await world.gate.open();
    // The engine takes a broken connection for a failed creation: nothing is pending. The words are all there is.
    expect(await pendingNames(world.stack)).toEqual([]);
    // "EOF", or a connection that was reset.
    expect(output).toContain("error: error reading from server: ");
    for (const { name } of await unknown(world)) {
      expect(output).toContain(`Service ${String(name).replace(" ", "-")} **creating failed`);
    }
    await recovers(world);
  });
});

test("the first Ctrl-C waits for what is in flight, and keeps it", async () => {
  const world = await brokenOff(
    11,
    ({ pid, gate }) => {
      process.kill(pid, "SIGINT");
      void gate.open();
    },
    ["carriedOut", "carriedOutLate"],
  );
  const { code, output } = await world.ended;
  expect(code).not.toBe(0);
  expect(output).toContain("^C received; cancelling.");
  expect(await unknown(world)).toEqual([]);
  expect(await pendingNames(world.stack)).toEqual([]);
  expect(world.survivors().filter(isPlugin)).toEqual([]);
  await expectOk(world.stack.up("--parallel", String(PARALLEL)));
  await isWhole(world, []);
  expect(world.gate.posts()).toBe(COUNT);
});

test("a second Ctrl-C is a crash: what was in flight is pending", async () => {
  const world = await brokenOff(11, ({ pid, output }) => {
    process.kill(pid, "SIGINT");
    // One that comes before the first was seen would be one.
    const again = setInterval(() => {
      if (!output().includes("^C received; cancelling.")) return;
      clearInterval(again);
      process.kill(pid, "SIGINT");
    }, 20);
  });
  const { code, output } = await world.ended;
  expect(code).not.toBe(0);
  expect(output).toContain("^C received; terminating");
  await world.gate.open();
  const lacking = (await unknown(world)).map(({ name }) => name);
  expect(lacking).not.toEqual([]);
  expect(await pendingNames(world.stack)).toEqual(expect.arrayContaining(lacking));
});

test("a plugin without its engine makes nothing more, though requests of it wait for the rate limit", async () => {
  const rateLimit = { requests: 2, seconds: 3 };
  const api = await simulated({ rateLimit });
  const stack = await newStack(api, program({}));
  const { pid, ended } = stack.started(
    "up",
    "--yes",
    "--skip-preview",
    "--parallel",
    String(PARALLEL),
    "--logflow",
    "-v=1",
  );
  while ((await api.services()).length < rateLimit.requests) await setTimeout(20);
  survivors = descendants(pid);
  const plugin = survivors.filter(isPlugin);
  process.kill(pid, "SIGKILL");
  await ended;
  await setTimeout(2000 * rateLimit.seconds);
  expect(plugin.filter(({ isAlive }) => isAlive())).toHaveLength(1);
  end(survivors);
  expect(await api.services()).toHaveLength(rateLimit.requests);
});

function momentsFrom(text: string): number[] {
  if (text !== "all") return text.split(",").map(Number);
  return Array.from({ length: COUNT - IN_FLIGHT + 1 }, (_, index) => IN_FLIGHT + index);
}

/** A file backend writes this one in place: killed at that moment, "failed to load checkpoint: EOF" is all it says. */
function withoutCutOffFiles({ folder }: Stack): void {
  const file = join(folder, "state/.pulumi/stacks/test/dev.json.attrs");
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file);
}

function isPlugin({ command }: Descendant): boolean {
  return /^\S*node .*dynamic-provider/.test(command);
}

/** An `up` of many services to which something happened while the last few creations were in flight. */
async function brokenOff(
  until: number,
  happens: (run: { pid: number; output: () => string; gate: Gate }) => void,
  fates?: Parameters<typeof gateTo>[2],
) {
  const api = await simulated();
  let pid = 0;
  let output = () => "";
  const range = { from: until - IN_FLIGHT + 1, until };
  const moment = () => {
    survivors = descendants(pid);
    happens({ pid, output, gate });
  };
  const gate: Gate = await gateTo(api.baseUrl, { ...range, moment }, fates);
  gates.push(gate);
  const stack = await newStack({ ...api, baseUrl: gate.baseUrl }, program({}));
  const run = stack.started("up", "--yes", "--skip-preview", "--parallel", String(PARALLEL));
  pid = run.pid;
  output = run.output;
  return { api, gate, stack, ended: run.ended, survivors: () => survivors.filter(({ isAlive }) => isAlive()) };
}

/** The steps of docs/crashes.md from where nothing of the dead run is left. */
async function recovers(world: World): Promise<void> {
  const { stack, gate } = world;
  const found = await unknown(world);
  expect(found.length).toBeGreaterThan(0);
  expect(found.map(({ name }) => name)).not.toEqual(expect.arrayContaining([...gate.lost]));
  stack.program(program(Object.fromEntries(found.map(({ name, id }) => [String(name), String(id)]))));
  await expectOk(stack.refresh("--clear-pending-creates"));
  await expectOk(stack.up("--parallel", String(PARALLEL)));
  await isWhole(
    world,
    found.map(({ id }) => id),
  );
  // What never reached the API was asked for twice, and nothing else.
  expect(gate.posts()).toBe(COUNT + gate.lost.size);
}

/** Each service once, on the server and in the stack, with the password of each that the stack has created. */
async function isWhole({ api, stack }: World, adopted: readonly unknown[]): Promise<void> {
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

/** What the server has and the stack does not know. */
async function unknown({ api, stack }: World): Promise<Record<string, unknown>[]> {
  const ids = new Set((await storedServices(stack)).map(({ id }) => id));
  return (await api.services()).filter(({ id }) => !ids.has(String(id)));
}

async function storedServices(stack: Stack) {
  return (await stack.resources()).filter(({ type }) => type === "pulumi-nodejs:dynamic/clouddb:Service");
}

/** The names of the services that the engine calls pending, as the API would know them. */
async function pendingNames(stack: Stack): Promise<string[]> {
  const { deployment } = JSON.parse(await expectOk(stack.pulumi("stack", "export"))) as {
    deployment: { pending_operations?: { resource: { inputs: { name: string } }; type: string }[] };
  };
  return (deployment.pending_operations ?? []).map(({ resource }) => resource.inputs.name);
}

function program(existing: Record<string, string>): string {
  return `
    const existing = ${JSON.stringify(existing)};
    for (let i = 0; i < ${COUNT}; i++) {
      new clouddb.Service("db-" + i, { region: "us-east-1", existingServiceId: existing["db " + i] });
    }
  `;
}
