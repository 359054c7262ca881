import { organization as organizationKind } from "../../provider/resources/organization/lifecycle";
import { pipe as pipeKind } from "../../provider/resources/pipe/lifecycle";
import { serviceScaling as scalingKind } from "../../provider/resources/service-scaling/lifecycle";
import { type RunningSimulator, startSimulator } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";
import { type Steered, steered } from "../support/api";
import { checkedBy, failureOf, type Handlers, handlersOf, type Properties } from "./support";

/** The kinds that are taken over, managed and forgotten: the real handlers against the seeded simulator. */

const SERVICE = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const KAFKA = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const OBJECTS = "b1b2c3d4-0002-4a53-9c1e-000000000002";
const KINESIS = "b1b2c3d4-0003-4a53-9c1e-000000000003";
const POSTGRES = "b1b2c3d4-0004-4a53-9c1e-000000000004";

let simulator: RunningSimulator;
let api: Steered;

beforeAll(async () => {
  simulator = await startSimulator({ seed: seed as never });
  api = steered(simulator);
});
afterAll(() => simulator.close());
beforeEach(() => api.reset());

/** Takes something over, and then changes it step by step; answers the requests of each step. */
async function steps(handlers: Handlers, ...programs: Properties[]) {
  const requests: unknown[] = [];
  let id = "";
  let outs: Properties = {};
  let olds: Properties = {};
  for (const [index, program] of programs.entries()) {
    const inputs = await checkedBy(handlers, "x", program, olds);
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
  const scaling = () => handlersOf(scalingKind, simulator);
  const SCALE = "PATCH /services/{id}/replicaScaling";
  const GET = "GET /services/{id}";

  test("reads, changes what differs, and each field alone", async () => {
    const same = { serviceId: SERVICE, numReplicas: 3 };
    const { requests, outs } = await steps(
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

  test("changes what differs when it takes over, also while the service is not ready", async () => {
    for (const status of [409, 423, 424]) {
      await api.reset();
      await api.faults({ method: "PATCH", times: 2, effect: { kind: "status", status } });
      const { requests } = await steps(scaling(), { serviceId: SERVICE, numReplicas: 5 });
      const sent = [SCALE, { numReplicas: 5 }];
      expect(requests).toEqual([[GET, sent, sent, sent]]);
    }
  });

  test("sees drift, forgets with a word, and is replaced for another service", async () => {
    const handlers = scaling();
    const { id, outs } = await steps(handlers, { serviceId: SERVICE, numReplicas: 3 });
    await api.change("PATCH", `/${SERVICE}/replicaScaling`, { numReplicas: 7 });
    expect((await handlers.read(id, outs)).inputs).toMatchObject({ numReplicas: 7 });
    expect(await api.requests()).toHaveLength(1);
    await handlers.delete(id, outs);
    expect(await api.requests()).toEqual([]);
    expect(handlers.said).toEqual([
      `The scaling of service ${SERVICE} stays as it is: the API cannot undo it, and the stack only forgets it.`,
    ]);
    const other = await checkedBy(handlers, "x", { serviceId: KAFKA, numReplicas: 3 });
    expect(await handlers.diff(id, outs, other)).toMatchObject({ replaces: ["serviceId"] });
  });

  test("refuses what no service can have", async () => {
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
  const organization = () => handlersOf(organizationKind, simulator);
  const PATCH = "PATCH ";
  const ours = { id: "vpce-ours", description: "ours" };

  test("adds what is declared, removes only what it had declared, and leaves the others' alone", async () => {
    const foreign = (await api.change("PATCH", "", {}, api.organization)).privateEndpoints as unknown[];
    const { requests, outs } = await steps(
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

  test("sees in the answer to a change what others have taken out, and puts it back", async () => {
    const handlers = organization();
    const { id, outs } = await steps(handlers, { privateEndpoints: [ours] });
    await api.change("PATCH", "", { privateEndpoints: { remove: [ours] } }, api.organization);
    await handlers.update(id, outs, await checkedBy(handlers, "x", { name: "Renamed", privateEndpoints: [ours] }));
    expect((await api.requests()).map(({ body }) => body)).toEqual([
      { name: "Renamed" },
      { privateEndpoints: { add: [ours] } },
    ]);
  });

  test("sees in the answer to a change that others gave it another name, and gives it back its own", async () => {
    const handlers = organization();
    const { id, outs } = await steps(handlers, { name: "Ours", privateEndpoints: [] });
    await api.change("PATCH", "", { name: "Theirs" }, api.organization);
    const { outs: after } = await handlers.update(
      id,
      outs,
      await checkedBy(handlers, "x", { name: "Ours", privateEndpoints: [ours] }),
    );
    expect((await api.requests()).map(({ body }) => body)).toEqual([
      { privateEndpoints: { add: [ours] } },
      { name: "Ours" },
    ]);
    expect(after?.name).toBe("Ours");
  });

  test("asks nothing when it is read or forgotten", async () => {
    const handlers = organization();
    const { id, outs } = await steps(handlers, { name: "Renamed" });
    expect((await handlers.read(id, outs)).inputs).toEqual({
      name: "Renamed",
      organizationId: simulator.organizationId,
    });
    await handlers.delete(id, outs);
    expect(await api.requests()).toEqual([]);
    expect(handlers.said).toEqual([expect.stringContaining("stays as it is")]);
  });

  test("sends a name again whose fate is not known, also when the program goes back", async () => {
    const handlers = organization();
    const { id, outs } = await steps(handlers, { name: "Example organization" });
    await api.faults({ method: "PATCH", effect: { kind: "reset", when: "after" } });
    const failure = await failureOf(handlers.update(id, outs, await checkedBy(handlers, "x", { name: "Renamed" })));
    await api.faults();
    await api.requests();
    const back = await checkedBy(handlers, "x", { name: "Example organization" });
    expect(await handlers.diff(id, failure.properties as Properties, back)).toMatchObject({ changes: true });
    await handlers.update(id, failure.properties as Properties, back);
    expect((await api.requests()).map(({ body }) => body)).toEqual([{ name: "Example organization" }]);
  });

  test("does not send a list again whose fate is not known", async () => {
    const handlers = organization();
    await api.faults({ method: "PATCH", effect: { kind: "reset", when: "after" } });
    const failure = await failureOf(handlers.create(await checkedBy(handlers, "x", { privateEndpoints: [ours] })));
    expect(await api.requests()).toHaveLength(1);
    expect(failure.message).toContain("Not confirmed: privateEndpoints.");
  });

  test("wants something to manage", async () => {
    const { failures } = await organization().check({}, { __provider: "x" });
    expect(failures).toEqual([
      { property: "", reason: "name and privateEndpoints are missing: declare at least one of them." },
    ]);
  });
});

describe("Pipe", () => {
  const pipe = () => handlersOf(pipeKind, simulator);
  const PATCH = "PATCH /services/{id}/pipes/{id}";
  const GET = "GET /services/{id}/pipes/{id}";
  const at = (pipeId: string) => ({ serviceId: SERVICE, pipeId });
  const role = "arn:aws:iam::000000000000:role/ingest";

  test("reads, and sends nothing while nothing differs", async () => {
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
    const { requests, outs } = await steps(pipe(), program, program);
    expect(requests).toEqual([[GET], []]);
    expect(outs).toMatchObject({
      state: "Running",
      scaling: { replicas: 2, replicaCpuMillicores: 2000, replicaMemoryGb: 4 },
      currentSource: { kafka: { brokers: "broker-1.example.com:9092" } },
      currentSettings: { engineMaxThreads: 8 },
      source: program.source,
    });
  });

  test.each<[string, string, Properties, unknown]>([
    ["name", KAFKA, { name: "other" }, { name: "other" }],
    ["kafka role", KAFKA, { source: { kafka: { iamRole: "r" } } }, { source: { kafka: { iamRole: "r" } } }],
    [
      "kafka certificate",
      KAFKA,
      { source: { kafka: { caCertificate: "c" } } },
      { source: { kafka: { caCertificate: "c" } } },
    ],
    [
      "kafka endpoints",
      KAFKA,
      { source: { kafka: { reversePrivateEndpointIds: ["b"] } } },
      { source: { kafka: { reversePrivateEndpointIds: ["b"] } } },
    ],
    [
      "kafka credentials",
      KAFKA,
      { source: { kafka: { credentials: { username: "u", password: "p" } } } },
      { source: { kafka: { credentials: "[secret]" } } },
    ],
    [
      "object path",
      OBJECTS,
      { source: { objectStorage: { path: "p" } } },
      { source: { objectStorage: { path: "p" } } },
    ],
    [
      "object container",
      OBJECTS,
      { source: { objectStorage: { azureContainerName: "a" } } },
      { source: { objectStorage: { azureContainerName: "a" } } },
    ],
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
    ["postgres host", POSTGRES, { source: { postgres: { host: "h" } } }, { source: { postgres: { host: "h" } } }],
    ["postgres port", POSTGRES, { source: { postgres: { port: 5433 } } }, { source: { postgres: { port: 5433 } } }],
    [
      "postgres database",
      POSTGRES,
      { source: { postgres: { database: "d" } } },
      { source: { postgres: { database: "d" } } },
    ],
    [
      "postgres interval",
      POSTGRES,
      { source: { postgres: { settings: { syncIntervalSeconds: 5 } } } },
      { source: { postgres: { settings: { syncIntervalSeconds: 5 } } } },
    ],
    [
      "columns",
      KAFKA,
      { destination: { columns: [{ name: "x", type: "String" }] } },
      { destination: { columns: [{ name: "x", type: "String" }] } },
    ],
    ["field mappings", KAFKA, { fieldMappings: [] }, { fieldMappings: [] }],
    [
      "a number setting",
      KAFKA,
      { settings: { engineMaxInsertThreads: 9 } },
      { settings: { engine_max_insert_threads: 9 } },
    ],
    [
      "a switch setting",
      KAFKA,
      { settings: { engineParallelViewProcessing: true } },
      { settings: { engine_parallel_view_processing: true } },
    ],
  ])("sends a changed %s alone, once", async (_, pipeId, change, body) => {
    const { requests } = await steps(pipe(), at(pipeId), { ...at(pipeId), ...change }, { ...at(pipeId), ...change });
    expect(requests).toEqual([[GET], [[PATCH, body]], []]);
  });

  test("keeps table mappings as a wanted list", async () => {
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
    const { requests } = await steps(
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

  test("takes over only the kind of source that the pipe has, and at most one", async () => {
    const handlers = pipe();
    const wrong = await checkedBy(handlers, "x", { ...at(KAFKA), source: { kinesis: { iamRole: role } } });
    const { id, outs } = await steps(handlers, at(KAFKA));
    expect((await failureOf(handlers.update(id, outs, wrong))).message).toContain("its source is kafka");
    expect((await failureOf(handlers.create(wrong))).message).toContain(
      "its source is kafka and the program declares kinesis",
    );
    const { failures } = await handlers.check(
      {},
      { __provider: "x", ...at(KAFKA), source: { kinesis: { iamRole: "r" }, kafka: { iamRole: "r" } } },
    );
    expect(failures?.[0]?.reason).toContain(
      "source is invalid: must declare at most one kind, but has kafka and kinesis",
    );
  });

  test("understands amounts with units, and refuses settings of another type", async () => {
    await api.faults({
      effect: {
        kind: "answer",
        result: { scaling: { replicas: 0, replicaCpuMillicores: "2", replicaMemoryGb: "4096Mi" } },
      },
    });
    const { outs } = await steps(pipe(), at(KAFKA));
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

  test("shows drift of what is declared, keeps its secrets, and forgets with a word", async () => {
    const handlers = pipe();
    const credentials = { username: "u", password: "hush" };
    const program = {
      ...at(POSTGRES),
      source: { postgres: { port: 5432, credentials } },
      settings: { engineMaxThreads: 8 },
    };
    const { id, outs } = await steps(handlers, program);
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
    expect(handlers.said).toEqual([expect.stringMatching(/^The pipe .* stays as it is/)]);
    expect(await api.requests()).toEqual([]);
  });

  test("knows the kind of a source whose only member cannot be used", async () => {
    await api.faults({
      method: "GET",
      effect: { kind: "answer", result: { source: { kinesis: { timestamp: "2026" } } } },
    });
    const handlers = pipe();
    const inputs = await checkedBy(handlers, "x", { ...at(KINESIS), source: { kafka: { iamRole: "role" } } });
    const failure = await failureOf(handlers.create(inputs));
    expect(failure.message).toContain("its source is kinesis and the program declares kafka");
    expect(handlers.said).toEqual([expect.stringContaining("has an undocumented type in source.kinesis;")]);
    expect((await api.requests()).map(({ request }) => request)).toEqual([expect.stringMatching(/^GET/)]);
  });

  test("is read in the organization that it was adopted in, whatever the setting says now", async () => {
    const { id, outs } = await steps(pipe(), at(KAFKA));
    const elsewhere = handlersOf(pipeKind, simulator, {
      CLOUDDB_ORGANIZATION_ID: "00000000-0000-4000-8000-000000000000",
    });
    expect(await elsewhere.read(id, outs)).toMatchObject({ id, props: { organizationId: simulator.organizationId } });
  });

  test("is replaced for another pipe, and lets unknown values pass", async () => {
    const handlers = pipe();
    const { id, outs } = await steps(handlers, at(KAFKA));
    expect(await handlers.diff(id, outs, await checkedBy(handlers, "x", at(KINESIS)))).toMatchObject({
      replaces: ["pipeId"],
    });
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    for (const args of [
      { ...at(KAFKA), serviceId: unknown },
      { ...at(KAFKA), source: unknown },
      { ...at(KAFKA), source: { kafka: unknown } },
    ]) {
      const inputs = await checkedBy(handlers, "x", args);
      expect(inputs).toMatchObject(args);
      expect((await handlers.diff(id, outs, inputs)).replaces).toEqual([]);
    }
  });
});
