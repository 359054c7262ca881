import { ensureBuild } from "../setup/build";
import { ensureEngine } from "../setup/engine";
import { withEngine, withoutAccount } from "../support/environment";
import { runInForeground } from "../support/process";
import { root } from "../support/repository";

/** Runs jest, with a Pulumi engine on PATH for the projects that need one; returns its exit code. */
export async function jest(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<number> {
  await ensureBuild();
  const env = needsEngine(args) ? withEngine(await ensureEngine()) : withoutAccount();
  const command = [require.resolve("jest/bin/jest"), ...args];
  return runInForeground(process.execPath, command, { cwd: root, env: { ...env, ...variables } });
}

/** The tests of installed packages run programs. */
function needsEngine(args: readonly string[]): boolean {
  const { projects } = require("../../jest.config.cjs") as { projects: readonly { displayName: string }[] };
  const words = args.flatMap((text) => text.split("="));
  const chosen = projects.filter(({ displayName }) => words.includes(displayName));
  return chosen.length === 0 || chosen.some((project) => "globalSetup" in project);
}
