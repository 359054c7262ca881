import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expectOk, newStack, simulated, testHome } from "../engine/support/stack";
import { root } from "../support/root";

/** The demo, which documentation/pages.test.ts runs to its end, with its own folder for temporary files, so that leftovers are seen. */
function startDemo(): { child: ChildProcess; folder: string; output: () => string; ended: Promise<number | null> } {
  const folder = mkdtempSync(join(testHome(), "demo-"));
  const child = spawn(process.execPath, ["tools/setup.mjs", "demo"], {
    cwd: root,
    detached: true,
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { child, folder, output: () => output, ended };
}

test("an interrupted demo leaves nothing behind", async () => {
  const { child, folder, output, ended } = startDemo();
  while (!output().includes("1. Preview")) await new Promise((resolve) => setTimeout(resolve, 100));
  const simulator = readdirSync(folder).length;
  expect(simulator).toBeGreaterThan(0);
  process.kill(-Number(child.pid), "SIGINT");
  expect(await ended).toBe(130);
  expect(readdirSync(folder).filter((name) => name.startsWith("clouddb-"))).toEqual([]);
});

test("`pulumi up` works in the root of the repository", async () => {
  const api = await simulated();
  const stack = await newStack(api);
  const name = `check-${process.pid}`;
  try {
    await expectOk(stack.pulumi("stack", "init", name, "--cwd", root));
    await expectOk(stack.up("--cwd", root, "--stack", name));
    expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services"]);
  } finally {
    rmSync(join(root, `Pulumi.${name}.yaml`), { force: true });
  }
});
