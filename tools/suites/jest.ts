import { ensureAll } from "../setup/engine";
import { withEngine } from "../support/environment";
import { runInForeground } from "../support/process";
import { root } from "../support/repository";

/** Runs jest with a Pulumi engine on PATH; returns its exit code. */
export async function jest(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<number> {
  const env = { ...withEngine(await ensureAll()), ...variables };
  return runInForeground(process.execPath, [require.resolve("jest/bin/jest"), ...args], { cwd: root, env });
}
