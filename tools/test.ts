// Runs jest with a Pulumi engine on PATH. Without arguments: `npm test`, the tests that run in a few minutes.
import { jest } from "./suites/jest";

export async function main(): Promise<void> {
  const args = process.argv.slice(2);
  process.exitCode = await jest(args.length > 0 ? args : ["--selectProjects", "unit", "engine"]);
}
