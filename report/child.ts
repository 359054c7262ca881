import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Starts `pulumi`. A signal interrupts it instead of this process, which then still writes its report. It gets one signal,
 * because a second one would leave its stack locked: outside of a terminal it has a process group of its own, and on a
 * terminal Ctrl-C reaches it directly.
 */
export function startPulumi(args: readonly string[], options: SpawnOptions): ChildProcess {
  const isOnTerminal = process.stdin.isTTY === true;
  const child = spawn("pulumi", args, { ...options, detached: !isOnTerminal });
  let isStopped = false;
  const onSignal = (signal: NodeJS.Signals) => {
    const isSent = isStopped || (isOnTerminal && signal === "SIGINT");
    isStopped = true;
    if (!isSent) child.kill("SIGINT");
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  child.on("close", () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  });
  return child;
}

/** The reason that it could not be started. */
export function startFailure({ code, message }: NodeJS.ErrnoException): string {
  return code === "ENOENT"
    ? "Could not run pulumi: install it, or add it to PATH."
    : `Could not run pulumi: ${message}.`;
}
