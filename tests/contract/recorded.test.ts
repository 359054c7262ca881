import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "../../provider/resources";
import { type FaultEffect, type FaultRule, type RunningSimulator, startSimulator } from "../../simulator/index";
import { ADAPTER } from "../support/adapters/adapter";
import { createTestApi, type TestApi } from "../support/api";
import { EXAMPLE, exampleSeed } from "../support/example";
import { refresh, type Stored, up } from "../support/stack-model";
import { temporaryFolder } from "../support/temporary-folder";
import { createHandlers, type Properties } from "./support";

/**
 * Stacks, half-done operations and journals as the first builds of 0.1.0 wrote them, with each adapter. The next `up`
 * does exactly what it did with those builds. CLOUDDB_RECORD=1 records them.
 */

interface Recording {
  readonly name: string;
  readonly stored?: Stored;
  readonly journal: Record<string, string>;
  readonly server: Properties[];
  /** The result of the next `up`. */
  readonly next: { readonly action: string; readonly code?: string; readonly requests: unknown };
}

interface Situation {
  readonly name: string;
  readonly type: keyof typeof resources;
  readonly args: Properties;
  /** The arguments applied before; `args` are the program's next arguments. */
  readonly before?: Properties;
  readonly faults?: readonly FaultRule[];
  readonly isRefreshed?: boolean;
  /** True if the process died before the stack was stored. */
  readonly isLost?: boolean;
}

const size = { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3, idleTimeoutMinutes: 10 };
const network = { ipAccessList: [{ source: "203.0.113.0/24", description: "office" }, { source: "2001:db8::1" }] };
const created = { name: "created", provider: "aws", region: "us-east-1", ...size, ...network, releaseChannel: "fast" };
const complete = { ...created, encryptionKey: "disk-key", endpoints: [{ protocol: "mysql", enabled: true }] };
const connected = { ...complete, privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] };
const adopted = { existingServiceId: EXAMPLE.service, numReplicas: 4, ipAccessList: [{ source: "198.51.100.7" }] };
const pipe = {
  serviceId: EXAMPLE.service,
  pipeId: EXAMPLE.pipes.kafka,
  name: "all orders",
  source: { kafka: { credentials: { username: "reader", password: "kafka-password" } } },
  settings: { streamingMaxInsertWaitMs: 5000 },
};
const access = {
  serviceId: EXAMPLE.service,
  ipAccessList: [
    { source: "203.0.113.0/24", description: "office" },
    { source: "192.0.2.0/28", description: "jobs" },
  ],
};
const organization = { name: "Renamed", privateEndpoints: [{ id: "vpce-9", description: "nine" }] };
const lost: FaultEffect = { kind: "reset", when: "after" };
const refused: FaultEffect = { kind: "status", status: 400, body: { error: "not now" } };
/** Neither the response nor a later read shows the outcome of the request. */
const lostForever: FaultRule[] = [
  { method: "PATCH", effect: lost },
  { method: "GET", effect: { kind: "reset", when: "before" } },
];

const SITUATIONS: readonly Situation[] = [
  { name: "a service", type: "Service", args: connected },
  { name: "a refreshed service", type: "Service", args: connected, isRefreshed: true },
  {
    name: "a service whose private endpoints were refused",
    type: "Service",
    args: connected,
    faults: [{ method: "PATCH", effect: refused }],
  },
  {
    name: "a service whose scaling was refused",
    type: "Service",
    before: complete,
    args: { ...complete, name: "renamed", numReplicas: 5 },
    faults: [{ path: "replicaScaling", effect: refused }],
  },
  {
    name: "a service with a lost access list",
    type: "Service",
    before: complete,
    args: { ...complete, ipAccessList: [{ source: "192.0.2.1" }] },
    faults: lostForever,
  },
  { name: "an adopted service", type: "Service", args: adopted },
  { name: "a refreshed adopted service", type: "Service", args: adopted, isRefreshed: true },
  {
    name: "a scaling",
    type: "ServiceScaling",
    args: { serviceId: EXAMPLE.service, numReplicas: 4, idleScaling: false },
  },
  { name: "a pipe", type: "Pipe", args: pipe },
  { name: "a refreshed pipe", type: "Pipe", args: pipe, isRefreshed: true },
  {
    name: "a pipe with lost credentials",
    type: "Pipe",
    before: pipe,
    args: { ...pipe, source: { kafka: { credentials: { username: "reader", password: "next-password" } } } },
    faults: lostForever,
  },
  { name: "an organization", type: "Organization", args: organization },
  {
    name: "an organization with a lost update",
    type: "Organization",
    before: organization,
    args: { ...organization, privateEndpoints: [{ id: "vpce-10" }] },
    faults: lostForever,
  },
  { name: "shared access", type: "ServiceAccess", args: access },
  { name: "refreshed shared access", type: "ServiceAccess", args: access, isRefreshed: true },
  {
    name: "shared access with a lost update",
    type: "ServiceAccess",
    before: access,
    args: { ...access, ipAccessList: [{ source: "192.0.2.16/28" }] },
    faults: lostForever,
  },
  { name: "a creation that the stack has not stored", type: "Service", args: complete, isLost: true },
  {
    name: "a creation without a response",
    type: "Service",
    args: complete,
    faults: [{ method: "POST", effect: lost }],
  },
];

/** Records name the API's address, so it is always the same. */
const PORT = { dynamic: 21_753, native: 21_754 }[ADAPTER];
const file = join(__dirname, "recorded", `${ADAPTER}.json`);
const isRecording = process.env.CLOUDDB_RECORD !== undefined;
const recordings: Recording[] = isRecording ? [] : JSON.parse(readFileSync(file, "utf8"));

let simulator: RunningSimulator;
let api: TestApi;
let folder: string;

beforeAll(async () => {
  simulator = await startSimulator({ port: PORT, keyId: "recorded-key", keySecret: "recorded-secret" });
  api = createTestApi(simulator);
});
afterAll(async () => {
  await simulator.close();
  if (isRecording) writeFileSync(file, `${JSON.stringify(recordings, null, 2)}\n`);
});

/** Restarts the server's state, with the services that a recording knows. */
async function seedServer(services: readonly Properties[] = []): Promise<void> {
  const [organization, ...others] = exampleSeed.organizations ?? [];
  const tier = "ENTERPRISE";
  const known = [...(organization?.services ?? []), ...services];
  const seed = { ...exampleSeed, organizations: [{ ...organization, tier, services: known }, ...others] };
  const body = JSON.stringify(seed);
  const headers = { "content-type": "application/json" };
  expect((await fetch(`${simulator.baseUrl}/__admin/seed`, { method: "PUT", headers, body })).status).toBe(200);
  await api.requests();
}

/** A new process of the adapter, as for another command. */
function handlersOf(type: Situation["type"]) {
  const server = { ...simulator, organizationId: exampleSeed.organizations?.[0]?.id ?? "" };
  const environment = { CLOUDDB_JOURNAL: folder, PULUMI_BACKEND_URL: "s3://states" };
  return createHandlers(resources[type].definition, server, environment);
}

async function record({ name, type, args, before, faults = [], isRefreshed, isLost }: Situation): Promise<Recording> {
  await seedServer();
  folder = join(temporaryFolder("recorded"), "records");
  const handlers = handlersOf(type);
  let stored = before && (await up(handlers, undefined, before)).stored;
  await api.faults(...faults);
  stored = (await up(handlers, stored, args)).stored;
  await api.faults();
  if (isRefreshed && stored) stored = (await refresh(handlers, stored)).stored;
  const records = existsSync(folder) ? readdirSync(folder) : [];
  const journal = Object.fromEntries(records.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const example = new Set<unknown>(Object.values(EXAMPLE));
  const { privateEndpointIds: _, ...create } = (before ?? args) as Properties;
  const known = await api.services();
  const server = known.filter(({ id }) => !example.has(id)).map(({ id }) => ({ id, create }));
  const partial = { name, ...(stored && !isLost && { stored }), journal, server };
  return { ...partial, next: await next(type, args, partial) };
}

/** The next `up` with a recorded stack. */
async function next(type: Situation["type"], args: Properties, { stored, journal, server }: Omit<Recording, "next">) {
  await seedServer(server);
  folder = join(temporaryFolder("recorded"), "records");
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(journal)) writeFileSync(join(folder, path), text);
  const { action, error, stored: after } = await up(handlersOf(type), stored, args);
  const requests = (await api.requests()).map(({ request, body }) => (body === null ? [request] : [request, body]));
  const [code] = /CDB\d{4}/.exec(error?.message ?? "") ?? [];
  return { action, ...(code !== undefined && { code }), requests, password: after?.outputs.password ?? null };
}

test.each(SITUATIONS)("$name", async (situation) => {
  if (isRecording) recordings.push(await record(situation));
  const recording = recordings.find(({ name }) => name === situation.name) as Recording;
  expect(await next(situation.type, situation.args, recording)).toEqual(recording.next);
});
