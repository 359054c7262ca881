import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type Api, createApi } from "../faults/model/api";
import { seed } from "../faults/model/scenario";
import { type Server, startServer } from "../faults/model/server";
import { ADAPTER } from "../support/adapters/adapter";
import { type History, history } from "./history";
import { normalize, type Observation, withSecretsOf } from "./observation";
import { makeProject, runOnEngine } from "./on-engine";
import { runOnTwin } from "./on-twin";

/**
 * The twin of Pulumi's engine, held against the engine: random histories run in both, and after each command everything
 * has to be equal. CLOUDDB_TWIN_RUNS and CLOUDDB_TWIN_SEED replace the default number and the first seed.
 */
const { CLOUDDB_TWIN_RUNS = "3", CLOUDDB_TWIN_SEED = String(Date.now() % 1_000_000) } = process.env;

const PATIENCE_MS = 24 * 3600_000;

let server: Server;
let twinServer: Server;
let api: Api;
let project: string;
beforeAll(async () => {
  [server, twinServer] = [await startServer(seed), await startServer(seed)];
  api = createApi(twinServer);
  project = await makeProject(server);
}, PATIENCE_MS);
afterAll(async () => {
  await server.close();
  await twinServer.close();
});

test(
  "a random history does in the twin what it does on the engine",
  async () => {
    const differences: string[] = [];
    for (let run = 0; run < Number(CLOUDDB_TWIN_RUNS); run += 1) {
      const seed = Number(CLOUDDB_TWIN_SEED) + run;
      const [drawn = []] = fc.sample(history, { seed, numRuns: 1 });
      const difference = await compare(drawn);
      if (difference) differences.push(`seed ${seed} (${ADAPTER}): ${difference}`);
      if (difference) process.stderr.write(`${differences.at(-1)}\n`);
    }
    expect(differences).toEqual([]);
  },
  PATIENCE_MS,
);

/** The first difference between the twin and the engine. */
async function compare(drawn: History): Promise<string | undefined> {
  const journals = mkdtempSync(join(tmpdir(), "clouddb-twin-"));
  const environment = (name: string) => ({
    CLOUDDB_MAX_RETRIES: "1",
    CLOUDDB_JOURNAL: join(journals, name),
  });
  try {
    const { steps, observations } = await runOnTwin(api, drawn, environment("twin"));
    const seen = await runOnEngine(server, project, steps, environment("engine"));
    const ids = [new Map<string, string>(), new Map<string, string>()] as const;
    for (const [index, step] of steps.entries()) {
      const engine = seen[index] as Observation;
      const twin = { ...(observations[index] as Observation) };
      const [expected, current] = [normalize(engine, ids[0]), normalize(twin, ids[1])].map(
        (each, _, [stored]) => ({ ...each, state: withSecretsOf(stored?.state, each.state) }),
      );
      if (!isDeepStrictEqual(expected, current))
        return `command ${index + 1}: ${describe_(expected, current)}\n${JSON.stringify(step)}`;
    }
    return undefined;
  } finally {
    rmSync(journals, { recursive: true });
  }
}

function describe_(expected: unknown, current: unknown): string {
  try {
    expect(current).toEqual(expected);
    return "equal but for undefined";
  } catch (error) {
    return (error as Error).message;
  }
}
