import { reached } from "./invariants";
import { randomly } from "./random";
import { seed } from "./scenario";
import { type Api, createApi } from "./stacks/api";
import { regressions } from "./stacks/regressions";
import { runHistory } from "./stacks/run";
import { history } from "./stacks/scenario";

/** Random histories of two stacks that share services: several resources of each type, two machines, deaths and faults. */
const { runs, isReplay, check } = randomly("CLOUDDB_MODEL_HISTORY", 50, "1");

/** The situations to reach: an invariant proves nothing about a situation that no history reaches. */
const SOMETIMES = [
  "an up",
  "an up that died",
  "a refresh",
  "a preview",
  "a private endpoint that stays",
  "an entry that stays after a failure, or from the list of a Service",
];

let api: Api;
beforeAll(() => {
  api = createApi(seed);
});
afterAll(() => api.close());

test(
  `${runs} random histories of stacks keep the invariants`,
  () => check(history, (item) => runHistory(item, api)),
  24 * 3600_000,
);

test("each situation was reached", () => {
  // Fewer runs may miss a situation.
  if (isReplay || runs < 50) return;
  expect(SOMETIMES.filter((name) => !reached.has(name))).toEqual([]);
});

test.each(Object.entries(regressions))("%s", (_, item) => runHistory(item, api));
