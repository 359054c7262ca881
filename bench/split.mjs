// Duration of commands for many services in one stack and in several, with compressed states in PostgreSQL.
//   node bench/split.mjs 1000 10      1,000 services instead of 10,000, in one stack and in 10
import { BACKENDS } from "./support/backends.mjs";
import { nativeServices, withOneChange } from "./support/programs.mjs";
import { withProject, withSimulator } from "./support/project.mjs";
import { printTable, progress } from "./support/table.mjs";

const [SERVICES = 10_000, STACKS = 10] = process.argv.slice(2).map(Number);
const SETTINGS = { PULUMI_DIY_BACKEND_GZIP: "true" };
/** Writes the state once: backends.mjs measures the creation of stacks. */
const FOR_CREATION = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };
const AT_ONCE = 2;

const rows = [];
for (const stacks of [STACKS, 1]) await BACKENDS.PostgreSQL((backend) => measure(stacks, { ...SETTINGS, ...backend }));
printTable(["stacks", "services in each", "preview of all", "refresh of all", "up of one change", "written"], rows);

function measure(stacks, backend) {
  const size = SERVICES / stacks;
  return withSimulator([], ({ environment }) =>
    withProject({ ...environment, ...backend }, async (project) => {
      const names = Array.from({ length: stacks }, (_, index) => `stack-${index}`);
      const inAll = async (label, command) => {
        const startedAt = performance.now();
        await inTurn(names, (name) => command([...args(label), "--stack", name]));
        const seconds = (performance.now() - startedAt) / 1000;
        progress(`${stacks} × ${size} services, ${label}: ${seconds.toFixed(1)} s`);
        return `${seconds.toFixed(1)} s`;
      };
      project.program(nativeServices(size));
      for (const name of names) await project.pulumi("stack", "init", name, "--no-select");
      await inAll("up", (command) => project.pulumiWith(FOR_CREATION, ...command));
      const preview = await inAll("preview", (command) => project.pulumi(...command));
      const refresh = await inAll("refresh", (command) => project.pulumi(...command));
      project.program(withOneChange(nativeServices(size)));
      const change = await project.counted(...args("up"), "--stack", names[0]);
      const written = `${(change.bytes / 1e6).toFixed(1)} MB`;
      rows.push([stacks, size, preview, refresh, `${change.seconds.toFixed(1)} s`, written]);
    }),
  );
}

function args(command) {
  return command === "preview" ? [command] : [command, "--yes", "--skip-preview"];
}

async function inTurn(names, work) {
  const waiting = [...names];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await work(name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
