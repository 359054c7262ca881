// Many random worlds: `npm run worlds` tells 100,000 of them, `npm run worlds 500` so many.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { root } from "./setup/root.mjs";

const [count = "100000"] = process.argv.slice(2);
const jest = createRequire(import.meta.url).resolve("jest/bin/jest");
const child = spawn(process.execPath, [jest, "--selectProjects=unit", "--testPathPatterns", "tests/worlds/"], {
  cwd: root,
  env: { ...process.env, CLOUDDB_WORLDS: count },
  stdio: "inherit",
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
