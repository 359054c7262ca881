// Makes this checkout ready: dependencies, build, Pulumi engine.
import { ensureAll } from "./setup/all.mjs";
import { runMain } from "./setup/report.mjs";

await runMain(async () => {
  const engine = await ensureAll();
  process.stderr.write(`Ready. Pulumi is in ${engine}\n`);
});
