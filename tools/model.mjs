// Runs many random scenarios, half of them with each adapter: `npm run model` runs 100,000, `npm run model 500` that
// many, `npm run model 500 1` in one process at a time.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { root } from "./setup/root.mjs";

/** Small enough to report a failure soon, and large enough for the start-up to cost nothing. */
const BATCH = 1000;
/** The jest project of each adapter. */
const PROJECTS = ["faults", "native-faults"];
const [count = "100000", processes = String(availableParallelism())] = process.argv.slice(2);
const jest = createRequire(import.meta.url).resolve("jest/bin/jest");

const batches = PROJECTS.flatMap((project) => {
  const size = Math.ceil(Number(count) / PROJECTS.length);
  const sizes = Array.from({ length: Math.ceil(size / BATCH) }, (_, index) => Math.min(BATCH, size - index * BATCH));
  return sizes.map((each) => ({ project, size: each }));
});
let done = 0;

/** Runs a batch in its own process; true if all its scenarios keep the invariants. */
function runBatch({ project, size }) {
  const child = spawn(process.execPath, [jest, `--selectProjects=${project}`, "--testPathPatterns", "tests/model/"], {
    cwd: root,
    env: { ...process.env, CLOUDDB_MODEL_RUNS: String(size) },
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
  for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
    const startedAt = performance.now();
    if (!(await runBatch(batch))) {
      batches.length = 0;
      process.exitCode = 1;
      return;
    }
    done += batch.size;
    const each = Math.round((performance.now() - startedAt) / batch.size);
    console.log(`${done} of ${count} scenarios keep the invariants (${each} ms each)`);
  }
}

await Promise.all(Array.from({ length: Number(processes) }, work));
