// Builds all packages from nothing.
import { build } from "./setup/build.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { during, runMain } from "./setup/report.mjs";

await runMain(async () => {
  await ensureDependencies();
  await during("building", build);
});
