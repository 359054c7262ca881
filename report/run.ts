import { execFileSync } from "node:child_process";
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve as absolute, join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { startFailure, startPulumi } from "./child";
import type { Positions, Preview } from "./preview";
import { readPreviews, UnreadableInput } from "./read/input";
import { positionsOf } from "./read/positions";

export interface Run {
  readonly previews: readonly Preview[];
  /** The end of its standard error. */
  readonly errors: string;
  readonly hasFailed: boolean;
  readonly positions: Positions;
}

export interface RunOptions {
  readonly prices?: string;
  readonly hasPositions?: boolean;
  /** It cannot read standard input, where it could wait forever. */
  readonly isUnattended?: boolean;
}

/**
 * Runs `pulumi` and reads its events. Its display goes to standard error, because standard output is for the report. The
 * events come through a named pipe: they contain secrets and are never stored. Events have no positions, so that the
 * digest takes the place of the display if they are needed.
 */
export async function runWithEvents(
  command: readonly string[],
  { prices = "", hasPositions = false, isUnattended = false }: RunOptions = {},
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-report-"));
  const pipe = join(folder, "events");
  try {
    execFileSync("mkfifo", ["-m", "600", pipe]);
    // Policies use the same prices; they run in the folder of their pack.
    const variables = { PULUMI_DEBUG_COMMANDS: "true", CLOUDDB_PRICES: prices && absolute(prices) };
    const digest = hasPositions ? ["--json", "--show-sames"] : [];
    const { output, ended } = pulumi([...command, ...digest, "--event-log", pipe], variables, {
      hasOutput: hasPositions,
      isUnattended,
    });
    let isRead = false;
    const reading = previewsIn(createReadStream(pipe)).finally(() => {
      isRead = true;
    });
    const closed = ended.then(() => closePipe(pipe, () => isRead));
    const digests = output ? previewsIn(output) : [];
    const [{ code, errors }, previews] = await Promise.all([ended, reading, closed]);
    return { previews, errors, hasFailed: code !== 0, positions: positionsOf(await digests) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The previews in an output; none if it is something else: the errors of the command say why. */
export async function previewsIn(stream: Readable): Promise<Preview[]> {
  try {
    return await readPreviews(stream, "the preview");
  } catch (error) {
    if (error instanceof UnreadableInput) return [];
    throw error;
  }
}

const MOST_ERRORS = 64_000;

function pulumi(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  { hasOutput, isUnattended }: { hasOutput: boolean; isUnattended: boolean },
): { output: Readable | null; ended: Promise<{ code: number | null; errors: string }> } {
  const child = startPulumi(args, {
    env: { ...process.env, ...variables, ...(hasOutput && { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "false" }) },
    stdio: [isUnattended ? "ignore" : "inherit", hasOutput ? "pipe" : 2, "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = (errors + chunk.toString()).slice(-MOST_ERRORS);
  });
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, errors }));
    // Its report says so, too: nobody reads the logs of nightly runs.
    child.on("error", (error) => {
      console.error(`clouddb-report: ${startFailure(error)}`);
      resolve({ code: null, errors: `error: ${startFailure(error)}` });
    });
  });
  return { output: child.stdout, ended };
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
