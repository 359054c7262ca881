import { rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  descendants,
  end,
  expectFailure,
  newStack,
  SERVICE_TYPE,
  type Stack,
  simulated,
} from "../../engine/support/stack";
import { ADAPTER } from "../../support/adapters/handlers";
import {
  COUNT,
  descendantsUntilEnd,
  expectEachServiceOnce,
  expectRecovery,
  IN_FLIGHT,
  type InterruptedUp,
  interruptUp,
  isPlugin,
  PARALLEL,
  pendingNames,
  program,
  servicesMissingFromState,
} from "./interrupted-up";

/*
 * Follows the instructions of docs/guides/after-a-crash.md. A moment is a number of creations that
 * have arrived at the API. CLOUDDB_CRASH_MOMENTS=all kills at every one of them, =5,20 at these;
 * each takes 25 s on two cores.
 */

const moments = momentsFrom(process.env.CLOUDDB_CRASH_MOMENTS ?? "11");

/** Dynamic resources cannot be imported. */
const nativeOnly = ADAPTER === "native" ? test : test.skip;

describe.each(moments)("after %i creations have arrived", (arrivals) => {
  test("after kill -9 of the engine, the documented steps recover each service", async () => {
    const interrupted = await killEngine(arrivals);
    // The state lists every missing service as pending.
    expect(await pendingNames(interrupted.stack)).toEqual(
      expect.arrayContaining((await servicesMissingFromState(interrupted)).map(({ name }) => name)),
    );
    await expectRecovery(interrupted);
  });

  nativeOnly("after kill -9 of the engine, missing services are imported", async () => {
    const interrupted = await killEngine(arrivals);
    const { stack, gate } = interrupted;
    const missing = await servicesMissingFromState(interrupted);
    await stack.refresh("--clear-pending-creates");
    const resources = missing.map(({ name, id }) => ({
      type: SERVICE_TYPE,
      name: String(name).replace(" ", "-"),
      id,
    }));
    writeFileSync(join(stack.folder, "imports.json"), JSON.stringify({ resources }));
    await stack.pulumi(
      "import",
      "--file",
      "imports.json",
      "--yes",
      "--skip-preview",
      "--generate-code=false",
    );
    await stack.up("--parallel", String(PARALLEL));
    await expectEachServiceOnce(
      interrupted,
      missing.map(({ id }) => id),
    );
    expect(gate.posts()).toBe(COUNT + gate.lost.size);
  });

  test("after kill -9 of the plugin, the documented steps recover each service", async () => {
    const interrupted = await interruptUp(arrivals, ({ pid }) => {
      end(descendants(pid).filter(isPlugin));
    });
    const { code, output } = await interrupted.ended;
    expect(code).not.toBe(0);
    await interrupted.gate.release();
    // The engine takes a broken connection for a failed creation: nothing is pending, and only the
    // output shows it.
    expect(await pendingNames(interrupted.stack)).toEqual([]);
    // "EOF", or a connection that was reset.
    expect(output).toContain("error: error reading from server: ");
    for (const { name } of await servicesMissingFromState(interrupted)) {
      expect(output).toContain(`Service ${String(name).replace(" ", "-")} **creating failed`);
    }
    await expectRecovery(interrupted);
  });
});

test("the first Ctrl-C waits for requests in flight and stores their results", async () => {
  const interrupted = await interruptUp(
    11,
    ({ pid, gate }) => {
      process.kill(pid, "SIGINT");
      void gate.release();
    },
    ["applied", "appliedLate"],
  );
  const { code, output } = await interrupted.ended;
  expect(code).not.toBe(0);
  expect(output).toContain("^C received; cancelling.");
  expect(await servicesMissingFromState(interrupted)).toEqual([]);
  expect(await pendingNames(interrupted.stack)).toEqual([]);
  expect(interrupted.survivors().filter(isPlugin)).toEqual([]);
  await interrupted.stack.up("--parallel", String(PARALLEL));
  await expectEachServiceOnce(interrupted, []);
  expect(interrupted.gate.posts()).toBe(COUNT);
});

test("a second Ctrl-C acts like a crash: creations in flight stay pending", async () => {
  const interrupted = await interruptUp(11, ({ pid, output }) => {
    process.kill(pid, "SIGINT");
    // Two signals count as one until the engine has noticed the first.
    const again = setInterval(() => {
      if (!output().includes("^C received; cancelling.")) return;
      clearInterval(again);
      process.kill(pid, "SIGINT");
    }, 20);
  });
  const { code, output } = await interrupted.ended;
  expect(code).not.toBe(0);
  expect(output).toContain("^C received; terminating");
  await interrupted.gate.release();
  const missing = (await servicesMissingFromState(interrupted)).map(({ name }) => name);
  expect(missing).not.toEqual([]);
  expect(await pendingNames(interrupted.stack)).toEqual(expect.arrayContaining(missing));
});

test("Ctrl-C during a pause for the rate limit ends the wait and creates nothing", async () => {
  const api = await simulated();
  const refusal = { kind: "status", status: 429, headers: { "retry-after": "60" } } as const;
  await api.faults({ method: "POST", effect: refusal });
  const stack = await newStack(api, program({}));
  const run = stack.started("up", "--yes", "--skip-preview", "--parallel", String(PARALLEL));
  while ((await api.journal()).length === 0) await setTimeout(20);
  process.kill(run.pid, "SIGINT");
  const { code, output } = await run.ended;
  expect(code).not.toBe(0);
  expect(output).toMatch(
    /Creating service "db \d+" .*: the command was canceled .*\. Nothing was created\./,
  );
  expect(await api.services()).toEqual([]);
  expect(await pendingNames(stack)).toEqual([]);
});

test("a plugin without an engine creates nothing more, even if requests wait for the rate limit", async () => {
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
  const processes = descendantsUntilEnd(pid);
  const plugin = processes.filter(isPlugin);
  process.kill(pid, "SIGKILL");
  await ended;
  await setTimeout(2000 * rateLimit.seconds);
  expect(plugin.filter(({ isAlive }) => isAlive())).toHaveLength(1);
  end(processes);
  expect(await api.services()).toHaveLength(rateLimit.requests);
});

function momentsFrom(text: string): number[] {
  if (text !== "all") return text.split(",").map(Number);
  return Array.from({ length: COUNT - IN_FLIGHT + 1 }, (_, index) => IN_FLIGHT + index);
}

/**
 * A file backend writes this file in place: if killed meanwhile, every later command fails with
 * "failed to load checkpoint: EOF".
 */
function removeTruncatedFiles({ folder }: Stack): void {
  const file = join(folder, "state/.pulumi/stacks/test/dev.json.attrs");
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file);
}

/** An `up` whose engine was killed, once its plugin has ended and its lock is released. */
async function killEngine(arrivals: number): Promise<InterruptedUp> {
  const interrupted = await interruptUp(arrivals, ({ pid }) => process.kill(pid, "SIGKILL"));
  expect((await interrupted.ended).code).not.toBe(0);
  // The plugin outlives the engine and may still be sending: it has to end before the server is
  // inspected.
  expect(interrupted.survivors()).not.toHaveLength(0);
  end(interrupted.survivors());
  await interrupted.gate.release();
  const { stack } = interrupted;
  removeTruncatedFiles(stack);
  expect(await expectFailure(stack.up())).toContain("the stack is currently locked by 1 lock(s).");
  await stack.pulumi("cancel");
  return interrupted;
}
