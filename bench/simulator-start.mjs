// Start-up time of the simulator until it prints that it is ready, compared in one run with a program that only prints
// a line.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { medians, untilFirstOutput } from "./support/processes.mjs";
import { printTable } from "./support/table.mjs";

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
try {
  const times = await medians(ROUNDS, programs, (args) => untilFirstOutput([process.execPath, ...args]));
  const [empty] = Object.values(times);
  printTable(
    ["", "time", "relative to the empty program"],
    Object.entries(times).map(([name, time]) => [name, `${time.toFixed(0)} ms`, (time / empty).toFixed(1)]),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
