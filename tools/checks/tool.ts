import { join } from "node:path";
import { type Result, run } from "../support/process";
import { root } from "../support/repository";

export interface CheckResult extends Result {
  /** The text to print beside the name of the check. */
  readonly note?: string;
}

/** The result of a check that lists problems. */
export function resultOf(problems: readonly string[], note = ""): CheckResult {
  return { code: problems.length === 0 ? 0 : 1, stdout: problems.join("\n"), stderr: "", note };
}

/** Runs a tool from the dependencies. */
export function tool(name: string, ...args: string[]): Promise<Result> {
  return run(join(root, "node_modules", ".bin", name), args, { cwd: root });
}
