import { withValue } from "../../provider/fields";
import { pipe as pipeType } from "../../provider/resources/pipe/pipe";
import { EXAMPLE } from "../support/example";
import { runPrograms, useSeededSimulator } from "./seeded";
import { checkInputs, createHandlers, failureOf } from "./support";

/** The real handlers of a Pipe against the seeded simulator. */

const {
  service: SERVICE,
  pipes: { kafka: KAFKA, objectStorage: OBJECTS, kinesis: KINESIS, postgres: POSTGRES },
} = EXAMPLE;
const seeded = useSeededSimulator();

describe("Pipe", () => {
  const pipe = () => createHandlers(pipeType, seeded.simulator);
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
      fieldMappings: ["placed_at", "amount", "id"].map((name) => ({ sourceField: name, destinationField: name })),
      destination: {
        columns: [
          { name: "amount", type: "Decimal(18, 2)" },
          { name: "id", type: "UInt64" },
          { name: "placed_at", type: "DateTime" },
        ],
      },
    };
    const { requests, outs } = await runPrograms(seeded.api, pipe(), program, program);
    expect(requests).toEqual([[GET], []]);
    expect(outs).toMatchObject({
      state: "Running",
      scaling: { replicas: 2, replicaCpuMillicores: 2000, replicaMemoryGb: 4 },
      currentSource: { kafka: { brokers: "broker-1.example.com:9092" } },
      currentSettings: { engineMaxThreads: 8 },
      source: program.source,
    });
  });

  const key = { accessKeyId: "a", secretKey: "s" };
  // The last column is the place in the request's body, where it has another name.
  test.each<[argument: string, pipeId: string, value: unknown, place?: string]>([
    ["name", KAFKA, "other"],
    ["source.kafka.iamRole", KAFKA, "r"],
    ["source.kafka.caCertificate", KAFKA, "c"],
    ["source.kafka.reversePrivateEndpointIds", KAFKA, ["b"]],
    ["source.kafka.credentials", KAFKA, { username: "u", password: "p" }],
    ["source.objectStorage.path", OBJECTS, "p"],
    ["source.objectStorage.azureContainerName", OBJECTS, "a"],
    ["source.objectStorage.connectionString", OBJECTS, "c"],
    ["source.objectStorage.accessKey", OBJECTS, key],
    ["source.kinesis.accessKey", KINESIS, key],
    ["source.postgres.host", POSTGRES, "h"],
    ["source.postgres.port", POSTGRES, 5433],
    ["source.postgres.database", POSTGRES, "d"],
    ["source.postgres.settings.syncIntervalSeconds", POSTGRES, 5],
    ["destination.columns", KAFKA, [{ name: "x", type: "String" }]],
    ["fieldMappings", KAFKA, []],
    ["settings.engineMaxInsertThreads", KAFKA, 9, "settings.engine_max_insert_threads"],
    ["settings.engineParallelViewProcessing", KAFKA, true, "settings.engine_parallel_view_processing"],
  ])("a Pipe sends a changed %s alone, and only once", async (argument, pipeId, value, place = argument) => {
    const program = withValue(at(pipeId), argument.split("."), value);
    const { requests } = await runPrograms(seeded.api, pipe(), at(pipeId), program, program);
    // The simulator's journal shows no secret.
    const shown = /credentials|connectionString|accessKey/.test(argument) ? "[secret]" : value;
    expect(requests).toEqual([[GET], [[PATCH, withValue({}, place.split("."), shown)]], []]);
  });

  test("a Pipe sends table mappings as additions and removals", async () => {
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
      seeded.api,
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

  test("a Pipe adopts only a source of the type that the pipe has, and at most one", async () => {
    const handlers = pipe();
    const wrong = await checkInputs(handlers, { ...at(KAFKA), source: { kinesis: { iamRole: role } } });
    const { id, outs } = await runPrograms(seeded.api, handlers, at(KAFKA));
    expect((await failureOf(handlers.update(id, outs, wrong))).message).toContain("its source is kafka");
    expect((await failureOf(handlers.create(wrong))).message).toContain(
      "its source is kafka but the program declares kinesis",
    );
    const { failures } = await handlers.check(
      {},
      { ...at(KAFKA), source: { kinesis: { iamRole: "r" }, kafka: { iamRole: "r" } } },
    );
    expect(failures?.[0]?.reason).toContain(
      "source is invalid: must declare at most one kind, but has kafka and kinesis",
    );
  });

  test("a Pipe parses amounts with units", async () => {
    const scaling = { replicas: 0, replicaCpuMillicores: "2", replicaMemoryGb: "4096Mi" };
    await seeded.api.faults({ effect: { kind: "answer", result: { scaling } } });
    const { outs } = await runPrograms(seeded.api, pipe(), at(KAFKA));
    expect(outs.scaling).toEqual({ replicas: 0, replicaCpuMillicores: 2000, replicaMemoryGb: 4 });
  });

  test("a Pipe shows drift of declared values, keeps its secrets, and announces its release", async () => {
    const handlers = pipe();
    const credentials = { username: "u", password: "hush" };
    const program = {
      ...at(POSTGRES),
      source: { postgres: { port: 5432, credentials } },
      settings: { engineMaxThreads: 8 },
    };
    const { id, outs } = await runPrograms(seeded.api, handlers, program);
    await seeded.api.change("PATCH", `/${SERVICE}/pipes/${POSTGRES}`, {
      source: { postgres: { port: 1, host: "elsewhere" } },
      settings: { engine_max_threads: 1, engine_max_insert_threads: 1 },
    });
    const { inputs } = await handlers.read(id, outs);
    expect(inputs).toEqual({
      ...at(POSTGRES),
      organizationId: seeded.simulator.organizationId,
      source: { postgres: { port: 1, credentials } },
      settings: { engineMaxThreads: 1 },
    });
    await seeded.api.requests();
    await handlers.delete(id, outs);
    expect(handlers.messages.at(-1)).toMatch(/^The pipe .* keeps its current settings/);
    expect(await seeded.api.requests()).toEqual([]);
  });

  test("a Pipe recognizes the type of a source whose only property is unusable", async () => {
    await seeded.api.faults({
      method: "GET",
      effect: { kind: "answer", result: { source: { kinesis: { timestamp: "2026" } } } },
    });
    const handlers = pipe();
    const inputs = await checkInputs(handlers, { ...at(KINESIS), source: { kafka: { iamRole: "role" } } });
    const failure = await failureOf(handlers.create(inputs));
    expect(failure.message).toContain("its source is kinesis but the program declares kafka");
    expect(handlers.messages.at(-1)).toContain("has a value of an undocumented type in source.kinesis;");
    expect((await seeded.api.requests()).map(({ request }) => request)).toEqual([expect.stringMatching(/^GET/)]);
  });

  test("another pipeId requires replacement", async () => {
    const handlers = pipe();
    const { id, outs } = await runPrograms(seeded.api, handlers, at(KAFKA));
    expect(await handlers.diff(id, outs, await checkInputs(handlers, at(KINESIS)))).toMatchObject({
      replaces: ["pipeId"],
    });
  });
});
