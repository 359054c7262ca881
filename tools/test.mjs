// Runs jest with a Pulumi engine on PATH. Without arguments: `npm test`, the tests that run in a few minutes.
import { createRequire } from "node:module";
import { ensureAll } from "./setup/all.mjs";
import { run } from "./setup/command.mjs";
import { withEngine } from "./setup/engine.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

await runMain(async () => {
  const engine = await ensureAll();
  const jest = createRequire(import.meta.url).resolve("jest/bin/jest");
  const given = process.argv.slice(2);
  const args = given.length > 0 ? given : ["--selectProjects", "unit", "engine"];
  // A Ctrl-C reaches jest itself; this process waits for it to clean up.
  process.on("SIGINT", () => {});
  const options = { cwd: root, env: withEngine(engine), stdio: "inherit" };
  process.exitCode = (await run(process.execPath, [jest, ...args], options)).code;
});
