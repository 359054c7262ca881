// A temporary Pulumi project with a file backend, and a simulator in its own process.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ensureAll, root, simulatorSettings, withEngine } from "./tools.mjs";

/** Starts the simulator and passes on the environment for a program, and access to the request journal. */
export async function withSimulator(args, work) {
  const child = spawn(process.execPath, [join(root, "simulator/bin/clouddb-simulator.js"), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ready = JSON.parse(await new Promise((resolve) => createInterface(child.stdout).once("line", resolve)));
    const journal = `${ready.baseUrl}/__admin/requests`;
    return await work({
      environment: simulatorSettings(ready),
      async requests() {
        const { requests } = await (await fetch(journal)).json();
        await fetch(journal, { method: "DELETE" });
        return requests;
      },
    });
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve));
  }
}

/** A project with an empty stack, in a temporary folder inside the repository, where it finds the packages. */
export async function withProject(environment, work) {
  const engine = await ensureAll();
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache", "bench-"));
  try {
    mkdirSync(join(folder, "state"));
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      `name: bench
runtime:
  name: nodejs
  options:
    typescript: false
main: index.js
plugins:
  providers:
    - name: clouddb
      path: ${join(root, "provider/native-plugin")}
`,
    );
    const env = {
      ...withEngine(engine),
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      ...environment,
    };
    const pulumi = (...args) => run(folder, env, args);
    const project = {
      folder,
      program: (text) => writeFileSync(join(folder, "index.js"), text),
      up: () => pulumi("up", "--yes", "--skip-preview"),
      preview: () => pulumi("preview"),
      refresh: () => pulumi("refresh", "--yes", "--skip-preview"),
      destroy: () => pulumi("destroy", "--yes", "--skip-preview"),
      resources: async () =>
        JSON.parse((await pulumi("stack", "export", "--show-secrets=false")).output).deployment.resources ?? [],
    };
    project.program("");
    await pulumi("stack", "init", "dev");
    return await work(project);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the CLI; returns its output and the time in seconds. */
function run(cwd, env, args) {
  const startedAt = performance.now();
  const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const seconds = (performance.now() - startedAt) / 1000;
      if (code === 0) resolve({ output, seconds });
      else reject(new Error(`pulumi ${args.join(" ")} failed with exit code ${code}:\n${output.slice(-5000)}`));
    });
  });
}
