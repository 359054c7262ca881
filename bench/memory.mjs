// Peak memory and CPU time of the plugin, Pulumi's dynamic provider and the native one, over some ups and a refresh. The
// engine starts a new plugin for each command, so only the state could grow. Linux only: it reads /proc.
//   node bench/memory.mjs 100         100 services instead of 1,000
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { nativeServices, services } from "./support/programs.mjs";
import { withProject, withSimulator } from "./support/project.mjs";
import { printTable, progress } from "./support/table.mjs";

const SIZE = Number(process.argv[2] ?? 1000);
const UPS = 5;
const POLL_MS = 50;

const VARIANTS = { dynamic: services, native: nativeServices };

const rows = [];
for (const [name, program] of Object.entries(VARIANTS)) {
  await withSimulator([], ({ environment }) =>
    withProject(environment, async (project) => {
      const measure = async (label, command) => {
        const { usage, seconds } = await watchPlugins(project.folder, project[command]);
        const state = JSON.stringify(await project.resources()).length;
        progress(`${name}, ${label}: ${seconds.toFixed(1)} s`);
        const sizes = [`${usage.megabytes} MB`, `${usage.seconds.toFixed(1)} s`, `${(state / 1e6).toFixed(2)} MB`];
        rows.push([name, label, ...sizes]);
      };
      project.program(program(1));
      await project.up();
      await measure("up without changes, 1 service", "up");
      project.program(program(SIZE));
      await measure(`up 1, creating ${SIZE}`, "up");
      for (let up = 2; up <= UPS; up += 1) await measure(`up ${up}, without changes`, "up");
      await measure("refresh", "refresh");
    }),
  );
}
printTable(["plugin", "command", "peak memory of the plugin", "its CPU time", "state"], rows);

/** Runs a command and polls the resource usage of its plugin meanwhile. */
async function watchPlugins(folder, command) {
  const usage = { megabytes: 0, seconds: 0 };
  const timer = setInterval(() => {
    for (const pid of pluginsIn(folder)) {
      const [megabytes, seconds] = usageOf(pid);
      usage.megabytes = Math.max(usage.megabytes, megabytes);
      usage.seconds = Math.max(usage.seconds, seconds);
    }
  }, POLL_MS);
  try {
    const { seconds } = await command();
    return { usage, seconds };
  } finally {
    clearInterval(timer);
  }
}

function pluginsIn(folder) {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const [command, ...args] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return (
        /node$/.test(command) &&
        args.some((arg) => /dynamic-provider|native-plugin/.test(arg)) &&
        readlinkSync(`/proc/${pid}/cwd`) === folder
      );
    } catch {
      return false;
    }
  });
}

/** Peak memory in megabytes, and CPU time in seconds; zeros for a process that has just ended. */
function usageOf(pid) {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0;
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    // User and system time, in hundredths of a second.
    return [Math.round(Number(kilobytes) / 1024), (Number(fields[11]) + Number(fields[12])) / 100];
  } catch {
    return [0, 0];
  }
}
