import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { run } from "../setup/command.mjs";
import { withEngine } from "../setup/engine.mjs";
import { SetupError } from "../setup/report.mjs";
import { root } from "../setup/root.mjs";

/**
 * What a demonstration needs: a simulator, and a stack that nobody else has. Its settings and state are in one
 * temporary folder, from where Pulumi runs the program of `examples/quickstart`.
 */
export async function createWorld(engine) {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-demo-"));
  mkdirSync(join(folder, "state"));
  const simulator = await startSimulator();
  const environment = {
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PULUMI_STACK: "demo",
    CLOUDDB_BASE_URL: simulator.ready.baseUrl,
    CLOUDDB_KEY_ID: simulator.ready.keyId,
    CLOUDDB_KEY_SECRET: simulator.ready.keySecret,
    CLOUDDB_ORGANIZATION_ID: simulator.ready.organizationId,
  };
  const project = readFileSync(join(root, "Pulumi.yaml"), "utf8");
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    project.replace(/^main: (.*)$/m, (_, main) => `main: ${join(root, main)}`),
  );

  return {
    folder,
    simulator,
    environment,
    /** Runs the real CLI. */
    pulumi: (...args) =>
      run("pulumi", [...args, "--non-interactive", "--color", "never"], {
        cwd: folder,
        env: { ...withEngine(engine), ...environment },
      }),
    /** The requests since the last time this was asked. */
    async requests() {
      const journal = `${simulator.ready.baseUrl}/__admin/requests`;
      const { requests } = await (await fetch(journal)).json();
      await fetch(journal, { method: "DELETE" });
      return requests;
    },
    async end() {
      await simulator.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the simulator in a process group of its own, so that a Ctrl-C does not end it before Pulumi is done. */
async function startSimulator() {
  const child = spawn(process.execPath, [join(root, "simulator/dist/cli.js")], {
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = new Promise((resolve) => child.on("exit", resolve));
  const ready = await Promise.race([
    new Promise((resolve) =>
      createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line))),
    ),
    exited.then(() => {
      throw new SetupError("The simulator did not start; `npm run simulator` shows why.");
    }),
  ]);
  return {
    ready,
    pid: child.pid,
    /** Leaves it running after this process. */
    leave() {
      child.stdout.destroy();
      child.unref();
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
