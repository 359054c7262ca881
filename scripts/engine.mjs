// Prints the folder to put on PATH for a Pulumi engine, and makes it where there is none.
import { ensureDependencies } from "./setup/dependencies.mjs";
import { ensureEngine } from "./setup/engine.mjs";
import { runMain } from "./setup/report.mjs";

await runMain(async () => {
  await ensureDependencies();
  console.log(await ensureEngine());
});
