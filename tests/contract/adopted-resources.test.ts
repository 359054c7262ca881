import { withValue } from "../../provider/fields";
import { EXAMPLE, table } from "../support/example";
import { freePort } from "../support/local-server";
import { useSeededSimulator } from "./simulators";
import { answer, create, createHandlers, failedCreation } from "./support";

/** Resources that always adopt: pipes, organizations and scalings of services. */

const {
  service: SERVICE,
  otherService: OTHER,
  pipes: { kafka: KAFKA, objectStorage: OBJECTS, kinesis: KINESIS, postgres: POSTGRES },
} = EXAMPLE;
const seeded = useSeededSimulator();

describe("Pipe", () => {
  const pipe = () => createHandlers("Pipe", seeded.api);
  const PATCH = "PATCH /services/{id}/pipes/{id}";
  const GET = "GET /services/{id}/pipes/{id}";
  const at = (pipeId: string) => ({ serviceId: SERVICE, pipeId });
  const role = "arn:aws:iam::000000000000:role/ingest";

  test("a Pipe reads, and sends nothing if nothing differs", async () => {
    const program = {
      ...at(KAFKA),
      name: "orders",
      source: { kafka: { iamRole: role, reversePrivateEndpointIds: ["rpe-1"] } },
      settings: { streamingMaxInsertWaitMs: 1000, objectStorageUseClusterFunction: false },
      fieldMappings: ["placed_at", "amount", "id"].map((name) => ({
        sourceField: name,
        destinationField: name,
      })),
      destination: {
        columns: [
          { name: "amount", type: "Decimal(18, 2)" },
          { name: "id", type: "UInt64" },
          { name: "placed_at", type: "DateTime" },
        ],
      },
    };
    const { requests, outs } = await seeded.runPrograms(pipe(), program, program);
    expect(requests).toEqual([[GET], []]);
    expect(outs).toMatchObject({
      state: "Running",
      scaling: { replicas: 2, replicaCpuMillicores: 2000, replicaMemoryGb: 4 },
      currentSource: { kafka: { brokers: "broker-1.example.com:9092" } },
      currentSettings: { engineMaxThreads: 8 },
      source: program.source,
    });
  });

  test("a certificate is compared without surrounding white space, and keeps the declared spelling", async () => {
    const [caCertificate, trimmed] = ["-----BEGIN\nMII\n-----END\n", "-----BEGIN\nMII\n-----END"];
    const program = { ...at(KAFKA), source: { kafka: { caCertificate } } };
    const { requests } = await seeded.runPrograms(pipe(), program);
    expect(requests).toEqual([[GET, [PATCH, { source: { kafka: { caCertificate } } }]]]);
    await seeded.api.faults(answer("GET", { source: { kafka: { caCertificate: trimmed } } }));
    const adopted = await create(pipe(), program);
    const refreshed = await adopted.refresh();
    expect(refreshed.inputs.source).toEqual(program.source);
    expect(await refreshed.diff(program)).toMatchObject({ changes: false });
    await refreshed.up(program);
    expect(await seeded.sent()).toEqual([GET, GET]);
  });

  test("a host that the server trims is trimmed before it is sent", async () => {
    const host = "db.example.com";
    const program = { ...at(POSTGRES), source: { postgres: { host: `${host}\n` } } };
    const { requests, outs } = await seeded.runPrograms(pipe(), program, program);
    expect(requests).toEqual([[GET, [PATCH, { source: { postgres: { host } } }]], []]);
    expect(outs.source).toEqual({ postgres: { host } });
  });

  const key = { accessKeyId: "a", secretKey: "s" };
  // The last column is another name in the request's body.
  test.each<[argument: string, pipeId: string, value: unknown, place?: string]>([
    ["name", KAFKA, "other"],
    ["source.kafka.reversePrivateEndpointIds", KAFKA, ["b"]],
    ["source.kafka.credentials", KAFKA, { username: "u", password: "p" }],
    ["source.kafka.iamRole", KAFKA, "arn:aws:iam::123456789012:role/orders"],
    ["source.postgres.port", POSTGRES, 5433],
    ["source.postgres.settings.syncIntervalSeconds", POSTGRES, 5],
    ["source.objectStorage.path", OBJECTS, "events/*"],
    ["source.objectStorage.connectionString", OBJECTS, "c"],
    ["source.objectStorage.accessKey", OBJECTS, key],
    ["source.kinesis.accessKey", KINESIS, key],
    ["destination.columns", KAFKA, [{ name: "x", type: "String" }]],
    ["fieldMappings", KAFKA, []],
    ["settings.engineMaxInsertThreads", KAFKA, 9, "settings.engine_max_insert_threads"],
  ])(
    "a Pipe sends only a changed %s, and only once",
    async (argument, pipeId, value, place = argument) => {
      const program = withValue(at(pipeId), argument.split("."), value);
      const { requests } = await seeded.runPrograms(pipe(), at(pipeId), program, program);
      // The simulator's journal shows no secret.
      const shown = /credentials|connectionString|accessKey/.test(argument) ? "[secret]" : value;
      expect(requests).toEqual([[GET], [[PATCH, withValue({}, place.split("."), shown)]], []]);
    },
  );

  test("a Pipe sends table mappings as additions and removals", async () => {
    const customers = { ...table("customers"), excludedColumns: ["phone"] };
    const addresses = {
      ...table("addresses"),
      useCustomSortingKey: true,
      sortingKeys: ["customer_id"],
    };
    const visits = table("visits");
    const program = (tableMappings: unknown[], more: object = {}) => ({
      ...at(POSTGRES),
      source: { postgres: { tableMappings }, ...more },
    });
    const changed = { ...customers, excludedColumns: ["phone", "email"] };
    const { requests } = await seeded.runPrograms(
      pipe(),
      program([addresses, customers]),
      program([addresses, customers, visits]),
      program([addresses, changed, visits], { validateSamples: true }),
      program([changed, visits], { validateSamples: false }),
      program([changed, visits], { validateSamples: true }),
    );
    const postgres = (change: object, more: object = {}) => [
      [PATCH, { source: { postgres: change, ...more } }],
    ];
    expect(requests).toEqual([
      [GET],
      postgres({ tableMappingsToAdd: [visits] }),
      [
        ...postgres({ tableMappingsToRemove: [table("customers")] }, { validateSamples: true }),
        ...postgres({ tableMappingsToAdd: [changed] }, { validateSamples: true }),
      ],
      postgres({ tableMappingsToRemove: [table("addresses")] }, { validateSamples: false }),
      [],
    ]);
  });

  test("a Pipe adopts at most one source, and only of the pipe's type", async () => {
    const handlers = pipe();
    const wrong = { ...at(KAFKA), source: { kinesis: { iamRole: role } } };
    const kafka = await create(handlers, at(KAFKA));
    expect((await kafka.failedUpdate(wrong)).message).toContain("its source is kafka");
    await expect(kafka.diff(wrong)).rejects.toThrow(
      "its source is kafka but the program declares kinesis",
    );
    const adoption = await failedCreation(handlers, wrong);
    expect(adoption.message).toContain("its source is kafka but the program declares kinesis");
    const both = { ...at(KAFKA), source: { kinesis: { iamRole: "r" }, kafka: { iamRole: "r" } } };
    const { failures } = await handlers.check({}, both);
    expect(failures[0]?.reason).toContain(
      "source is invalid: must declare at most one kind, but has kafka and kinesis",
    );
  });

  test.each([
    ["2", "4096Mi", 2000, 4],
    ["2500m", "4G", 2500, 4e9 / 2 ** 30],
    ["1.5", "4000M", 1500, 4e9 / 2 ** 30],
    ["2e0", "4e9", 2000, 4e9 / 2 ** 30],
    ["2", "1181116006400m", 2000, 1.1],
    ["0", "0", 0, 0],
  ])("a Pipe parses the amounts %s and %s", async (cpu, memory, millicores, gigabytes) => {
    const scaling = { replicas: 0, replicaCpuMillicores: cpu, replicaMemoryGb: memory };
    await seeded.api.faults(answer("GET", { scaling }));
    const { outs } = await create(pipe(), at(KAFKA));
    expect(outs.scaling).toEqual({
      ...{ replicas: 0, replicaCpuMillicores: millicores },
      replicaMemoryGb: expect.closeTo(gigabytes, 9),
    });
  });

  test.each(["4", "512Ki", "4g"])(
    "a Pipe omits the invalid memory %s with a message",
    async (text) => {
      await seeded.api.faults(answer("GET", { scaling: { replicas: 1, replicaMemoryGb: text } }));
      const handlers = pipe();
      const { outs } = await create(handlers, at(KAFKA));
      expect(outs.scaling).toEqual({ replicas: 1 });
      expect(handlers.messages.join()).toMatch(
        /in scaling\.replicaMemoryGb; it was ignored\..*CDB3011/,
      );
    },
  );

  test("a Pipe shows drift of declared values, keeps its secrets, and announces its release", async () => {
    const handlers = pipe();
    const credentials = { username: "u", password: "hush" };
    const adopted = await create(handlers, {
      ...at(POSTGRES),
      source: { postgres: { port: 5432, credentials } },
      settings: { engineMaxThreads: 8 },
    });
    await seeded.api.change("PATCH", `/${SERVICE}/pipes/${POSTGRES}`, {
      source: { postgres: { port: 1, host: "elsewhere" } },
      settings: { engine_max_threads: 1, engine_max_insert_threads: 1 },
    });
    expect((await adopted.refresh()).inputs).toEqual({
      ...at(POSTGRES),
      organizationId: seeded.api.organizationId,
      source: { postgres: { port: 1, credentials } },
      settings: { engineMaxThreads: 1 },
    });
    await seeded.sent();
    await adopted.delete();
    expect(handlers.messages.at(-1)).toMatch(/^The pipe .* keeps its current settings/);
    expect(await seeded.sent()).toEqual([]);
    expect(await adopted.diff(at(KINESIS))).toMatchObject({ replaces: ["pipeId"] });
  });

  test("a Pipe recognizes the type of a source whose only property is invalid", async () => {
    await seeded.api.faults(answer("GET", { source: { kinesis: { timestamp: "2026" } } }));
    const handlers = pipe();
    const { message } = await failedCreation(handlers, {
      ...at(KINESIS),
      source: { kafka: { iamRole: "role" } },
    });
    expect(message).toContain("its source is kinesis but the program declares kafka");
    expect(handlers.messages.at(-1)).toContain(
      "has a value of an undocumented type in source.kinesis;",
    );
    expect(await seeded.sent()).toEqual([GET]);
  });
});

describe("Organization", () => {
  const organization = () => createHandlers("Organization", seeded.api);
  const changeOutside = (body: object) =>
    seeded.api.change("PATCH", "", body, seeded.api.organization);
  const PATCH = "PATCH ";
  const ours = { id: "vpce-ours", description: "ours" };
  const described = { ...ours, description: "still ours" };

  test("an Organization adds declared entries, removes formerly declared entries, and keeps the rest", async () => {
    const { privateEndpoints: foreign } = await changeOutside({});
    const { requests, outs } = await seeded.runPrograms(
      organization(),
      { name: "Example organization", privateEndpoints: [ours] },
      { name: "Example organization", privateEndpoints: [ours] },
      { name: "Renamed", privateEndpoints: [ours] },
      { name: "Renamed", privateEndpoints: [described] },
      { name: "Renamed", privateEndpoints: [] },
    );
    expect(requests).toEqual([
      [[PATCH, { name: "Example organization", privateEndpoints: { add: [ours] } }]],
      [],
      [[PATCH, { name: "Renamed" }]],
      [[PATCH, { privateEndpoints: { add: [described], remove: [ours] } }]],
      [[PATCH, { privateEndpoints: { remove: [described] } }]],
    ]);
    expect(outs.allPrivateEndpoints).toEqual(foreign);
    expect(outs).toMatchObject({ byocConfig: [{ id: "byoc-eu-1", accountName: "example-eu" }] });
  });

  test.each([
    [
      "an entry that others have removed",
      { name: "Ours", privateEndpoints: [ours] },
      { privateEndpoints: { remove: [ours] } },
      { name: "Renamed", privateEndpoints: [ours] },
      [{ name: "Renamed" }, { privateEndpoints: { add: [ours] } }],
    ],
    [
      "the name that others have changed",
      { name: "Ours", privateEndpoints: [] },
      { name: "Theirs" },
      { name: "Ours", privateEndpoints: [ours] },
      [{ privateEndpoints: { add: [ours] } }, { name: "Ours" }],
    ],
  ])(
    "an Organization restores %s after an update's response shows a difference",
    async (_, before, change, program, bodies) => {
      const adopted = await create(organization(), before);
      await changeOutside(change);
      const { outs } = await adopted.update(program);
      expect(await seeded.sent()).toEqual(bodies.map((body) => [PATCH, body]));
      expect(outs).toMatchObject(program);
    },
  );

  test("a read or release of an Organization sends no request", async () => {
    const handlers = organization();
    const adopted = await seeded.adopt(handlers, { name: "Renamed" });
    expect((await adopted.refresh()).inputs).toEqual({
      name: "Renamed",
      organizationId: seeded.api.organizationId,
    });
    await adopted.delete();
    expect(await seeded.sent()).toEqual([]);
    expect(handlers.messages).toEqual([expect.stringContaining("keeps its current settings")]);
  });

  test("an Organization is not in the stack if its first request certainly had no effect", async () => {
    const unreachable = { ...seeded.api, baseUrl: `http://127.0.0.1:${await freePort()}` };
    const failure = await failedCreation(createHandlers("Organization", unreachable), {
      name: "Renamed",
    });
    expect(failure.id).toBeUndefined();
    expect(failure.message).toMatch(
      /^Updating organization \S+: .*ECONNREFUSED.*\. Not done: name\. Check clouddb:baseUrl .*run the same command again\. \[CDB3001\]$/,
    );
  });

  test("an Organization requires at least one argument to manage", async () => {
    const { failures } = await organization().check({}, {});
    expect(failures).toEqual([
      {
        property: "",
        reason: "name and privateEndpoints are missing: declare at least one of them. [CDB1002]",
      },
    ]);
  });
});

describe("ServiceScaling", () => {
  const scaling = () => createHandlers("ServiceScaling", seeded.api);
  const SCALE = "PATCH /services/{id}/replicaScaling";

  test("a ServiceScaling reads, updates differences, and sends only changed fields", async () => {
    const same = { serviceId: SERVICE, numReplicas: 3 };
    const memory = { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 128, idleTimeoutMinutes: 30 };
    const { requests, outs } = await seeded.runPrograms(
      scaling(),
      same,
      same,
      { ...same, numReplicas: 4 },
      { ...same, numReplicas: 4, idleScaling: false },
      { serviceId: SERVICE, ...memory },
    );
    expect(requests).toEqual([
      ["GET /services/{id}"],
      [],
      [[SCALE, { numReplicas: 4 }]],
      [[SCALE, { idleScaling: false }]],
      [[SCALE, memory]],
    ]);
    expect(outs).toMatchObject({ numReplicas: 4, serviceId: SERVICE });
  });

  test("a ServiceScaling detects drift, announces its release, and is replaced for another service", async () => {
    const handlers = scaling();
    const adopted = await create(handlers, { serviceId: SERVICE, numReplicas: 3 });
    await seeded.api.change("PATCH", `/${SERVICE}/replicaScaling`, { numReplicas: 7 });
    expect((await adopted.refresh()).inputs).toMatchObject({ numReplicas: 7 });
    expect(await seeded.sent()).toEqual(["GET /services/{id}"]);
    await adopted.delete();
    expect(await seeded.sent()).toEqual([]);
    expect(handlers.messages.at(-1)).toBe(
      `The scaling of service ${SERVICE} keeps its current settings; it is only removed from the stack. [CDB5004]`,
    );
    expect(await adopted.diff({ serviceId: OTHER, numReplicas: 3 })).toMatchObject({
      replaces: ["serviceId"],
    });
  });
});
