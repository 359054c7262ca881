import fc from "fast-check";
import { ADAPTER } from "../../support/adapters/handlers";
import { redisCommands, seed } from "./accounts";
import { type Api, createApi } from "./api";
import { matrixOf, type PairHistory, pairHistory, pairsWith } from "./features";
import { runPairs } from "./pairs";
import { startServer } from "./server";

jest.mock("../../../provider/core/journal/redis-connection", () => ({
  redisCommands: () => redisCommands(),
}));

/**
 * Random histories in which features meet. CLOUDDB_PAIRS_RUNS and CLOUDDB_PAIRS_SEED replace the
 * default number and the first seed; with ENOUGH histories, no possible pair may be missing.
 */
const { CLOUDDB_PAIRS_RUNS = "10", CLOUDDB_PAIRS_SEED = "1" } = process.env;
const ENOUGH = 2000;
const PATIENCE_MS = 24 * 3600_000;

let api: Api;
beforeAll(async () => {
  api = createApi(await startServer(seed));
});
afterAll(() => api.server.close());

test(
  "features that meet in random histories keep the invariants",
  async () => {
    const counts = new Map<string, number>();
    const problems: string[] = [];
    for (let run = 0; run < Number(CLOUDDB_PAIRS_RUNS); run += 1) {
      const seed = Number(CLOUDDB_PAIRS_SEED) + run;
      const [drawn] = fc.sample(pairHistory, { seed, numRuns: 1 }) as [PairHistory];
      try {
        for (const pair of await runPairs(api, drawn))
          counts.set(pair, (counts.get(pair) ?? 0) + 1);
      } catch (error) {
        problems.push(`seed ${seed} (${ADAPTER}): ${(error as Error).message}`);
      }
    }
    process.stderr.write(`${matrixOf(counts)}\n`);
    expect(problems).toEqual([]);
    const missing = pairsWith(ADAPTER).filter((pair) => !counts.has(pair));
    if (Number(CLOUDDB_PAIRS_RUNS) >= ENOUGH) expect(missing).toEqual([]);
  },
  PATIENCE_MS,
);
