// Prepares everything that commands need: dependencies, build and Pulumi engine (`npm run setup`).
import { ensureAll } from "./setup/engine";

export async function main(): Promise<void> {
  process.stderr.write(`Ready. Pulumi engine: ${await ensureAll()}\n`);
}
