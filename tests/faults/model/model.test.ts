import fc from "fast-check";
import { ADAPTER } from "../../support/adapters/adapter";
import { reached } from "./invariants";
import { regressions } from "./regressions";
import { runScenario } from "./run";
import { type Scenario, scenario, seed } from "./scenario";
import { type Server, startServer } from "./server";

/**
 * Random programs, updates, drift, faults, crashes and retries. CLOUDDB_MODEL_RUNS sets how many; a failing scenario is
 * shrunk and printed as data, and CLOUDDB_MODEL_SCENARIO runs it again.
 */
const PROJECT = { dynamic: "faults", native: "native-faults" }[ADAPTER];
const RUNS = Number(process.env.CLOUDDB_MODEL_RUNS ?? 200);

const SEED = process.env.CLOUDDB_MODEL_SEED;
/** Each way to fail and to recover: an invariant proves nothing about a situation that no scenario reaches. */
const SOMETIMES = [
  "a crash of the engine",
  "a crash of the plugin",
  "a lost service was found",
  "a creation was not carried out",
  "CDB3003", // no response
  "CDB3004", // a retry
  "CDB3008", // a wait for the rate limit
  "CDB3010", // a response that is not the API's
  "CDB3011", // a response with another type
  "CDB4001", // an uncertain creation
  "CDB4003", // a creation that needs more requests
  "CDB4011", // a service that the journal knows
  "CDB4012", // a creation that the journal refuses
];

let server: Server;
beforeAll(async () => {
  server = await startServer(seed);
});
afterAll(() => server.close());

test(
  `${RUNS} random scenarios keep the invariants`,
  async () => {
    const replayed = process.env.CLOUDDB_MODEL_SCENARIO;
    if (replayed !== undefined) return runScenario(JSON.parse(replayed) as Scenario, server);
    const details = await fc.check(
      fc.asyncProperty(scenario, (item) => runScenario(item, server)),
      { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) },
    );
    if (!details.failed) return;
    const shortest = JSON.stringify(details.counterexample?.[0]);
    const replay = `CLOUDDB_MODEL_SCENARIO='${shortest}' npx jest --selectProjects=${PROJECT} --testPathPatterns tests/faults/model`;
    throw new Error(`seed ${details.seed}, after ${details.numRuns} scenarios: ${details.errorInstance}\n${replay}`);
  },
  24 * 3600_000,
);

test("each way to fail and to recover was reached", () => {
  // Fewer runs may miss one.
  if (process.env.CLOUDDB_MODEL_SCENARIO !== undefined || RUNS < 200) return;
  expect(SOMETIMES.filter((name) => !reached.has(name))).toEqual([]);
});

test.each(Object.entries(regressions))("%s", (_, item) => runScenario(item, server));
