import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { SIGNATURE } from "../../facts";
import exampleSeed from "../../simulator/seeds/example.json";
import { startProcess } from "../contract/support";
import { type Api, createApi } from "../faults/model/api";
import { seed } from "../faults/model/scenario";
import { type Server, startServer } from "../faults/model/server";
import { ADAPTER, type Properties } from "../support/adapters/handlers";
import { handlersAt, type StateResource } from "../support/engine/state";
import {
  codesIn,
  type History,
  history,
  type Observation,
  type ResolvedStep,
  type Step,
} from "./history";
import { makeProject, runOnEngine } from "./on-engine";
import { createTwin } from "./on-twin";

/**
 * The twin of Pulumi's engine, held against the engine: random histories run in both, and after
 * each command everything has to be equal. CLOUDDB_TWIN_RUNS and CLOUDDB_TWIN_SEED replace the
 * default number and the first seed.
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
  "a random history has the same result in the twin and on the engine",
  async () => {
    const differences: string[] = [];
    for (let run = 0; run < Number(CLOUDDB_TWIN_RUNS); run += 1) {
      const seed = Number(CLOUDDB_TWIN_SEED) + run;
      const [drawn] = fc.sample(history, { seed, numRuns: 1 });
      const difference = drawn && (await compare(drawn));
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
      const { output, ...engine } = seen[index] as Observation;
      const twin = observations[index] as Observation;
      const [expected, current] = [normalize(engine, ids[0]), normalize(twin, ids[1])].map(
        ({ requests, operations, ...each }, _, [stored]) => ({
          ...each,
          state: withSecretsOf(stored?.state, each.state),
          ...((drawn.parallel === 1 || step.isPreview) && { requests, operations }),
        }),
      );
      if (!isDeepStrictEqual(expected, current))
        return `command ${index + 1}: ${describeDifference(expected, current)}\n${JSON.stringify(step)}\n${output}`;
    }
    return undefined;
  } finally {
    rmSync(journals, { recursive: true });
  }
}

function describeDifference(expected: unknown, current: unknown): string {
  try {
    expect(current).toEqual(expected);
    return "equal but for undefined";
  } catch (error) {
    return (error as Error).message;
  }
}

/** Runs a history in the twin, and at its end a preview of the first stack. */
async function runOnTwin(
  api: Api,
  { parallel, order, steps: drawn }: History,
  environment: Readonly<Record<string, string>>,
): Promise<{ steps: ResolvedStep[]; observations: Observation[] }> {
  const { server } = api;
  await api.reset(false);
  const twin = createTwin(api);
  const steps: ResolvedStep[] = [];
  const observations: Observation[] = [];

  async function run(drawnStep: Step, isPreview: boolean): Promise<void> {
    const stack = twin.stackOf(drawnStep);
    const step = twin.resolve(drawnStep, isPreview, parallel);
    steps.push(step);
    if (step.edit) await server.change(...step.edit);
    server.received();
    api.begin(stack.name);
    const process = startProcess(server, environment);
    const fault = isPreview ? undefined : step.fault;
    const disturbance = { seed: order, fault };
    const handlersFor = (urn: string) => handlersAt(process, urn);
    const { result, hasFailed } = await twin.run(stack, step, disturbance, handlersFor);
    observations.push({
      hasFailed,
      operations: result.operations.map(({ urn, name }) => `${urn} ${name}`),
      requests: server.received(),
      codes: codesIn([...process.messages, ...result.errors].join("\n")),
      state: stack.resources.map(({ dependencies, serviceFrom, ...resource }) => resource),
      services: server.organization().services,
    });
  }

  for (const step of drawn) await run(step, false);
  await run({ ...PREVIEW, resources: {} } as Step, true);
  return { steps, observations };
}

const PREVIEW = { stack: "dev", command: "up", continuesOnError: false };

const KNOWN = JSON.stringify(exampleSeed);
const SECRET = "[secret]";
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const HOST = /[0-9a-f]{8}(?=\.db\.example\.com)/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const withoutGenerated = (value: unknown) =>
  [ID, HOST, TIME].reduce((text, kind) => text.replace(kind, ""), JSON.stringify(value));

/**
 * The observation with placeholders for generated values and times; `ids` numbers the IDs of one
 * run.
 */
function normalize(observation: Observation, ids: Map<string, string>): Observation {
  const { operations, state, services, ...rest } = observation;
  const place = ({ urn, isToDelete }: Partial<StateResource>) => `${urn} ${isToDelete === true}`;
  const sorted = {
    // The state numbers the IDs: with several steps at a time, requests have no certain order.
    state: [...state].map(withoutDefaults).sort((a, b) => place(a).localeCompare(place(b))),
    services: [...services].sort((a, b) => withoutGenerated(a).localeCompare(withoutGenerated(b))),
    operations: [...operations].sort(),
    ...rest,
  };
  const text = JSON.stringify(sorted)
    .replace(ID, (id) => {
      if (KNOWN.includes(id)) return id;
      ids.set(id, ids.get(id) ?? `<id ${ids.size + 1}>`);
      return ids.get(id) ?? id;
    })
    .replace(HOST, "<host>")
    .replace(TIME, "<time>");
  return JSON.parse(text);
}

function withoutDefaults(resource: Partial<StateResource>): Partial<StateResource> {
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => value));
}

/**
 * The value with a placeholder wherever the other one, which an engine has stored, is encrypted.
 */
function withSecretsOf(stored: unknown, value: unknown): unknown {
  if (typeof stored !== "object" || stored === null) return value;
  if (SIGNATURE in stored) return value === undefined ? value : SECRET;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => withSecretsOf((stored as unknown[])[index], item));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      withSecretsOf((stored as Properties)[name], item),
    ]),
  );
}
