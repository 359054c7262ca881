// Sets up this checkout: dependencies, build and Pulumi engine (`npm run setup`).
//   build    only builds the packages, and regenerates the files that are made from the field tables
//   engine   prints the folder of the Pulumi engine, to put on PATH; installs one if there is none. With --languages,
//            also those of its language hosts that it lacks: YAML, Python and Go
import { ensureAll } from "./setup/all.mjs";
import { build } from "./setup/build.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { ensureEngine } from "./setup/engine.mjs";
import { ensureLanguageHosts } from "./setup/languages.mjs";
import { runMain } from "./setup/report.mjs";

await runMain(async () => {
  const [only, ...flags] = process.argv.slice(2);
  if (only === undefined) return void process.stderr.write(`Ready. Pulumi engine: ${await ensureAll()}\n`);
  await ensureDependencies();
  if (only === "build") return build();
  const engine = await ensureEngine();
  if (flags.includes("--languages")) {
    for (const reason of Object.values(await ensureLanguageHosts(engine))) process.stderr.write(`${reason}\n`);
  }
  console.log(engine);
});
