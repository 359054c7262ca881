import fc from "fast-check";
import { kept } from "./kept";
import { type Server, startServer } from "./server";
import { type Story, seed, story } from "./story";
import { tell } from "./world";

/**
 * Random programs, changes, drift, faults, crashes and retries. CLOUDDB_WORLDS sets how many; a story that fails is
 * printed as data, shortened, and CLOUDDB_WORLD tells it again.
 */
const RUNS = Number(process.env.CLOUDDB_WORLDS ?? 200);

let server: Server;
beforeAll(async () => {
  server = await startServer(seed);
});
afterAll(() => server.close());

test(
  `${RUNS} worlds keep the promises`,
  async () => {
    const again = process.env.CLOUDDB_WORLD;
    if (again !== undefined) return tell(JSON.parse(again) as Story, server);
    const details = await fc.check(
      fc.asyncProperty(story, (each) => tell(each, server)),
      { numRuns: RUNS },
    );
    if (!details.failed) return;
    const shortest = JSON.stringify(details.counterexample?.[0]);
    const replay = `CLOUDDB_WORLD='${shortest}' npx jest --selectProjects=faults --testPathPatterns tests/worlds`;
    throw new Error(`seed ${details.seed}, after ${details.numRuns} worlds: ${details.errorInstance}\n${replay}`);
  },
  24 * 3600_000,
);

test.each(Object.entries(kept))("%s", (_, each) => tell(each, server));
