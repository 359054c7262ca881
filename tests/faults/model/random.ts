import fc from "fast-check";
import { ADAPTER } from "../../support/adapters/adapter";

/**
 * Random tests. CLOUDDB_MODEL_RUNS and CLOUDDB_MODEL_SEED replace the default number and seed.
 * A failing item is shrunk and printed as data, which the variable of the test runs again.
 */
export function randomly(variable: string, number: number, defaultSeed?: string) {
  const { CLOUDDB_MODEL_RUNS, CLOUDDB_MODEL_SEED = defaultSeed, [variable]: replayed } = process.env;
  const runs = Number(CLOUDDB_MODEL_RUNS ?? number);
  return {
    runs,
    isReplay: replayed !== undefined,
    async check<Item>(items: fc.Arbitrary<Item>, run: (item: Item) => Promise<void>): Promise<void> {
      if (replayed !== undefined) return run(JSON.parse(replayed) as Item);
      const details = await fc.check(fc.asyncProperty(items, run), {
        numRuns: runs,
        ...(CLOUDDB_MODEL_SEED !== undefined && { seed: Number(CLOUDDB_MODEL_SEED) }),
      });
      if (!details.failed) return;
      const project = { dynamic: "faults", native: "native-faults" }[ADAPTER];
      const command = `npx jest --selectProjects=${project} --testPathPatterns tests/faults/model`;
      const replay = `${variable}='${JSON.stringify(details.counterexample?.[0])}' ${command}`;
      throw new Error(`seed ${details.seed}, after ${details.numRuns} runs: ${details.errorInstance}\n${replay}`);
    },
  };
}
