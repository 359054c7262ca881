import { spawn } from "node:child_process";
import { join } from "node:path";
import type { ReadyLine } from "../../../simulator/index";
import { testHome } from "./stack";

/** The simulator as users run it: the command of the packed package. */
export function packed(...args: string[]) {
  return command(join(testHome(), "node_modules/.bin/clouddb-simulator"), ...args);
}

export function command(path: string, ...args: string[]) {
  const child = spawn(path, args);
  let stdout = "";
  let stderr = "";
  const ready = new Promise<ReadyLine>((resolve) => {
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      if (/^\{.*\n/.test(stdout)) resolve(JSON.parse(stdout) as ReadyLine);
    });
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { ready, ended, output: () => stdout, end: () => child.kill("SIGTERM") };
}
