import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testHome } from "./stack";

/** Files in which commands may leave secrets behind. */

/**
 * The events without the SDK's own debug messages, which contain everything that a program
 * declares.
 */
export function eventsIn(file: string): string {
  return readFileSync(file, "utf8").replace(/^.*"severity":"debug".*$/gm, "");
}

/** The output of the packed report command. */
export function reportOn(events: string): string {
  const report = spawnSync(join(testHome(), "node_modules/.bin/clouddb-report"), [events], {
    encoding: "utf8",
  });
  return report.stdout + report.stderr;
}
