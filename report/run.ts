import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Preview } from "./preview";
import { readPreviews, UnreadableInput } from "./read/input";

export interface Run {
  readonly previews: readonly Preview[];
  /** What it printed to standard error, from the end of it. */
  readonly errors: string;
  readonly hasFailed: boolean;
}

/**
 * Runs `pulumi preview` with these flags and reads what it was about. Its own display goes to standard error, since
 * standard output is the report's. The events come through a named pipe: they hold secrets, and never lie in a file.
 */
export async function runPreview(flags: readonly string[]): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-report-"));
  const pipe = join(folder, "events");
  try {
    execFileSync("mkfifo", ["-m", "600", pipe]);
    const ended = pulumi(["preview", ...flags, "--event-log", pipe]).finally(() => endOf(pipe));
    const told = readPreviews(createReadStream(pipe), "the preview").catch((error: Error) => {
      if (error instanceof UnreadableInput) return [];
      throw error;
    });
    const [{ code, errors }, previews] = await Promise.all([ended, told]);
    return { previews, errors, hasFailed: code !== 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MOST_ERRORS = 64_000;

function pulumi(args: readonly string[]): Promise<{ code: number | null; errors: string }> {
  const child = spawn("pulumi", args, {
    env: { ...process.env, PULUMI_DEBUG_COMMANDS: "true" },
    stdio: ["inherit", 2, "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = (errors + chunk.toString()).slice(-MOST_ERRORS);
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => resolve({ code, errors }));
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
