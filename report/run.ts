import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve as absolute, join } from "node:path";
import type { Preview } from "./preview";
import { readPreviews, UnreadableInput } from "./read/input";

export interface Run {
  readonly previews: readonly Preview[];
  /** The end of its standard error. */
  readonly errors: string;
  readonly hasFailed: boolean;
}

/**
 * Runs `pulumi` and reads its events. Its display goes to standard error, because standard output is for the report. The
 * events come through a named pipe: they contain secrets and are never stored.
 */
export async function runWithEvents(command: readonly string[], prices: string): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-report-"));
  const pipe = join(folder, "events");
  try {
    execFileSync("mkfifo", ["-m", "600", pipe]);
    // Policies use the same prices; they run in the folder of their pack.
    const variables = { PULUMI_DEBUG_COMMANDS: "true", CLOUDDB_PRICES: prices && absolute(prices) };
    const ended = pulumi([...command, "--event-log", pipe], variables).finally(() => closePipe(pipe));
    const reading = readPreviews(createReadStream(pipe), "the preview").catch((error: Error) => {
      if (error instanceof UnreadableInput) return [];
      throw error;
    });
    const [{ code, errors }, previews] = await Promise.all([ended, reading]);
    return { previews, errors, hasFailed: code !== 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MOST_ERRORS = 64_000;

function pulumi(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): Promise<{ code: number | null; errors: string }> {
  const child = spawn("pulumi", args, {
    env: { ...process.env, ...variables },
    stdio: ["inherit", 2, "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = (errors + chunk.toString()).slice(-MOST_ERRORS);
  });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => resolve({ code, errors }));
    child.on("error", () => reject(new UnreadableInput("Could not run pulumi: install it, or add it to PATH.")));
  });
}

/** A preview that failed early has not opened the pipe, and its reader would wait forever. */
function closePipe(pipe: string): void {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // Nobody is reading any more.
  }
}
