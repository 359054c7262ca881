// A temporary Pulumi project with a file backend, a simulator in its own process, and the output of
// measurements.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

// The repository's tools are in TypeScript.
const require = createRequire(import.meta.url);
require("tsx/cjs");
const { ensureAll, ensureEngine, versionFolder } = require("../../tools/setup/engine.ts");
const {
  simulatorSettings,
  takeRequests,
  withEngine,
} = require("../../tools/support/environment.ts");
const { pulumi: versions } = require("../../versions.json");
export const { root } = require("../../tools/support/repository.ts");

/**
 * Starts the simulator and passes on the environment for a program, and access to the request
 * journal.
 */
export async function withSimulator(args, work) {
  const command = join(root, "simulator/bin/clouddb-simulator.js");
  const child = spawn(process.execPath, [command, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ready = JSON.parse(
      await new Promise((resolve) => createInterface(child.stdout).once("line", resolve)),
    );
    return await work({
      environment: simulatorSettings(ready),
      requests: () => takeRequests(ready),
    });
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null) await new Promise((resolve) => child.once("exit", resolve));
  }
}

/** The search paths of the pinned CLI and, if it is installed, the oldest supported one. */
export async function enginePaths() {
  const folders = [await ensureEngine(), join(dirname(versionFolder()), versions.oldest, "bin")];
  return folders.filter(existsSync).map((folder) => withEngine(folder).PATH);
}

const PROJECT = `name: bench
runtime:
  name: nodejs
  options:
    typescript: false
main: index.js
plugins:
  providers:
    - name: clouddb
      path: ${join(root, "provider/native-plugin")}
`;

/**
 * A project with an empty stack, in a temporary folder inside the repository, where it finds the
 * packages.
 */
export async function withProject(environment, work) {
  const engine = await ensureAll();
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache", "bench-"));
  try {
    mkdirSync(join(folder, "state"));
    writeFileSync(join(folder, "Pulumi.yaml"), PROJECT);
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
      version: async () => (await pulumi("version")).output.trim(),
      resources: async () =>
        JSON.parse((await pulumi("stack", "export", "--show-secrets=false")).output).deployment
          .resources ?? [],
    };
    project.program("");
    await pulumi("stack", "init", "dev");
    return await work(project);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the CLI; returns its output and the time in seconds. */
async function run(cwd, env, args) {
  const startedAt = performance.now();
  const options = [...args, "--non-interactive", "--color", "never"];
  const running = promisify(execFile)("pulumi", options, {
    cwd,
    env,
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  const { stdout } = await running.catch(({ message, stdout }) => {
    throw new Error(`${message}\n${stdout.slice(-5000)}`);
  });
  return { output: stdout, seconds: (performance.now() - startedAt) / 1000 };
}

/** Prints rows as a Markdown table. */
export function printTable(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  console.log([line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)].join("\n"));
}

export function median(values) {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
}

/** Prints the progress to standard error, since standard output is for the tables. */
export function progress(text) {
  process.stderr.write(`… ${text}\n`);
}
