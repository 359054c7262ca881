import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Preview } from "./preview";
import { readPreviews, UnreadableInput } from "./read/input";

/**
 * Runs `pulumi preview` with these flags and tells what it was about. Its own display goes to standard error, since
 * standard output is the report's. The events come through a named pipe: they hold secrets, and never lie in a file.
 */
export async function runPreview(flags: readonly string[]): Promise<Preview[]> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-report-"));
  const pipe = join(folder, "events");
  try {
    execFileSync("mkfifo", ["-m", "600", pipe]);
    const ended = pulumi(["preview", ...flags, "--event-log", pipe]).finally(() => endOf(pipe));
    const told = readPreviews(createReadStream(pipe), "the preview").catch(() => {
      throw new UnreadableInput("pulumi preview ended before it told anything; what it printed says why.");
    });
    const [, previews] = await Promise.all([ended, told]);
    return previews;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pulumi(args: readonly string[]): Promise<unknown> {
  const child = spawn("pulumi", args, {
    env: { ...process.env, PULUMI_DEBUG_COMMANDS: "true" },
    stdio: ["inherit", 2, "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.on("exit", resolve);
    child.on("error", () => reject(new UnreadableInput("pulumi cannot be run: install it, or put it on the PATH.")));
  });
}

/** A preview that never began has not opened the pipe, and its reader would wait for ever. */
function endOf(pipe: string): void {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // Nobody reads any more: there is nothing to end.
  }
}
