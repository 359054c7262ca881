import { spawn } from "node:child_process";

/** Runs a command and collects its output. Never throws: a command that does not exist has code 127. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name]?.on("data", (chunk) => {
        output[name] += chunk;
      });
    }
    child.on("error", (error) => resolve({ code: 127, stdout: "", stderr: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, ...output }));
  });
}

/** The end of a failed command's output, which says why it failed. */
export function lastLines({ stdout, stderr }, count = 15) {
  return `${stdout}\n${stderr}`.trim().split("\n").slice(-count).join("\n");
}

const [npm, npx] = ["npm", "npx"].map((name) => (process.platform === "win32" ? `${name}.cmd` : name));

export { npm, npx };
