// Shows the provider at work: examples/quickstart on the real Pulumi engine, against the API simulator.
// With --keep, simulator and stack stay until Ctrl-C. All files are in a temporary folder, which is removed at the end.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { RunningSimulator } from "clouddb-simulator";
import { ensureAll } from "./setup/engine";
import { stackIn, takeRequests, withEngine } from "./support/environment";
import { lastLines, run } from "./support/process";
import { SetupError } from "./support/progress";
import { root, textOf } from "./support/repository";

/** The environment of Pulumi's commands in the demo's project. */
type Environment = Readonly<Record<string, string>>;

interface Demo {
  readonly folder: string;
  readonly simulator: RunningSimulator;
  readonly env: NodeJS.ProcessEnv;
}

let keep = false;
let isInterrupted = false;

export async function main(): Promise<void> {
  keep = parseArgs({ options: { keep: { type: "boolean", default: false } } }).values.keep;
  const engine = await ensureAll();
  // Pulumi receives the same Ctrl-C and finishes what it is doing; then this process cleans up.
  const interruption = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, resolve);
  }).then(() => {
    isInterrupted = true;
  });
  const { startSimulator } = await import("clouddb-simulator");
  const simulator = await startSimulator();
  const folder = mkdtempSync(join(tmpdir(), "clouddb-demo-"));
  try {
    const environment = createProject(folder, simulator);
    // Pulumi caches compiled programs in the temporary folder.
    const demo = { folder, simulator, env: { ...withEngine(engine), ...environment, TMPDIR: folder } };
    await showSteps(demo);
    if (keep) await keepRunning(demo, engine, environment, interruption);
  } catch (error) {
    if (!isInterrupted) throw error;
    console.log("\nInterrupted; the simulator, the stack and all files are removed.");
    process.exitCode = 130;
  } finally {
    await simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets Pulumi run examples/quickstart from a folder with its own settings and state; returns the environment for it. */
function createProject(folder: string, simulator: RunningSimulator): Environment {
  const project = textOf("Pulumi.yaml");
  writeFileSync(join(folder, "Pulumi.yaml"), project.replace(/^main: /m, `main: ${root}`));
  return stackIn(folder, "demo", simulator);
}

async function showSteps(demo: Demo): Promise<void> {
  console.log("This demo runs examples/quickstart on the real Pulumi engine, against the API simulator.\n");
  await prepare(demo, "stack", "init", "demo");
  const apply = ["up", "--yes", "--skip-preview"];

  await step(demo, "1. Preview a new service", ["preview", "--diff"]);
  await step(demo, "2. Create it", apply);
  await step(demo, "3. Preview again: nothing to change, and no API request", ["preview"]);

  await configure(demo, "numReplicas", "3");
  await configure(demo, "moreAccess", '[{"source":"198.51.100.7","description":"build server"}]');
  await step(demo, "4. Preview an update: one more replica and one more access list entry", ["preview", "--diff"]);
  await step(demo, "5. Apply the update", apply);
  if (keep) return;

  await step(demo, "6. Try to destroy it: services are protected by default", ["destroy", "--yes"], { fails: true });
  await configure(demo, "retainOnDelete", "true");
  await step(demo, "7. Stop managing it, first step: set retainOnDelete", apply);
  // Otherwise Pulumi advises to remove the stack, which this demo does.
  const destroy = ["destroy", "--yes", "--skip-preview", "--remove"];
  await step(demo, "8. Second step: destroy the stack; the service keeps running", destroy);
  console.log(
    "That was one service from its first preview to its release: no request without a change, no deletion by accident.\nNext: docs/getting-started.md, or `npm run demo -- --keep` to try it by hand.",
  );
}

/** Runs a command, with its output as Pulumi prints it, and lists the API requests that it made. */
async function step(
  { folder, simulator, env }: Demo,
  title: string,
  args: readonly string[],
  { fails = false } = {},
): Promise<void> {
  console.log(`${title}\n\n$ pulumi ${args.join(" ")}`);
  const { code } = await run("pulumi", args, { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] });
  if (isInterrupted) throw new Error("interrupted");
  if ((code !== 0) !== fails) {
    throw new SetupError(
      `Demo stopped: this step should have ${fails ? "failed" : "succeeded"}; see its output above.`,
    );
  }
  const requests = await takeRequests(simulator);
  console.log(`\nAPI requests: ${requests.length}`);
  for (const { method, path, body } of requests) console.log(`  ${method} ${path} ${JSON.stringify(body) ?? ""}`);
  console.log();
}

function configure(demo: Demo, key: string, value: string): Promise<void> {
  return prepare(demo, "config", "set", key, value);
}

async function prepare({ folder, env }: Demo, ...args: string[]): Promise<void> {
  const result = await run("pulumi", args, { cwd: folder, env });
  if (isInterrupted) throw new Error("interrupted");
  if (result.code !== 0) throw new SetupError(`pulumi ${args.join(" ")} failed; see below.\n${lastLines(result)}`);
}

async function keepRunning(
  { folder, simulator }: Demo,
  engine: string,
  environment: Environment,
  interruption: Promise<void>,
): Promise<void> {
  const variables = { ...environment, PULUMI_SKIP_UPDATE_CHECK: "true", PATH: `${engine}:$PATH` };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}="${value}"\n`);
  writeFileSync(join(folder, "environment.sh"), lines.join(""));
  console.log(`Simulator and stack stay until you press Ctrl-C here. To use them, in another terminal:

  cd ${folder} && . ./environment.sh
  pulumi config set numReplicas 4 && pulumi up
  curl ${simulator.baseUrl}/__admin/requests`);
  await interruption;
}
