import { execFileSync } from "node:child_process";
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startFailure, startPulumi } from "./child";
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
export async function runWithEvents(command: readonly string[]): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-report-"));
  const pipe = join(folder, "events");
  try {
    execFileSync("mkfifo", ["-m", "600", pipe]);
    const ended = pulumi([...command, "--event-log", pipe]);
    let isRead = false;
    const reading = previewsIn(pipe).finally(() => {
      isRead = true;
    });
    const closed = ended.then(() => closePipe(pipe, () => isRead));
    const [{ code, errors }, previews] = await Promise.all([ended, reading, closed]);
    return { previews, errors, hasFailed: code !== 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The previews in a pipe; none if it has something else: the errors of the command say why. */
async function previewsIn(pipe: string): Promise<Preview[]> {
  try {
    return await readPreviews(createReadStream(pipe), "the preview");
  } catch (error) {
    if (error instanceof UnreadableInput) return [];
    throw error;
  }
}

const MOST_ERRORS = 64_000;

function pulumi(args: readonly string[]): Promise<{ code: number | null; errors: string }> {
  // The variable makes the flag for events visible.
  const env = { ...process.env, PULUMI_DEBUG_COMMANDS: "true" };
  const child = startPulumi(args, { env, stdio: ["inherit", 2, "pipe"] });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = (errors + chunk.toString()).slice(-MOST_ERRORS);
  });
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, errors }));
    // Its report says so, too: nobody reads the logs of nightly runs.
    child.on("error", (error) => {
      console.error(`clouddb-report: ${startFailure(error)}`);
      resolve({ code: null, errors: `error: ${startFailure(error)}` });
    });
  });
}

/** A command that failed early has not opened the pipe, and its reader would wait forever, once it waits. */
async function closePipe(pipe: string, isRead: () => boolean): Promise<void> {
  while (!isRead()) {
    try {
      return closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      await wait(10);
    }
  }
}
