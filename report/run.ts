import { type ChildProcess, spawn } from "node:child_process";
import type { Preview } from "./preview";
import { readPreviews, UnreadableInput } from "./read/input";

export interface Run {
  readonly previews: readonly Preview[];
  /** The end of the command's standard error. */
  readonly errors: string;
  readonly hasFailed: boolean;
}

const MOST_ERRORS = 64_000;

/**
 * Runs a command such as `pulumi preview --stack dev`, and reads the events that it prints. They contain secrets and are
 * never stored. The result of a command that fails without a preview is its standard error.
 */
export async function runPreview([command = "", ...args]: readonly string[]): Promise<Run> {
  const child = start(command, withEvents(args));
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    process.stderr.write(text);
    errors = lastLines(errors + text);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve).on("error", (error) => reject(startFailure(command, error)));
  });
  const [code, previews] = await Promise.all([ended, previewsOf(child, ended)]);
  return { previews, errors, hasFailed: code !== 0 };
}

/** The last lines, all of them whole: a part of a line of the engine's own log would not be recognized as such. */
function lastLines(text: string): string {
  return text.length <= MOST_ERRORS ? text : text.slice(-MOST_ERRORS).replace(/^.*\n?/, "");
}

/** Pulumi prints events with `--json`. */
function withEvents(args: readonly string[]): readonly string[] {
  const at = Math.max(args.lastIndexOf("preview"), args.lastIndexOf("pre")) + 1;
  const isSet = args.some((word) => word === "--json" || word === "-j");
  return at === 0 || isSet ? args : [...args.slice(0, at), "--json", ...args.slice(at)];
}

/** A command that succeeds without a preview is another command. */
async function previewsOf(
  child: ChildProcess,
  ended: Promise<number | null>,
): Promise<readonly Preview[]> {
  if (child.stdout === null) return [];
  try {
    return await readPreviews(child.stdout, "the output of this command");
  } catch (error) {
    // A command that is not read any more would wait forever.
    child.stdout.resume();
    if (!(error instanceof UnreadableInput) || (await ended) === 0) throw error;
    return [];
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A signal interrupts the command instead of this process, which then still writes its report. It gets one signal, because a
 * second one would leave its stack locked: outside of a terminal it has a process group of its own, and on a terminal
 * Ctrl-C reaches it directly.
 */
function start(command: string, args: readonly string[]): ChildProcess {
  const isShared = process.stdin.isTTY === true || process.platform === "win32";
  const env = { ...process.env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" };
  const child = spawn(command, args, {
    env,
    stdio: ["inherit", "pipe", "pipe"],
    detached: !isShared,
  });
  let isStopped = false;
  const onSignal = (signal: NodeJS.Signals) => {
    const isSent = isStopped || (isShared && signal === "SIGINT");
    isStopped = true;
    if (!isSent) child.kill("SIGINT");
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  child.on("close", () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  });
  return child;
}

function startFailure(command: string, { code, message }: NodeJS.ErrnoException): Error {
  const reason = code === "ENOENT" ? ": install it, or add it to PATH" : `: ${message}`;
  return new UnreadableInput(`Could not run ${command}${reason}.`);
}
