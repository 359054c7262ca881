import { type ChildProcess, spawn } from "node:child_process";
import type { Preview } from "./preview";
import { exitCodeText, lastLines } from "./read/command";
import type { CommandFlags } from "./read/flags";
import { readPreviews, UnreadableInput } from "./read/input";

const MOST_ERRORS = 64_000;

/**
 * Runs a command such as `pulumi preview --stack dev`, and reads its events, which contain secrets
 * and are never stored. If the command fails without a preview, the result is its standard error.
 */
export async function runPreview({ withEvents, command: known }: CommandFlags) {
  const [command = "", ...args] = withEvents;
  const child = start(command, args);
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    process.stderr.write(text);
    errors = lastLines(errors + text, MOST_ERRORS);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve).on("error", ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === "ENOENT" ? "install it, or add it to PATH" : message;
      reject(new UnreadableInput(`Could not run ${command}: ${reason}.`));
    });
  });
  const isHidden = known === "not known";
  const [code, previews] = await Promise.all([
    ended,
    previewsOf(child, ended, isHidden ? HIDDEN : undefined),
  ]);
  const meaning = isHidden ? undefined : exitCodeText(code);
  return { previews, errors: errors + (meaning ? `\n${meaning}\n` : ""), hasFailed: code !== 0 };
}

/** Advice for a script whose Pulumi command gets no flags. */
const HIDDEN =
  "`run` adds --json only to a command of Pulumi that it sees: add it to the one in the script.";

/** Fails if the command succeeds without a preview. */
async function previewsOf(
  child: ChildProcess,
  ended: Promise<number | null>,
  advice?: string,
): Promise<readonly Preview[]> {
  if (child.stdout === null) return [];
  try {
    return await readPreviews(child.stdout, "the output of this command", advice);
  } catch (error) {
    // The command would wait forever if its output were not read.
    child.stdout.resume();
    if (!(error instanceof UnreadableInput) || (await ended) === 0) throw error;
    return [];
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Passes one signal to the command, so that this process can still write its report. A second
 * signal would leave the stack locked: without a terminal, the command gets its own process group,
 * and on a terminal, Ctrl-C reaches it directly.
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
