import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, createReadStream, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve as absolute, join } from "node:path";
import type { Readable } from "node:stream";
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

/**
 * Runs `pulumi preview` with these flags and reads its events. Its display goes to standard error, because standard
 * output is for the report. The events come through a named pipe: they contain secrets and are never stored. Events have
 * no positions, so that the digest takes the place of the display if they are needed.
 */
export async function runPreview(flags: readonly string[], prices: string, hasPositions: boolean): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-report-"));
  const pipe = join(folder, "events");
  try {
    execFileSync("mkfifo", ["-m", "600", pipe]);
    // Policies use the same prices; they run in the folder of their pack.
    const variables = { PULUMI_DEBUG_COMMANDS: "true", CLOUDDB_PRICES: prices && absolute(prices) };
    const digest = hasPositions ? ["--json", "--show-sames"] : [];
    const command = pulumi(["preview", ...flags, ...digest, "--event-log", pipe], variables, hasPositions);
    const ended = command.ended.finally(() => closePipe(pipe));
    const read = (stream: Readable) =>
      readPreviews(stream, "the preview").catch((error: Error) => {
        if (error instanceof UnreadableInput) return [];
        throw error;
      });
    const [{ code, errors }, previews, digests] = await Promise.all([
      ended,
      read(createReadStream(pipe)),
      command.output ? read(command.output) : [],
    ]);
    return { previews, errors, hasFailed: code !== 0, positions: positionsOf(digests) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const MOST_ERRORS = 64_000;

function pulumi(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  hasOutput: boolean,
): { output: Readable | null; ended: Promise<{ code: number | null; errors: string }> } {
  const child = spawn("pulumi", args, {
    env: { ...process.env, ...variables, ...(hasOutput && { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "false" }) },
    stdio: ["inherit", hasOutput ? "pipe" : 2, "pipe"],
  });
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    errors = (errors + chunk.toString()).slice(-MOST_ERRORS);
  });
  const ended = new Promise<{ code: number | null; errors: string }>((resolve, reject) => {
    child.on("close", (code) => resolve({ code, errors }));
    child.on("error", () => reject(new UnreadableInput("Could not run pulumi: install it, or add it to PATH.")));
  });
  return { output: child.stdout, ended };
}

/** A preview that failed early has not opened the pipe, and its reader would wait forever. */
function closePipe(pipe: string): void {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
  } catch {
    // Nobody is reading any more.
  }
}
