import { availableParallelism } from "node:os";
import { run } from "../support/process";
import { root } from "../support/repository";

/** Small enough to report a failure soon, and large enough for the start-up to cost nothing. */
const BATCH = 1000;
/** The jest project of each adapter. */
const PROJECTS = ["faults", "native-faults"];

interface Batch {
  readonly project: string;
  readonly size: number;
  readonly seed: number;
}

/**
 * Runs random scenarios, half of them with each adapter: as many as the first argument says, in so many processes at a
 * time, with the seeds from the third on. Returns an exit code.
 */
export async function runModel(args: readonly string[]): Promise<number> {
  const [count = "5000", processes = String(availableParallelism()), seed = String(Date.now() % 1e9)] = args;
  const batches = PROJECTS.flatMap((project) => {
    const size = Math.ceil(Number(count) / PROJECTS.length);
    const sizes = Array.from({ length: Math.ceil(size / BATCH) }, (_, index) => Math.min(BATCH, size - index * BATCH));
    return sizes.map((each) => ({ project, size: each }));
  }).map((batch, index): Batch => ({ ...batch, seed: Number(seed) + index }));
  console.log(`Seeds ${seed} to ${Number(seed) + batches.length - 1}`);
  let code = 0;
  let done = 0;
  const work = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const startedAt = performance.now();
      if (!(await runBatch(batch))) {
        batches.length = 0;
        code = 1;
        return;
      }
      done += batch.size;
      const each = Math.round((performance.now() - startedAt) / batch.size);
      console.log(`${done} of ${count} scenarios keep the invariants (${each} ms each)`);
    }
  };
  await Promise.all(Array.from({ length: Number(processes) }, work));
  return code;
}

/** Runs a batch in its own process; true if all its scenarios keep the invariants. */
async function runBatch({ project, size, seed }: Batch): Promise<boolean> {
  const jest = require.resolve("jest/bin/jest");
  const args = [jest, `--selectProjects=${project}`, "--testPathPatterns", "tests/faults/model/"];
  const env = { ...process.env, CLOUDDB_MODEL_RUNS: String(size), CLOUDDB_MODEL_SEED: String(seed) };
  const { code, stdout, stderr } = await run(process.execPath, args, { cwd: root, env });
  if (code !== 0) process.stdout.write(stdout + stderr);
  return code === 0;
}
