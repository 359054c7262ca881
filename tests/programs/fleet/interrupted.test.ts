import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { descendants, end, expectOk, simulated } from "../../engine/support/stack";
import type { TestApi } from "../../support/api";
import { type Fleet, newFleet, resultsIn, setAlert, watching } from "./support";

/** Roll-outs that are stopped, and go on with the same command. */

/** Responses arrive late, so that a test can act while requests are carried out. */
const slowly = (api: TestApi) =>
  api.faults({ method: "PATCH", effect: { kind: "latency", milliseconds: 3000, when: "after" } });

const scaledTo = async (api: TestApi, numReplicas: number) =>
  (await api.services()).filter((service) => service.numReplicas === numReplicas).length;

/** Waits until a condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(50);
}

/** No tool, engine or plugin remains in the project's folder, and no stack is locked. */
async function expectClean({ folder, names }: Fleet): Promise<void> {
  const processes = () =>
    readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && isAtWork(pid, folder));
  await until(() => processes().length === 0);
  const locks = join(folder, "state/.pulumi/locks/organization/clouddb-fleet");
  const isLocked = (name: string) =>
    existsSync(join(locks, name)) && readdirSync(join(locks, name)).length > 0;
  expect(names.filter(isLocked)).toEqual([]);
}

function isAtWork(pid: string, folder: string): boolean {
  try {
    const isShell = /^(bash|script|sleep|sh)$/.test(
      readFileSync(`/proc/${pid}/comm`, "utf8").trim(),
    );
    return !isShell && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
  } catch {
    // The process has ended.
    return false;
  }
}

test("Ctrl-C or SIGTERM starts no more stacks, stores begun ones, and the next run continues", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, 2);
  const rollOut = ["--concurrency", "1"];
  await expectOk(fleet.tool("roll-out", ...rollOut));
  await fleet.select("s-02");

  /**
   * Starts a change, and returns when the first stack's request is carried out, and not answered
   * yet.
   */
  const interruptible = async (numReplicas: number) => {
    fleet.resize(numReplicas);
    await slowly(api);
    await api.requests();
    const run = fleet.started("roll-out", ...rollOut);
    await until(async () => (await scaledTo(api, numReplicas)) === 1);
    return run;
  };

  const stops: readonly [string, (pid: number) => void][] = [
    ["SIGINT to the process group", (pid) => process.kill(-pid, "SIGINT")],
    ["SIGTERM to the tool alone", (pid) => process.kill(pid, "SIGTERM")],
  ];
  for (const [index, [what, stop]] of stops.entries()) {
    const run = await interruptible(index + 3);
    stop(run.pid);
    const { code, output } = await run.ended;
    await expectClean(fleet);
    expect(await fleet.selected()).toBe("s-02");
    expect([what, code]).toEqual([what, 130]);
    expect(output).toContain("Stopping: no more stacks are started.");
    expect(["updated", "canceled"]).toContain(resultsIn(output)["s-01"]);
    expect(resultsIn(output)["s-02"]).toBe("not started");
    expect(output).toContain("To go on, run the same command again");
    await api.faults();
    expect(resultsIn(await expectOk(fleet.tool("roll-out", ...rollOut)))["s-02"]).toBe("updated");
    // Requests in flight are in the state: they are not sent again.
    expect(await api.requestNames()).toEqual(Array(2).fill("PATCH /services/{id}/replicaScaling"));
  }

  const killed = await interruptible(6);
  const all = descendants(killed.pid);
  process.kill(killed.pid, "SIGKILL");
  end(all);
  await killed.ended;
  expect(await fleet.selected()).toBe("s-02");
  await api.faults();
  const locked = await fleet.tool("roll-out", ...rollOut);
  expect([locked.code, resultsIn(locked.output)]).toEqual([
    1,
    { "s-01": "failed", "s-02": "not started" },
  ]);
  const [, unlock = ""] =
    /The stack is locked by another .* run `(pulumi cancel .*)`, then/.exec(locked.output) ?? [];
  await expectOk(fleet.command("bash", "-c", unlock));
  const resumed = await expectOk(fleet.tool("roll-out", ...rollOut));
  expect(resultsIn(resumed)).toEqual({ "s-01": "updated", "s-02": "updated" });
  expect(await scaledTo(api, 6)).toBe(2);
  await expectClean(fleet);
});

test("Ctrl-C while an alert is watched leaves no stack locked", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, 2);
  await setAlert(api, "OK");
  const run = fleet.started("roll-out", ...watching("10m"));
  await until(() => run.output().includes("Watching the alert alert-errors for 600 s."));
  process.kill(-run.pid, "SIGINT");
  const { code, output } = await run.ended;
  expect([code, resultsIn(output)]).toEqual([130, { "s-01": "not started", "s-02": "updated" }]);
  await expectClean(fleet);
});
