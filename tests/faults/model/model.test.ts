import fc from "fast-check";
import { ADAPTER } from "../../support/adapters/handlers";
import { type Api, createApi } from "./api";
import { type History, history, type StepSpec } from "./history";
import regressions from "./regressions.json";
import { runHistory } from "./run";
import { scenario, seed } from "./scenario";
import { startServer } from "./server";
import { reached } from "./values";

/**
 * Random programs, changes, faults, crashes and retries. CLOUDDB_MODEL_RUNS and CLOUDDB_MODEL_SEED
 * replace the default number and seed. A failing history is shrunk and printed as data, which
 * CLOUDDB_MODEL_HISTORY runs again.
 */
const { CLOUDDB_MODEL_RUNS, CLOUDDB_MODEL_SEED, CLOUDDB_MODEL_HISTORY } = process.env;

/**
 * The situations to reach: an invariant proves nothing about a situation that no history reaches.
 */
const SITUATIONS = [
  "an up",
  "an up that died",
  "an up that failed",
  "a refresh",
  "a preview",
  "a private endpoint that stays",
  "an entry that stays after a failure, or from the list of a Service",
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

let api: Api;
beforeAll(async () => {
  api = createApi(await startServer(seed));
});
afterAll(() => api.server.close());

/** Without a journal, users look for what a crash has left. */
async function runBoth(item: History): Promise<void> {
  await runHistory(item, api, false);
  await runHistory(item, api);
}

async function check(
  items: fc.Arbitrary<History>,
  numRuns: number,
  run: (item: History) => Promise<void>,
  first?: number,
) {
  const seed = CLOUDDB_MODEL_SEED ?? first;
  const details = await fc.check(fc.asyncProperty(items, run), {
    numRuns: Number(CLOUDDB_MODEL_RUNS ?? numRuns),
    ...(seed !== undefined && { seed: Number(seed) }),
  });
  if (!details.failed) return;
  const project = { dynamic: "faults", native: "native-faults" }[ADAPTER];
  const command = `npx jest --selectProjects=${project} --testPathPatterns tests/faults/model`;
  const replay = `CLOUDDB_MODEL_HISTORY='${JSON.stringify(details.counterexample?.[0])}' ${command}`;
  throw new Error(
    `seed ${details.seed}, after ${details.numRuns} runs: ${details.errorInstance}\n${replay}`,
  );
}

/** Enough for each situation. */
const RUNS = 200;
const PATIENCE_MS = 24 * 3600_000;

if (CLOUDDB_MODEL_HISTORY === undefined) {
  test(
    "random histories of a resource of every type keep the invariants",
    () => check(scenario, RUNS, runBoth, 1),
    PATIENCE_MS,
  );

  test(
    "random histories of stacks that share services keep the invariants",
    () => check(history, 50, (item) => runHistory(item, api), 1),
    PATIENCE_MS,
  );

  test("random histories reach each known situation", () => {
    // Fewer runs may miss a situation.
    if (Number(CLOUDDB_MODEL_RUNS ?? RUNS) < RUNS) return;
    expect(SITUATIONS.filter((name) => !reached.has(name))).toEqual([]);
  });
} else {
  test("the history of CLOUDDB_MODEL_HISTORY keeps the invariants", () =>
    runBoth(JSON.parse(CLOUDDB_MODEL_HISTORY)));
}

/** Histories that once failed, in a release or in a change to one. */
const regressionRows = Object.entries(regressions as unknown as Record<string, StepSpec[]>).flatMap(
  ([name, steps]) => [false, true].map((addsFirst) => ({ name, steps, addsFirst })),
);
test.each(regressionRows)(
  "a former failure keeps the invariants: $name; the server adds first: $addsFirst",
  ({ steps, addsFirst }) => runBoth({ steps, addsFirst }),
);
