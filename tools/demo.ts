// Shows the provider at work: examples/quickstart on the real Pulumi engine, against the API
// simulator. With --keep, simulator and stack stay until Ctrl-C. All files are in a temporary
// folder, which is removed at the end.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureAll } from "./setup/engine";
import { stackIn, takeRequests, withEngine } from "./support/environment";
import { run } from "./support/process";
import { SetupError } from "./support/progress";
import { root, textOf } from "./support/repository";

const APPLY = "up --yes --skip-preview";

export async function main(): Promise<void> {
  const { keep } = parseArgs({ options: { keep: { type: "boolean" } } }).values;
  const engine = await ensureAll();
  const interruption = new AbortController();
  // Pulumi also receives Ctrl-C and finishes its work. Then this process cleans up.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => interruption.abort());
  const { startSimulator } = await import("clouddb-simulator");
  const simulator = await startSimulator();
  const folder = mkdtempSync(join(tmpdir(), "clouddb-demo-"));
  const environment = stackIn(folder, "demo", simulator);

  async function pulumi(
    args: readonly string[],
    output: "inherit" | "ignore" = "ignore",
  ): Promise<number> {
    // Pulumi caches compiled programs in the temporary folder.
    const env = { ...withEngine(engine), ...environment, TMPDIR: folder };
    const { code } = await run("pulumi", args, {
      cwd: folder,
      env,
      stdio: ["ignore", output, "inherit"],
    });
    interruption.signal.throwIfAborted();
    return code;
  }

  const set = (key: string, value: string) => pulumi(["config", "set", key, value]);

  async function show(title: string, command: string, { fails = false } = {}): Promise<void> {
    console.log(`${title}\n\n$ pulumi ${command}`);
    const code = await pulumi(command.split(" "), "inherit");
    if ((code !== 0) !== fails) {
      const expected = fails ? "failed" : "succeeded";
      throw new SetupError(
        `Demo stopped: this step should have ${expected}; see its output above.`,
      );
    }
    const requests = await takeRequests(simulator);
    console.log(`\nAPI requests: ${requests.length}`);
    for (const { method, path, body } of requests)
      console.log(`  ${method} ${path} ${JSON.stringify(body) ?? ""}`);
    console.log();
  }

  async function stay(): Promise<void> {
    const variables = { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true", PATH: `${engine}:$PATH` };
    const lines = Object.entries(variables).map(([name, value]) => `export ${name}="${value}"\n`);
    writeFileSync(join(folder, "environment.sh"), lines.join(""));
    console.log(`Simulator and stack stay until you press Ctrl-C here. To use them, in another terminal:

  cd ${folder} && . ./environment.sh
  pulumi config set numReplicas 4 && pulumi up
  curl ${simulator.baseUrl}/__admin/requests`);
    await once(interruption.signal, "abort");
  }

  async function showAll(): Promise<void> {
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      textOf("Pulumi.yaml").replace(/^main: /m, `main: ${root}`),
    );
    console.log(
      "This demo runs examples/quickstart on the real Pulumi engine, against the API simulator.\n",
    );
    await pulumi(["stack", "init", "demo"]);
    await show("1. Preview a new service", "preview --diff");
    await show("2. Create it", APPLY);
    await show("3. Preview again: nothing to change, and no API request", "preview");

    await set("numReplicas", "3");
    await set("moreAccess", '[{"source":"198.51.100.7","description":"build server"}]');
    await show(
      "4. Preview an update: one more replica and one more access list entry",
      "preview --diff",
    );
    await show("5. Apply the update", APPLY);
    if (keep) return await stay();

    await show("6. Try to destroy it: services are protected by default", "destroy --yes", {
      fails: true,
    });
    await set("retainOnDelete", "true");
    await show("7. Stop managing it, first step: set retainOnDelete", APPLY);
    // With --remove, Pulumi does not advise to remove the stack.
    const destroy = "destroy --yes --skip-preview --remove";
    await show("8. Second step: destroy the stack; the service keeps running", destroy);
    console.log(
      "That was one service from its first preview to its release: no request without a change, no deletion by accident.\nNext: docs/getting-started.md, or `npm run demo -- --keep` to try it by hand.",
    );
  }

  try {
    await showAll();
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    console.log("\nInterrupted; the simulator, the stack and all files are removed.");
    process.exitCode = 130;
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
