// Many random worlds: `npm run worlds` tells 100,000 of them, `npm run worlds 500` so many, `npm run worlds 500 1` in
// one process at a time.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { root } from "./setup/root.mjs";

/** Small enough that a failure is heard of soon, and large enough that starting costs nothing. */
const PIECE = 1000;
const [count = "100000", atATime = String(availableParallelism())] = process.argv.slice(2);
const jest = createRequire(import.meta.url).resolve("jest/bin/jest");

let left = Number(count);
let done = 0;

/** One piece in a process of its own; true where all its worlds kept the promises. */
function told(worlds) {
  const child = spawn(process.execPath, [jest, "--selectProjects=faults", "--testPathPatterns", "tests/worlds/"], {
    cwd: root,
    env: { ...process.env, CLOUDDB_WORLDS: String(worlds) },
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => output.push(text));
  return new Promise((resolve) => {
    child.on("close", (code) => {
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

async function work() {
  while (left > 0) {
    const worlds = Math.min(PIECE, left);
    left -= worlds;
    const startedAt = performance.now();
    if (!(await told(worlds))) {
      left = 0;
      process.exitCode = 1;
      return;
    }
    done += worlds;
    const each = Math.round((performance.now() - startedAt) / worlds);
    console.log(`${done} of ${count} worlds keep the promises (${each} ms each)`);
  }
}

await Promise.all(Array.from({ length: Number(atATime) }, work));
