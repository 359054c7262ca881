import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "../../../support/root";

const COMMAND = join(root, "report/dist/cli.js");
/** The time after which a command counts as hanging, and is ended. */
const PATIENCE_MS = 120_000;

export interface Run {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the built command, with these environment variables only. */
export async function runCli({ args, env = {}, input = "" }: Run) {
  const child = spawn(process.execPath, [COMMAND, ...args], { env, timeout: PATIENCE_MS, killSignal: "SIGKILL" });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  }
  // A command may end without reading all of it.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  return { status, ...said };
}
