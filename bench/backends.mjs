// Duration of commands, and bytes they write, by state backend. Linux only: reads /proc.
//   node bench/backends.mjs 100       only this size
import { BACKENDS } from "./support/backends.mjs";
import { nativeServices, withOneChange } from "./support/programs.mjs";
import { withProject, withSimulator } from "./support/project.mjs";
import { printTable, progress } from "./support/table.mjs";

const given = process.argv.slice(2).map(Number);
const SIZES = given.length > 0 ? given : [100, 1000];
const SETTINGS = { "": {}, ", compressed": { PULUMI_DIY_BACKEND_GZIP: "true" } };

const rows = [];
for (const size of SIZES) {
  for (const [name, withBackend] of Object.entries(BACKENDS)) {
    for (const [suffix, settings] of Object.entries(SETTINGS)) {
      await withBackend((backend) => measure(size, name + suffix, { ...backend, ...settings }));
    }
  }
}
printTable(["services", "state in", "up", "written", "preview", "refresh", "up of one change", "written"], rows);

function measure(size, name, backend) {
  return withSimulator([], ({ environment }) =>
    withProject({ ...environment, ...backend }, async (project) => {
      const timed = async (label, ...args) => {
        const result = await project.counted(...args);
        progress(`${size} services in ${name}, ${label}: ${inSeconds(result)}, ${inMegabytes(result)}`);
        return result;
      };
      const up = ["up", "--yes", "--skip-preview"];
      project.program(nativeServices(size));
      const creation = await timed("up", ...up);
      const preview = await timed("preview", "preview");
      const refresh = await timed("refresh", "refresh", "--yes", "--skip-preview");
      project.program(withOneChange(nativeServices(size)));
      const change = await timed("up of one change", ...up);
      rows.push([
        size,
        name,
        inSeconds(creation),
        inMegabytes(creation),
        inSeconds(preview),
        inSeconds(refresh),
        inSeconds(change),
        inMegabytes(change),
      ]);
    }),
  );
}

function inSeconds({ seconds }) {
  return `${seconds.toFixed(1)} s`;
}

function inMegabytes({ bytes }) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
