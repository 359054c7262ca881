import { type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { root } from "./repository";

export interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The text after a check's name. */
  readonly note?: string;
}

/** Runs a command and collects its output. Never throws: a missing command has code 127. */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
      });
    }
    child.on("error", (error) => resolve({ code: 127, stdout: "", stderr: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, ...output }));
  });
}

/** Runs a tool from node_modules. */
export function tool(name: string, ...args: string[]): Promise<Result> {
  return run(join(root, "node_modules", ".bin", name), args, { cwd: root });
}

/**
 * Runs a command in the terminal and returns its exit code. On a signal, waits for the command's
 * cleanup.
 */
export async function runInForeground(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<number> {
  const child = spawn(command, args, { ...options, stdio: "inherit" });
  let interruption: NodeJS.Signals | undefined;
  const interrupt = (signal: NodeJS.Signals) => {
    interruption = signal;
    // A terminal sends its Ctrl-C to both processes.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, interrupt);
  const code = await new Promise<number>((resolve) => {
    child.on("error", () => resolve(127)).on("close", (status) => resolve(status ?? 1));
  });
  for (const signal of signals) process.off(signal, interrupt);
  if (interruption !== undefined) process.exit(code || 128 + constants.signals[interruption]);
  return code;
}

/** The end of a failed command's output, which usually has the reason. */
export function lastLines({ stdout, stderr }: Result, count = 15): string {
  return `${stdout}\n${stderr}`.trim().split("\n").slice(-count).join("\n");
}

const suffix = process.platform === "win32" ? ".cmd" : "";
export const npm = `npm${suffix}`;
export const npx = `npx${suffix}`;
