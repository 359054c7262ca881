import { setImmediate } from "node:timers/promises";
import { descendants, end, expectOk, simulated } from "../../engine/support/stack";
import type { TestApi } from "../../support/api";
import { COMMAND, compileProgram, type Fleet, newFleet, resultsIn, until } from "./support";

/** Roll-outs that are stopped and resumed. */

let program: string;
beforeAll(async () => {
  program = await compileProgram();
});

/** Responses arrive late, so that a test can act while requests are carried out. */
const slowly = (api: TestApi) =>
  api.faults({ method: "PATCH", effect: { kind: "latency", milliseconds: 3000, when: "after" } });

const scaledTo = async (api: TestApi, numReplicas: number) =>
  (await api.services()).filter((service) => service.numReplicas === numReplicas).length;

/** No stack is locked and no process remains. */
async function expectClean(fleet: Fleet): Promise<void> {
  await until(() => fleet.processes().length === 0);
  expect(fleet.locked()).toEqual([]);
}

test("Ctrl-C, SIGTERM and kill -9: what has begun is stored, and the next run does the rest", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, program, 2);
  const rollOut = (change: string) => ["--concurrency", "1", "--on-failure", "continue", "--change", change];
  await expectOk(fleet.tool("roll-out", ...rollOut("create")));

  /** Starts a change, and returns when the first stack's request is carried out, and not answered yet. */
  const interruptible = async (change: string, numReplicas: number) => {
    fleet.resize(numReplicas);
    await slowly(api);
    await api.requests();
    const run = fleet.started("roll-out", ...rollOut(change));
    await until(async () => (await scaledTo(api, numReplicas)) === 1);
    return run;
  };

  const stops: readonly [string, (pid: number) => void][] = [
    ["SIGINT to the process group", (pid) => process.kill(-pid, "SIGINT")],
    ["SIGTERM to the tool alone", (pid) => process.kill(pid, "SIGTERM")],
    ["SIGKILL to the tool alone", (pid) => process.kill(pid, "SIGKILL")],
  ];
  for (const [index, [what, stop]] of stops.entries()) {
    const run = await interruptible(what, index + 3);
    stop(run.pid);
    const { code, output } = await run.ended;
    await expectClean(fleet);
    expect([what, code]).toEqual([what, what.startsWith("SIGKILL") ? -1 : 130]);
    expect(output).toContain("Stopping: no more stacks are started, and those running end what they have begun.");
    expect(resultsIn(output)["s-02"]).toBe("not started");
    expect(output).toContain("Run the same command again to go on with the stacks that are not done.");
    await api.faults();
    expect(resultsIn(await expectOk(fleet.tool("roll-out", ...rollOut(what))))["s-02"]).toBe("updated");
    // Requests in flight are in the state: they are not sent again.
    expect((await api.requests()).map(({ request }) => request)).toEqual(
      Array(2).fill("PATCH /services/{id}/replicaScaling"),
    );
  }

  const killed = await interruptible("kill all", 6);
  const all = descendants(killed.pid);
  process.kill(killed.pid, "SIGKILL");
  end(all);
  await killed.ended;
  await api.faults();
  const locked = await fleet.tool("roll-out", ...rollOut("kill all"));
  expect([locked.code, resultsIn(locked.output)]).toEqual([1, { "s-01": "failed", "s-02": "updated" }]);
  const [, unlock = ""] =
    /s-01: The stack is locked by another .* run `(pulumi cancel .*)`, then/.exec(locked.output) ?? [];
  await expectOk(fleet.command("bash", "-c", unlock));
  const resumed = await expectOk(fleet.tool("roll-out", ...rollOut("kill all")));
  expect(resultsIn(resumed)).toEqual({ "s-01": "updated", "s-02": "done earlier" });
  expect(await scaledTo(api, 6)).toBe(2);
  await expectClean(fleet);
});

test("an engine that has locked its stack, and does not handle signals yet, is stopped later", async () => {
  const fleet = await newFleet(await simulated(), program, 1);
  const run = fleet.started("roll-out", "--change", "1");
  let engine = 0;
  await until(() => {
    engine = descendants(run.pid).find(({ command }) => command.startsWith("pulumi up"))?.pid ?? 0;
    return engine !== 0;
  });
  while (fleet.locked().length === 0) await setImmediate();
  process.kill(engine, "SIGSTOP");
  process.kill(run.pid, "SIGTERM");
  await until(() => run.output().includes("Stopping: "));
  process.kill(engine, "SIGCONT");
  const { code, output } = await run.ended;
  expect([code, resultsIn(output)]).toEqual([130, { "s-01": "canceled" }]);
  await expectClean(fleet);
});

test("on a terminal: a bar that is redrawn, and Ctrl-C from the keyboard", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, program, 3);
  await api.faults({ method: "POST", effect: { kind: "latency", milliseconds: 3000, when: "after" } });
  // `script` gives the tool a terminal, and sends it the character of Ctrl-C.
  const tool = `${COMMAND()} roll-out --change 1 --concurrency 2`;
  const keyboard = `while ! [ -e created ]; do sleep 0.1; done; printf '\\003'; while ! [ -e ended ]; do sleep 0.1; done`;
  const typed = `(${keyboard}) | script --quiet --return --command "stty cols 60; ${tool}" /dev/null; code=$?; exit $code`;
  const run = fleet.command("bash", "-c", `trap 'touch ended' EXIT; ${typed}`);
  await until(async () => (await api.services()).length === 2);
  await fleet.command("touch", "created");
  await until(() => fleet.processes().length === 0);
  await fleet.command("touch", "ended");
  const { code, output } = await run;
  expect(code).toBe(130);
  expect(output).toContain("\r\u001b[K[····················] 0 of 3 done, 2 running: s-01, s-02");
  expect(output).toContain("Stopping: no more stacks are started");
  expect(resultsIn(output.replaceAll("\r", ""))["s-03"]).toBe("not started");
  expect(output).not.toContain(": started");
  expect(fleet.locked()).toEqual([]);
  expect(await api.services()).toHaveLength(2);
  await api.faults();
  await expectOk(fleet.tool("roll-out", "--change", "1"));
  expect(await api.services()).toHaveLength(3);
});
