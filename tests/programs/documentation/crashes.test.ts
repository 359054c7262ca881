import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type Descendant,
  descendants,
  end,
  newStack,
  type Outcome,
  type Stack,
  simulated,
} from "../../engine/support/stack";
import type { Block } from "../support/markdown";
import { follow, openTerminal, type Terminal } from "../support/reader";

test("docs/guides/after-a-crash.md: after kill -9 of the engine, each service exists once", async () => {
  const api = await simulated();
  const program = (existing: Readonly<Record<string, string>>) => `
    const existing = ${JSON.stringify(existing)};
    for (const name of ["db-1", "db-2", "db-3"]) {
      new clouddb.Service(name, { region: "us-east-1", existingServiceId: existing[name] });
    }`;
  const stack = await newStack(api, program({}));
  stack.environment({ CLOUDDB_JOURNAL: "off" });
  // Each creation is carried out, and its response never arrives.
  await api.faults({
    method: "POST",
    effect: { kind: "latency", milliseconds: 600_000, when: "after" },
  });
  const run = stack.started("up", "--yes", "--skip-preview");
  while ((await api.services()).length < 3) await setTimeout(50);
  const leftOver = descendants(run.pid);
  process.kill(run.pid, "SIGKILL");
  await run.ended.catch(() => undefined);
  await api.faults();
  withoutCutOffFile(stack);

  stack.environment({ PULUMI_SKIP_CONFIRMATIONS: "true" });
  const terminal = openTerminal(stack, stack.folder, {});
  try {
    let listed = "";
    const printed = await follow("docs/guides/after-a-crash.md", async (block) => {
      if (block.text.includes("PID")) return stopEach(leftOver, listed, block, terminal, stack);
      if (block.text.includes("--clear-pending-creates")) {
        const match = (await api.services()).map(({ name, id }) => [
          String(name).replace(" ", "-"),
          String(id),
        ]);
        stack.program(program(Object.fromEntries(match)));
      }
      const outcome = await terminal.run(block);
      if (block.text.startsWith("pgrep")) listed = outcome.output;
      return outcome;
    });
    expect(printed.join("\n").match(/^creating db \d$/gm)).toHaveLength(3);
  } finally {
    end(leftOver);
  }
  const stored = (await stack.resources()).filter(({ type }) => type.endsWith(":Service"));
  const services = (await api.services()).map(({ id }) => id);
  expect(services).toHaveLength(3);
  expect(stored.map(({ id }) => id).sort()).toEqual(services.sort());
  expect(await stack.up("--expect-no-changes")).not.toContain("pending operations");
});

/**
 * Each process that is left over is listed and belongs to this project, and the commands end it.
 */
async function stopEach(
  processes: readonly Descendant[],
  listed: string,
  block: Block,
  terminal: Terminal,
  { folder }: Stack,
): Promise<Outcome> {
  let output = "";
  for (const { pid, isAlive } of processes) {
    // A process may have ended, or end together with another one.
    if (!isAlive()) continue;
    expect(listed).toMatch(new RegExp(`^${pid} `, "m"));
    const outcome = await terminal.run(block, { PID: String(pid) });
    if (outcome.code !== 0) return outcome;
    expect([pid, outcome.output.trim()]).toEqual([pid, folder]);
    while (isAlive()) await setTimeout(100);
    output += outcome.output;
  }
  expect(output).not.toBe("");
  return { code: 0, output };
}

/** The instructions of step 2 about "failed to load checkpoint: EOF". */
function withoutCutOffFile({ folder }: Stack): void {
  const file = join(folder, "state/.pulumi/stacks/test/dev.json.attrs");
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file);
}
