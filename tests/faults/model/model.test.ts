import { reached } from "./invariants";
import { randomly } from "./random";
import { regressions } from "./regressions";
import { runScenario } from "./run";
import { scenario, seed } from "./scenario";
import { type Server, startServer } from "./server";

/** Random programs, updates, drift, faults, crashes and retries. */
const { runs, isReplay, check } = randomly("CLOUDDB_MODEL_SCENARIO", 200);

/** The ways to fail and to recover. An invariant proves nothing about a situation that no scenario reaches. */
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
  `${runs} random scenarios keep the invariants`,
  () => check(scenario, (item) => runScenario(item, server)),
  24 * 3600_000,
);

test("each way to fail and to recover was reached", () => {
  // Fewer runs may miss a situation.
  if (isReplay || runs < 200) return;
  expect(SOMETIMES.filter((name) => !reached.has(name))).toEqual([]);
});

test.each(Object.entries(regressions))("%s", (_, item) => runScenario(item, server));
