import { execFile } from "node:child_process";
import { join } from "node:path";
import { root } from "../../../support/root";

const COMMAND = join(root, "report/dist/cli.js");
/** A command that has not ended by then hangs. */
const LIMITS = { timeout: 120_000, killSignal: "SIGKILL", maxBuffer: 100_000_000 } as const;

export interface Run {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the built command, with these environment variables only. */
export function runCli({ args, env = {}, input = "" }: Run) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...args],
      { env, ...LIMITS },
      (error, stdout, stderr) => resolve({ status: error ? error.code : 0, stdout, stderr }),
    );
    // A command may end without reading all of it.
    child.stdin?.on("error", () => {}).end(input);
  });
}
