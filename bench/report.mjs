// Time beyond Node's own start and peak memory of clouddb-report for the events of many resources, in one run.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, printTable } from "./support/table.mjs";
import { root } from "./support/tools.mjs";

const ROUNDS = 7;
const SIZES = [100, 1000, 10_000];
const folder = mkdtempSync(join(tmpdir(), "clouddb-bench-"));
try {
  const hook = join(folder, "hook.cjs");
  writeFileSync(hook, 'process.on("exit", () => process.stderr.write(String(process.resourceUsage().maxRSS)));');
  const [empty] = measure(hook, "-e", "");
  const rows = SIZES.map((size) => {
    const file = join(folder, `${size}.ndjson`);
    const events = eventsOf(size);
    writeFileSync(file, events);
    const [seconds, megabytes] = measure(hook, join(root, "report/dist/cli.js"), file);
    const input = `${(events.length / 1e6).toFixed(1)} MB`;
    return [size, input, `${seconds.toFixed(2)} s`, `${(seconds - empty).toFixed(2)} s`, `${megabytes} MB`];
  });
  printTable(["resources", "events", "report", "without Node's start-up", "memory"], rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The median time, and the peak memory. */
function measure(hook, ...args) {
  const runs = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    const { stderr } = spawnSync(process.execPath, ["--require", hook, ...args], { encoding: "utf8" });
    return { seconds: (performance.now() - startedAt) / 1000, megabytes: Math.round(Number(stderr) / 1024) };
  });
  return [median(runs.map((each) => each.seconds)), Math.max(...runs.map((each) => each.megabytes))];
}

/** The recorded events of an update, with its resource multiplied to this number, and debug events in between. */
function eventsOf(size) {
  const lines = readFileSync(join(root, "tests/contract/report/previews/update-service.ndjson"), "utf8")
    .trim()
    .split("\n");
  const isChange = (line) => line.includes('"resourcePreEvent"') && line.includes("clouddb:Service::analytics");
  const change = lines.find(isChange);
  const debug = `{"sequence":1,"diagnosticEvent":{"severity":"debug","message":"${"x".repeat(2000)}"}}`;
  const many = Array.from({ length: size }, (_, index) => [debug, change.replaceAll("analytics", `service-${index}`)]);
  return `${lines.flatMap((line) => (isChange(line) ? many.flat() : [line])).join("\n")}\n`;
}
