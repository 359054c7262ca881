import fc from "fast-check";
import { resources } from "../../../provider/resources/index";
import { ADAPTER } from "../../support/adapters/adapter";
import { regressions } from "./regressions";
import { runScenario } from "./run";
import { type Scenario, scenario, seed } from "./scenario";
import { type Server, startServer } from "./server";
import { coveredTypes } from "./slots";

/**
 * Random programs, updates, drift, faults, crashes and retries. CLOUDDB_MODEL_RUNS sets how many; a failing scenario is
 * shrunk and printed as data, and CLOUDDB_MODEL_SCENARIO runs it again.
 */
const PROJECT = { dynamic: "faults", native: "native-faults" }[ADAPTER];
const RUNS = Number(process.env.CLOUDDB_MODEL_RUNS ?? 200);

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
      { numRuns: RUNS },
    );
    if (!details.failed) return;
    const shortest = JSON.stringify(details.counterexample?.[0]);
    const replay = `CLOUDDB_MODEL_SCENARIO='${shortest}' npx jest --selectProjects=${PROJECT} --testPathPatterns tests/faults/model`;
    throw new Error(`seed ${details.seed}, after ${details.numRuns} scenarios: ${details.errorInstance}\n${replay}`);
  },
  24 * 3600_000,
);

test.each(Object.entries(regressions))("%s", (_, item) => runScenario(item, server));

test("every resource type is in the model", () => {
  const covered = new Set([...coveredTypes].map(({ definition }) => definition));
  const missing = Object.entries(resources).filter(([, { definition }]) => !covered.has(definition));
  expect(missing.map(([name]) => name)).toEqual([]);
});
