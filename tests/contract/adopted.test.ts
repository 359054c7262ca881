import { organization as organizationType } from "../../provider/resources/organization/lifecycle";
import { pipe as pipeType } from "../../provider/resources/pipe/lifecycle";
import { serviceScaling as scalingType } from "../../provider/resources/service-scaling/lifecycle";
import { type RunningSimulator, startSimulator } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";
import { createTestApi, type TestApi } from "../support/api";
import { EXAMPLE } from "../support/example";
import { checkInputs, createHandlers, failureOf, type Handlers, type Properties } from "./support";

/** The resource types that are adopted, managed and released: the real handlers against the seeded simulator. */

const { service: SERVICE, pipes } = EXAMPLE;
const { kafka: KAFKA, objectStorage: OBJECTS, kinesis: KINESIS, postgres: POSTGRES } = pipes;

let simulator: RunningSimulator;
let api: TestApi;

beforeAll(async () => {
  simulator = await startSimulator({ seed: seed as never });
  api = createTestApi(simulator);
});
afterAll(() => simulator.close());
beforeEach(() => api.reset());

/** Adopts an object with the first program and applies the others in turn; returns the requests of each. */
async function runPrograms(handlers: Handlers, ...programs: Properties[]) {
  const requests: unknown[] = [];
  let id = "";
  let outs: Properties = {};
  let olds: Properties = {};
  for (const [index, program] of programs.entries()) {
    const inputs = await checkInputs(handlers, "x", program, olds);
    if (index === 0) ({ id, outs = {} } = await handlers.create(inputs));
    else if ((await handlers.diff(id, outs, inputs)).changes !== false) {
      outs = (await handlers.update(id, outs, inputs)).outs as Properties;
    }
    olds = inputs;
    requests.push((await api.requests()).map(({ request, body }) => (body === null ? request : [request, body])));
  }
  return { requests, outs, id };
}

describe("ServiceScaling", () => {
  const scaling = () => createHandlers(scalingType, simulator);
  const SCALE = "PATCH /services/{id}/replicaScaling";
  const GET = "GET /services/{id}";

  test("reads, updates what differs, and sends each changed field alone", async () => {
    const same = { serviceId: SERVICE, numReplicas: 3 };
    const { requests, outs } = await runPrograms(
      scaling(),
      same,
      same,
      { ...same, numReplicas: 4 },
      { ...same, numReplicas: 4, idleScaling: false },
      { serviceId: SERVICE, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 128, idleTimeoutMinutes: 30 },
    );
    expect(requests).toEqual([
      [GET],
      [],
      [[SCALE, { numReplicas: 4 }]],
      [[SCALE, { idleScaling: false }]],
      [[SCALE, { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 128, idleTimeoutMinutes: 30 }]],
    ]);
    expect(outs).toMatchObject({ numReplicas: 4, serviceId: SERVICE });
  });

  test("updates what differs on adoption, even while the service is not ready", async () => {
    for (const status of [409, 423, 424]) {
      await api.reset();
      await api.faults({ method: "PATCH", times: 2, effect: { kind: "status", status } });
      const { requests } = await runPrograms(scaling(), { serviceId: SERVICE, numReplicas: 5 });
      const sent = [SCALE, { numReplicas: 5 }];
      expect(requests).toEqual([[GET, sent, sent, sent]]);
    }
  });

  test("detects drift, announces its release, and is replaced for another service", async () => {
    const handlers = scaling();
    const { id, outs } = await runPrograms(handlers, { serviceId: SERVICE, numReplicas: 3 });
    await api.change("PATCH", `/${SERVICE}/replicaScaling`, { numReplicas: 7 });
    expect((await handlers.read(id, outs)).inputs).toMatchObject({ numReplicas: 7 });
    expect(await api.requests()).toHaveLength(1);
    await handlers.delete(id, outs);
    expect(await api.requests()).toEqual([]);
    expect(handlers.messages).toEqual([
      `The scaling of service ${SERVICE} keeps its current settings; it is only removed from the stack.`,
    ]);
    const other = await checkInputs(handlers, "x", { serviceId: KAFKA, numReplicas: 3 });
    expect(await handlers.diff(id, outs, other)).toMatchObject({ replaces: ["serviceId"] });
  });

  test("rejects invalid arguments", async () => {
    const { failures } = await scaling().check(
      {},
      { __provider: "x", serviceId: SERVICE, numReplicas: 21, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 8 },
    );
    expect(failures?.map(({ reason }) => reason.split(" ")[0])).toEqual(["numReplicas", "minReplicaMemoryGb"]);
    const missing = await scaling().check({}, { __provider: "x" });
    expect(missing.failures).toEqual([{ property: "", reason: "serviceId is missing: declare it." }]);
  });
});

describe("Organization", () => {
  const organization = () => createHandlers(organizationType, simulator);
  const PATCH = "PATCH ";
  const ours = { id: "vpce-ours", description: "ours" };

  test("adds declared entries, removes only formerly declared ones, and leaves others unchanged", async () => {
    const foreign = (await api.change("PATCH", "", {}, api.organization)).privateEndpoints as unknown[];
    const { requests, outs } = await runPrograms(
      organization(),
      { name: "Example organization", privateEndpoints: [ours] },
      { name: "Example organization", privateEndpoints: [ours] },
      { name: "Renamed", privateEndpoints: [ours] },
      { name: "Renamed", privateEndpoints: [{ ...ours, description: "still ours" }] },
      { name: "Renamed", privateEndpoints: [] },
    );
    expect(requests).toEqual([
      [[PATCH, { name: "Example organization", privateEndpoints: { add: [ours] } }]],
      [],
      [[PATCH, { name: "Renamed" }]],
      [[PATCH, { privateEndpoints: { add: [{ ...ours, description: "still ours" }], remove: [ours] } }]],
      [[PATCH, { privateEndpoints: { remove: [{ ...ours, description: "still ours" }] } }]],
    ]);
    expect(outs.allPrivateEndpoints).toEqual(foreign);
    expect(outs).toMatchObject({ byocConfig: [{ id: "byoc-eu-1", accountName: "example-eu" }] });
  });

  test("restores an entry that the response to an update shows as removed by others", async () => {
    const handlers = organization();
    const { id, outs } = await runPrograms(handlers, { privateEndpoints: [ours] });
    await api.change("PATCH", "", { privateEndpoints: { remove: [ours] } }, api.organization);
    await handlers.update(id, outs, await checkInputs(handlers, "x", { name: "Renamed", privateEndpoints: [ours] }));
    expect((await api.requests()).map(({ body }) => body)).toEqual([
      { name: "Renamed" },
      { privateEndpoints: { add: [ours] } },
    ]);
  });

  test("restores its name if the response to an update shows another one", async () => {
    const handlers = organization();
    const { id, outs } = await runPrograms(handlers, { name: "Ours", privateEndpoints: [] });
    await api.change("PATCH", "", { name: "Theirs" }, api.organization);
    const { outs: after } = await handlers.update(
      id,
      outs,
      await checkInputs(handlers, "x", { name: "Ours", privateEndpoints: [ours] }),
    );
    expect((await api.requests()).map(({ body }) => body)).toEqual([
      { privateEndpoints: { add: [ours] } },
      { name: "Ours" },
    ]);
    expect(after?.name).toBe("Ours");
  });

  test("sends no request on read or release", async () => {
    const handlers = organization();
    const { id, outs } = await runPrograms(handlers, { name: "Renamed" });
    expect((await handlers.read(id, outs)).inputs).toEqual({
      name: "Renamed",
      organizationId: simulator.organizationId,
    });
    await handlers.delete(id, outs);
    expect(await api.requests()).toEqual([]);
    expect(handlers.messages).toEqual([expect.stringContaining("keeps its current settings")]);
  });

  test("resends a name whose update is uncertain, even if the program reverts it", async () => {
    const handlers = organization();
    const { id, outs } = await runPrograms(handlers, { name: "Example organization" });
    await api.faults({ method: "PATCH", effect: { kind: "reset", when: "after" } });
    const failure = await failureOf(handlers.update(id, outs, await checkInputs(handlers, "x", { name: "Renamed" })));
    await api.faults();
    await api.requests();
    const back = await checkInputs(handlers, "x", { name: "Example organization" });
    expect(await handlers.diff(id, failure.properties as Properties, back)).toMatchObject({ changes: true });
    await handlers.update(id, failure.properties as Properties, back);
    expect((await api.requests()).map(({ body }) => body)).toEqual([{ name: "Example organization" }]);
  });

  test("does not resend a list whose update is uncertain", async () => {
    const handlers = organization();
    await api.faults({ method: "PATCH", effect: { kind: "reset", when: "after" } });
    const failure = await failureOf(handlers.create(await checkInputs(handlers, "x", { privateEndpoints: [ours] })));
    expect(await api.requests()).toHaveLength(1);
    expect(failure.message).toContain("Not confirmed: privateEndpoints.");
  });

  test("requires at least one argument to manage", async () => {
    const { failures } = await organization().check({}, { __provider: "x" });
    expect(failures).toEqual([
      { property: "", reason: "name and privateEndpoints are missing: declare at least one of them." },
    ]);
  });
});

describe("Pipe", () => {
  const pipe = () => createHandlers(pipeType, simulator);
  const PATCH = "PATCH /services/{id}/pipes/{id}";
  const GET = "GET /services/{id}/pipes/{id}";
  const at = (pipeId: string) => ({ serviceId: SERVICE, pipeId });
  const role = "arn:aws:iam::000000000000:role/ingest";

  test("reads, and sends nothing if nothing differs", async () => {
    const program = {
      ...at(KAFKA),
      name: "orders",
      source: { kafka: { iamRole: role, reversePrivateEndpointIds: ["rpe-1"] } },
      settings: { streamingMaxInsertWaitMs: 1000, objectStorageUseClusterFunction: false },
      fieldMappings: ["placed_at", "amount", "id"].map((name) => ({ sourceField: name, destinationField: name })),
      destination: {
        columns: [
          { name: "amount", type: "Decimal(18, 2)" },
          { name: "id", type: "UInt64" },
          { name: "placed_at", type: "DateTime" },
        ],
      },
    };
    const { requests, outs } = await runPrograms(pipe(), program, program);
    expect(requests).toEqual([[GET], []]);
    expect(outs).toMatchObject({
      state: "Running",
      scaling: { replicas: 2, replicaCpuMillicores: 2000, replicaMemoryGb: 4 },
      currentSource: { kafka: { brokers: "broker-1.example.com:9092" } },
      currentSettings: { engineMaxThreads: 8 },
      source: program.source,
    });
  });

  // The last column is the request body, where it is not the change itself.
  test.each<[name: string, pipeId: string, change: Properties, body?: Properties]>([
    ["name", KAFKA, { name: "other" }],
    ["kafka role", KAFKA, { source: { kafka: { iamRole: "r" } } }],
    ["kafka certificate", KAFKA, { source: { kafka: { caCertificate: "c" } } }],
    ["kafka endpoints", KAFKA, { source: { kafka: { reversePrivateEndpointIds: ["b"] } } }],
    [
      "kafka credentials",
      KAFKA,
      { source: { kafka: { credentials: { username: "u", password: "p" } } } },
      { source: { kafka: { credentials: "[secret]" } } },
    ],
    ["object path", OBJECTS, { source: { objectStorage: { path: "p" } } }],
    ["object container", OBJECTS, { source: { objectStorage: { azureContainerName: "a" } } }],
    [
      "object connection",
      OBJECTS,
      { source: { objectStorage: { connectionString: "c" } } },
      { source: { objectStorage: { connectionString: "[secret]" } } },
    ],
    [
      "object key",
      OBJECTS,
      { source: { objectStorage: { accessKey: { accessKeyId: "a", secretKey: "s" } } } },
      { source: { objectStorage: { accessKey: "[secret]" } } },
    ],
    [
      "kinesis key",
      KINESIS,
      { source: { kinesis: { accessKey: { accessKeyId: "a", secretKey: "s" } } } },
      { source: { kinesis: { accessKey: "[secret]" } } },
    ],
    ["postgres host", POSTGRES, { source: { postgres: { host: "h" } } }],
    ["postgres port", POSTGRES, { source: { postgres: { port: 5433 } } }],
    ["postgres database", POSTGRES, { source: { postgres: { database: "d" } } }],
    ["postgres interval", POSTGRES, { source: { postgres: { settings: { syncIntervalSeconds: 5 } } } }],
    ["columns", KAFKA, { destination: { columns: [{ name: "x", type: "String" }] } }],
    ["field mappings", KAFKA, { fieldMappings: [] }],
    [
      "numeric setting",
      KAFKA,
      { settings: { engineMaxInsertThreads: 9 } },
      { settings: { engine_max_insert_threads: 9 } },
    ],
    [
      "boolean setting",
      KAFKA,
      { settings: { engineParallelViewProcessing: true } },
      { settings: { engine_parallel_view_processing: true } },
    ],
  ])("sends a changed %s alone, and only once", async (_, pipeId, change, body = change) => {
    const { requests } = await runPrograms(
      pipe(),
      at(pipeId),
      { ...at(pipeId), ...change },
      { ...at(pipeId), ...change },
    );
    expect(requests).toEqual([[GET], [[PATCH, body]], []]);
  });

  test("sends table mappings as additions and removals", async () => {
    const [customers, addresses] = [
      { sourceSchemaName: "public", sourceTable: "customers", targetTable: "customers", excludedColumns: ["phone"] },
      {
        sourceSchemaName: "public",
        sourceTable: "addresses",
        targetTable: "addresses",
        useCustomSortingKey: true,
        sortingKeys: ["customer_id"],
      },
    ];
    const visits = { sourceSchemaName: "public", sourceTable: "visits", targetTable: "visits" };
    const name = ({ sourceSchemaName, sourceTable, targetTable }: typeof visits) => ({
      sourceSchemaName,
      sourceTable,
      targetTable,
    });
    const program = (tableMappings: unknown[], more: object = {}) => ({
      ...at(POSTGRES),
      source: { postgres: { tableMappings }, ...more },
    });
    const changed = { ...customers, excludedColumns: ["phone", "email"] };
    const { requests } = await runPrograms(
      pipe(),
      program([addresses, customers]),
      program([addresses, customers, visits]),
      program([addresses, changed, visits], { validateSamples: true }),
      program([changed, visits], { validateSamples: false }),
      program([changed, visits], { validateSamples: true }),
    );
    const postgres = (change: object, more: object = {}) => [[PATCH, { source: { postgres: change, ...more } }]];
    expect(requests).toEqual([
      [GET],
      postgres({ tableMappingsToAdd: [visits] }),
      postgres({ tableMappingsToAdd: [changed], tableMappingsToRemove: [name(customers)] }, { validateSamples: true }),
      postgres({ tableMappingsToRemove: [name(addresses)] }, { validateSamples: false }),
      [],
    ]);
  });

  test("adopts only a source of the type that the pipe has, and at most one", async () => {
    const handlers = pipe();
    const wrong = await checkInputs(handlers, "x", { ...at(KAFKA), source: { kinesis: { iamRole: role } } });
    const { id, outs } = await runPrograms(handlers, at(KAFKA));
    expect((await failureOf(handlers.update(id, outs, wrong))).message).toContain("its source is kafka");
    expect((await failureOf(handlers.create(wrong))).message).toContain(
      "its source is kafka but the program declares kinesis",
    );
    const { failures } = await handlers.check(
      {},
      { __provider: "x", ...at(KAFKA), source: { kinesis: { iamRole: "r" }, kafka: { iamRole: "r" } } },
    );
    expect(failures?.[0]?.reason).toContain(
      "source is invalid: must declare at most one kind, but has kafka and kinesis",
    );
  });

  test("parses amounts with units, and rejects settings of the wrong type", async () => {
    await api.faults({
      effect: {
        kind: "answer",
        result: { scaling: { replicas: 0, replicaCpuMillicores: "2", replicaMemoryGb: "4096Mi" } },
      },
    });
    const { outs } = await runPrograms(pipe(), at(KAFKA));
    expect(outs.scaling).toEqual({ replicas: 0, replicaCpuMillicores: 2000, replicaMemoryGb: 4 });
    const { failures } = await pipe().check(
      {},
      {
        __provider: "x",
        ...at(KAFKA),
        settings: { engineMaxThreads: "8", engineParallelViewProcessing: 1, colour: 1 },
      },
    );
    expect(failures?.map(({ reason }) => reason)).toEqual([
      "unknown argument settings.colour; remove it.",
      expect.stringMatching(/^settings\.engineMaxThreads is invalid: must be a number/),
      expect.stringMatching(/^settings\.engineParallelViewProcessing 1 is invalid: must be true or false/),
    ]);
  });

  test("shows drift of declared values, keeps its secrets, and announces its release", async () => {
    const handlers = pipe();
    const credentials = { username: "u", password: "hush" };
    const program = {
      ...at(POSTGRES),
      source: { postgres: { port: 5432, credentials } },
      settings: { engineMaxThreads: 8 },
    };
    const { id, outs } = await runPrograms(handlers, program);
    await api.change("PATCH", `/${SERVICE}/pipes/${POSTGRES}`, {
      source: { postgres: { port: 1, host: "elsewhere" } },
      settings: { engine_max_threads: 1, engine_max_insert_threads: 1 },
    });
    const { inputs } = await handlers.read(id, outs);
    expect(inputs).toEqual({
      ...at(POSTGRES),
      organizationId: simulator.organizationId,
      source: { postgres: { port: 1, credentials } },
      settings: { engineMaxThreads: 1 },
    });
    await api.requests();
    await handlers.delete(id, outs);
    expect(handlers.messages).toEqual([expect.stringMatching(/^The pipe .* keeps its current settings/)]);
    expect(await api.requests()).toEqual([]);
  });

  test("recognises the type of a source whose only property is unusable", async () => {
    await api.faults({
      method: "GET",
      effect: { kind: "answer", result: { source: { kinesis: { timestamp: "2026" } } } },
    });
    const handlers = pipe();
    const inputs = await checkInputs(handlers, "x", { ...at(KINESIS), source: { kafka: { iamRole: "role" } } });
    const failure = await failureOf(handlers.create(inputs));
    expect(failure.message).toContain("its source is kinesis but the program declares kafka");
    expect(handlers.messages).toEqual([
      expect.stringContaining("has a value of an undocumented type in source.kinesis;"),
    ]);
    expect((await api.requests()).map(({ request }) => request)).toEqual([expect.stringMatching(/^GET/)]);
  });

  test("is read in the organization of its adoption, regardless of the current setting", async () => {
    const { id, outs } = await runPrograms(pipe(), at(KAFKA));
    const elsewhere = createHandlers(pipeType, simulator, {
      CLOUDDB_ORGANIZATION_ID: "00000000-0000-4000-8000-000000000000",
    });
    expect(await elsewhere.read(id, outs)).toMatchObject({ id, props: { organizationId: simulator.organizationId } });
  });

  test("another pipeId requires replacement, and unknown values are accepted", async () => {
    const handlers = pipe();
    const { id, outs } = await runPrograms(handlers, at(KAFKA));
    expect(await handlers.diff(id, outs, await checkInputs(handlers, "x", at(KINESIS)))).toMatchObject({
      replaces: ["pipeId"],
    });
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    for (const args of [
      { ...at(KAFKA), serviceId: unknown },
      { ...at(KAFKA), source: unknown },
      { ...at(KAFKA), source: { kafka: unknown } },
    ]) {
      const inputs = await checkInputs(handlers, "x", args);
      expect(inputs).toMatchObject(args);
      expect((await handlers.diff(id, outs, inputs)).replaces).toEqual([]);
    }
  });
});
