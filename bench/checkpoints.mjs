// Duration of an `up` that creates services, and bytes it writes: with the state written at each step, with the state
// written once, and then also without the creation journal. Linux only: reads /proc.
//   node bench/checkpoints.mjs 100       only this size
import { nativeServices } from "./support/programs.mjs";
import { withProject, withSimulator } from "./support/project.mjs";
import { printTable, progress } from "./support/table.mjs";

const sizes = process.argv.slice(2).map(Number);
const ONCE = { PULUMI_SKIP_CHECKPOINTS: "true", PULUMI_EXPERIMENTAL: "true" };
const VARIANTS = {
  "at each step": {},
  once: ONCE,
  "once, no journal": { ...ONCE, CLOUDDB_JOURNAL: "off" },
};
/** A state written at each step costs the square of its size: 10,000 services would take a day. */
const MOST_STEPS = 1000;

const rows = [];
for (const size of sizes.length > 0 ? sizes : [100, 1000, 10_000]) {
  for (const [name, variables] of Object.entries(VARIANTS)) {
    if (variables === VARIANTS["at each step"] && size > MOST_STEPS) continue;
    await withSimulator([], ({ environment }) =>
      withProject(environment, async (project) => {
        project.program(nativeServices(size));
        const { seconds, bytes } = await project.counted(variables, "up", "--yes", "--skip-preview");
        progress(`${size} services, state written ${name}: ${seconds.toFixed(1)} s`);
        const milliseconds = (1000 * seconds) / size;
        rows.push([
          size,
          name,
          `${seconds.toFixed(1)} s`,
          `${milliseconds.toFixed(1)} ms`,
          `${(bytes / 1e6).toFixed(1)} MB`,
        ]);
      }),
    );
  }
}
printTable(["services", "state written", "up", "per service", "written"], rows);
