// Sets up this checkout: dependencies, build and Pulumi engine (`npm run setup`).
//   build    only builds the packages, and regenerates the files that are made from the field tables
//   engine   prints the folder of the Pulumi engine, to put on PATH; installs one if there is none
import { ensureAll } from "./setup/all.mjs";
import { build } from "./setup/build.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { ensureEngine } from "./setup/engine.mjs";
import { runMain } from "./setup/report.mjs";

await runMain(async () => {
  const [only] = process.argv.slice(2);
  if (only === undefined) return void process.stderr.write(`Ready. Pulumi engine: ${await ensureAll()}\n`);
  await ensureDependencies();
  if (only === "build") await build();
  else console.log(await ensureEngine());
});
