import { basename, resolve } from "node:path";
import { lastLines, type Result, run } from "../support/process";
import { during } from "../support/progress";

/** Downloads a module and returns its folder. */
export async function goModule(module: string, cwd: string): Promise<string> {
  const { stdout } = await go(`Downloading ${module}`, cwd, ["mod", "download", "-json", module]);
  return JSON.parse(stdout).Dir;
}

/** Builds a program from a module, with the dependencies in its go.mod and go.sum. */
export function goBuild(
  program: string,
  module: string,
  bin: string,
  linkerFlags = "",
): Promise<Result> {
  const args = [
    "build",
    "-mod=readonly",
    "-trimpath",
    "-ldflags",
    `-s -w ${linkerFlags}`,
    "-o",
    bin,
    program,
  ];
  return go(
    `Building ${basename(resolve(module, program))} (a few minutes, only once)`,
    module,
    args,
  );
}

/** Runs Go. Throws the reason of a failure. */
export async function go(activity: string, cwd: string, args: readonly string[]): Promise<Result> {
  // Sets PWD, because Go would otherwise resolve the symbolic link to the module.
  const env = { ...process.env, PWD: cwd, CGO_ENABLED: "0" };
  const result = await during(activity, () => run("go", args, { cwd, env }));
  if (result.code === 0) return result;
  throw new Error(
    result.code === 127 ? "Go is not installed." : `go ${args[0]} failed:\n${lastLines(result)}`,
  );
}
