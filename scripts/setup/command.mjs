import { spawn } from "node:child_process";

/** Runs a command and gathers what it prints. It never throws: a command that is not there has code 127. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", (error) => resolve({ code: 127, stdout, stderr: error.message }));
    child.on("close", (code, signal) => resolve({ code: signal ? 1 : code, stdout, stderr }));
  });
}

/** The end of what a failed command has printed: there stands why. */
export function lastLines({ stdout, stderr }, count = 15) {
  return `${stdout}\n${stderr}`.trim().split("\n").slice(-count).join("\n");
}

/** npm as this machine has it. */
export const npm = process.platform === "win32" ? "npm.cmd" : "npm";
