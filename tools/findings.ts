// Runs a finding: npm run findings -- NAME
// CI leaves them out: they download packages, and fail when a tool of another project changes.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runInForeground } from "./support/process";
import { SetupError } from "./support/progress";
import { root } from "./support/repository";

export async function main(): Promise<void> {
  const name = process.argv[2];
  const script = join(root, "findings", `${name}.sh`);
  if (!existsSync(script))
    throw new SetupError("Name a finding of findings/README.md: npm run findings -- NAME");
  process.exitCode = await runInForeground("bash", [script]);
  if (process.exitCode === 0) console.log(`${name}: unchanged`);
}
