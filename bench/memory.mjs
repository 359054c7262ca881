// The most memory and the processor time that the provider's plugin takes, over ten ups and a refresh. The engine
// starts a new plugin for each command, so what could grow is the state. Linux only: it looks into /proc.
//   node bench/memory.mjs 100         so many services instead of 1,000
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { services } from "./support/programs.mjs";
import { withProject, withSimulator } from "./support/project.mjs";
import { printTable, progress } from "./support/table.mjs";

const SIZE = Number(process.argv[2] ?? 1000);
const UPS = 10;
const POLL_MS = 50;

await withSimulator([], ({ environment }) =>
  withProject(environment, async (project) => {
    const rows = [];
    const watched = async (label, command) => {
      const { usage, seconds } = await watching(project.folder, project[command]);
      const state = JSON.stringify(await project.resources()).length;
      progress(`${label}: ${seconds.toFixed(1)} s`);
      rows.push([label, `${usage.megabytes} MB`, `${usage.seconds.toFixed(1)} s`, `${(state / 1e6).toFixed(2)} MB`]);
    };
    project.program(services(1));
    await project.up();
    await watched("up that changes nothing, 1 service", "up");
    project.program(services(SIZE));
    await watched(`up 1, which creates ${SIZE}`, "up");
    for (let up = 2; up <= UPS; up += 1) await watched(`up ${up}, which changes nothing`, "up");
    await watched("refresh", "refresh");
    printTable(["command", "plugin's memory at most", "its processor time", "state"], rows);
  }),
);

/** Runs a command and looks at its plugin meanwhile. */
async function watching(folder, command) {
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
      const [command, script] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return /node$/.test(command) && /dynamic-provider/.test(script) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

/** The most memory so far in megabytes, and seconds of the processor; a process that has just ended has neither. */
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
