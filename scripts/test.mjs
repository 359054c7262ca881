// Runs the tests, the ones on the real engine included; what takes long has commands of its own: `npm run faults`,
// `npm run review`, `npm run programs` and `npm run crashes`.
// Arguments go on to jest.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { ensureAll } from "./setup/all.mjs";
import { withEngine } from "./setup/engine.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

await runMain(async () => {
  const engine = await ensureAll();
  const jest = createRequire(import.meta.url).resolve("jest/bin/jest");
  const given = process.argv.slice(2);
  const args = given.length > 0 ? given : ["--selectProjects", "unit", "engine"];
  const child = spawn(process.execPath, [jest, ...args], {
    cwd: root,
    env: withEngine(engine),
    stdio: "inherit",
  });
  // A Ctrl-C reaches jest by itself; this process waits for it to clean up.
  process.on("SIGINT", () => {});
  process.exitCode = await new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
});
