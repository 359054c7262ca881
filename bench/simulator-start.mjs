// How long the simulator takes from its start to the line that says that it is ready, compared with a program that only
// prints a line, in one run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median, printTable } from "./support/table.mjs";

const ROUNDS = 21;
const CLI = new URL("../simulator/dist/cli.js", import.meta.url).pathname;
const SEED = new URL("../simulator/seeds/example.json", import.meta.url).pathname;

const folder = mkdtempSync(join(tmpdir(), "clouddb-bench-"));
const programs = {
  "a program that prints a line": ["-e", "console.log()"],
  "the simulator": [CLI],
  "the simulator with --data": [CLI, "--data", join(folder, "data")],
  "the simulator with a seed": [CLI, "--seed", SEED],
};

/** Until the first output; the program is then ended. */
async function milliseconds(args) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  const passed = performance.now() - startedAt;
  child.kill("SIGTERM");
  await once(child, "close");
  return passed;
}

const times = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
try {
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, args] of Object.entries(programs)) times[name].push(await milliseconds(args));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const [empty] = Object.values(times).map(median);
printTable(
  ["", "time", "relative to the empty program"],
  Object.entries(times).map(([name, values]) => [
    name,
    `${median(values).toFixed(0)} ms`,
    (median(values) / empty).toFixed(1),
  ]),
);
