import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** A test that needs Python, and is skipped without it. */
export const testWithPython: typeof test = spawnSync("python3", ["--version"]).status === 0 ? test : test.skip;

/** The JSON that a script of this folder prints; its input is JSON, too. */
export function runPython(script: string, input: unknown, args: readonly string[] = [], python = "python3"): unknown {
  const command = [join(__dirname, script), ...args];
  const options = { input: JSON.stringify(input), encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  const { status, stdout, stderr } = spawnSync(python, command, options);
  if (status !== 0) throw new Error(`${script} failed: ${stderr}`);
  return JSON.parse(stdout);
}
