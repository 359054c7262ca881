import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { descendants, end, expectFailure, expectOk, newStack, simulated, typeOf } from "../../engine/support/stack";
import { root } from "../../support/root";
import { isPlugin } from "./interrupted-up";

/*
 * Kills at every point of a creation, and then `pulumi up` alone. CLOUDDB_CRASH_MOMENTS=all kills each time the plugin,
 * the engine and both, with checkpoints and without.
 */

const isAll = process.env.CLOUDDB_CRASH_MOMENTS === "all";
const PROGRAM = `
  const first = new clouddb.Service("first", { region: "us-east-1" });
  new clouddb.Service("orders", { region: "us-east-1", numReplicas: 3, idleScaling: pulumi.all([first.id]).apply(() => true) });
`;

/** The points at which the record of the second service has no id, one, or does not exist yet. */
const POINTS = [
  ["before the first record", "created"],
  ["after the first record", "refused"],
  ["at the response", "refused"],
  ["before the second record", "refused"],
  ["after the second record", "taken"],
] as const;
const VICTIMS = ["plugin", "engine", "both"] as const;

const cases = POINTS.flatMap(([point, next], index) =>
  VICTIMS.flatMap((victim, which) =>
    [false, true].map((skipsCheckpoints) => ({ point, next, victim, skipsCheckpoints, index, which })),
  ),
).filter(({ index, which, skipsCheckpoints }) => isAll || (which === index % 3 && skipsCheckpoints === index > 2));

test.each(cases)("$point, kill -9 of $victim, skipping checkpoints: $skipsCheckpoints", async (each) => {
  const { point, next, victim, skipsCheckpoints } = each;
  const api = await simulated();
  const stack = await newStack(api, PROGRAM);
  const pauseFile = join(stack.folder, "paused");
  const preload = `--require ${join(root, "tests/engine/support/compile-cache.cjs")} --require ${join(__dirname, "pause-at.cjs")}`;
  stack.environment({
    NODE_OPTIONS: preload,
    CLOUDDB_PAUSE_FILE: pauseFile,
    ...(skipsCheckpoints && { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" }),
  });
  stack.environment({ CLOUDDB_PAUSE_AT: point });
  const run = stack.started("up", "--yes", "--skip-preview", "--parallel", "1");
  while (!existsSync(pauseFile)) {
    await setTimeout(20);
  }
  const all = descendants(run.pid);
  const plugins = all.filter(isPlugin);
  if (victim !== "engine") end(plugins);
  if (victim !== "plugin") process.kill(run.pid, "SIGKILL");
  await run.ended;
  // What is left of a killed engine does nothing more at a point where it stands.
  end(all);
  await stack.pulumi("cancel", "--yes");
  stack.environment({ CLOUDDB_PAUSE_AT: undefined, NODE_OPTIONS: process.env.NODE_OPTIONS });

  const before = await api.services();
  if (next === "refused") {
    const output = await expectFailure(stack.up());
    expect(output).toMatch(/a command that ended without a response may have created it at .*Nothing was sent/);
    expect(await api.services()).toEqual(expect.arrayContaining(before));
  } else {
    const output = await expectOk(stack.up());
    const names = (await api.services()).map(({ name }) => name).sort();
    expect(names).toEqual(["first", "orders"]);
    if (next === "taken") expect(output).toContain("by a command that ended before the stack had it");
    const stored = (await stack.resources()).filter(({ type }) => type === typeOf("Service"));
    expect(stored.map(({ id }) => id).sort()).toEqual((await api.services()).map(({ id }) => id).sort());
    for (const { outputs } of stored) expect(outputs?.password).toHaveProperty("ciphertext");
  }
  if (process.env.CLOUDDB_SHOW) console.log(point, victim, readFileSync(pauseFile, "utf8"));
});
