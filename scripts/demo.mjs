// Shows on the real Pulumi engine what the provider does, against the simulator, and cleans up after itself.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorld } from "./demo/world.mjs";
import { ensureAll } from "./setup/all.mjs";
import { runMain, SetupError } from "./setup/report.mjs";

const keep = process.argv.includes("--keep");
let interrupted = false;

await runMain(async () => {
  const engine = await ensureAll();
  const world = await createWorld(engine);
  // Pulumi gets the same Ctrl-C and finishes what it is doing; then this process cleans up.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => (interrupted = true));
  try {
    await tell(world);
  } catch (error) {
    if (!interrupted) throw error;
  } finally {
    if (keep && !interrupted) leave(world, engine);
    else await world.end();
  }
  if (interrupted) {
    console.log("\nInterrupted: simulator, stack and files are gone.");
    process.exitCode = 130;
  }
});

async function tell(world) {
  console.log("A database service from a Pulumi program, on the real engine, with a simulated API.\n");
  await quietly(world, "stack", "init", "demo");

  await step(world, "1. The preview of examples/quickstart", ["preview", "--diff"]);
  await step(world, "2. It is created", ["up", "--yes", "--skip-preview"]);
  await step(world, "3. Another preview: nothing to do, and nothing asked", ["preview"]);

  await configure(world, "numReplicas", "3");
  await configure(world, "moreAccess", '[{"source":"198.51.100.7","description":"build server"}]');
  await step(world, "4. One access entry and one replica more: the preview says just that", ["preview", "--diff"]);
  await step(world, "5. It is changed", ["up", "--yes", "--skip-preview"]);
  if (keep) return;

  await step(world, "6. A service is not lost by accident: destroy is refused", ["destroy", "--yes"], { fails: true });
  await configure(world, "letGo", "true");
  await step(world, "7. It is let go on purpose: retainOnDelete first …", ["up", "--yes", "--skip-preview"]);
  await step(world, "   … and then the stack forgets it, while it goes on running", [
    "destroy",
    "--yes",
    "--skip-preview",
  ]);
}

async function step(world, title, args, { fails = false } = {}) {
  const { code, stdout, stderr } = await world.pulumi(...args);
  if (interrupted) throw new Error("interrupted");
  console.log(`${title}\n`);
  console.log(`   $ pulumi ${args.join(" ")}`);
  console.log(essence(`${stdout}\n${stderr}`));
  const requests = await world.requests();
  const lines = requests.map(
    ({ method, path, body }) => `${method} ${shortly(path)}${body ? ` ${JSON.stringify(body)}` : ""}`,
  );
  console.log(`\n   API requests: ${requests.length}${lines.map((line) => `\n     ${line}`).join("")}\n`);
  if ((code !== 0) !== fails)
    throw new SetupError(`This step should have ${fails ? "failed" : "worked"}; the demonstration ends.`);
}

async function configure(world, key, value) {
  await quietly(world, "config", "set", key, value);
}

async function quietly(world, ...args) {
  const { code, stderr } = await world.pulumi(...args);
  if (interrupted) throw new Error("interrupted");
  if (code !== 0) throw new SetupError(`pulumi ${args.join(" ")} did not work: ${stderr}`);
}

/** What a reader wants of the engine's output: no progress dots, no blank lines, no long names. */
function essence(output) {
  return output
    .split("\n")
    .filter(
      (line) =>
        line.trim() !== "" &&
        !/^@ |^\s+\[urn=|^Duration|^\s+pulumi:pulumi:Stack.*(running|creating|created)/.test(line),
    )
    .map(
      (line) =>
        `   | ${line.replaceAll("pulumi-nodejs:dynamic/clouddb:", "clouddb:").replace(/urn:pulumi:\S+::/g, "")}`,
    )
    .join("\n");
}

function shortly(path) {
  return path.replace(/^\/v1\/organizations\/[^/]+/, "…").replace(/([0-9a-f]{8})-[0-9a-f-]{27}/g, "$1…");
}

function leave(world, engine) {
  world.simulator.leave();
  const file = join(world.folder, "environment.sh");
  const lines = Object.entries({ ...world.environment, PULUMI_SKIP_UPDATE_CHECK: "true" });
  writeFileSync(
    file,
    `${lines.map(([name, value]) => `export ${name}='${value}'`).join("\n")}\nexport PATH='${engine}':"$PATH"\n`,
  );
  console.log(`The simulator and the stack stay. To go on with them:

   cd ${world.folder} && . ./environment.sh
   pulumi config set numReplicas 4 && pulumi up
   curl ${world.simulator.ready.baseUrl}/__admin/requests

To end them:

   kill ${world.simulator.pid} && rm -r ${world.folder}`);
}
