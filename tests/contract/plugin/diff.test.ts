import type { Properties } from "../../support/adapters/handlers";
import { secret, UNKNOWN } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { up, useEngine } from "./support";

const engine = useEngine();

const requests = async () => (await engine.api.requests()).map(({ request }) => request);

const SERVICE = { provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3 };
const PIPE = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka };

describe("detailed diff", () => {
  const entries = (...sources: string[]) => sources.map((source) => ({ source, description: "" }));
  const [A, B, C, D] = ["203.0.113.1", "203.0.113.2", "203.0.113.3", "203.0.113.4"] as const;

  test.each<[string, string[], Properties]>([
    ["a removed entry in the middle", [A, C], { "ipAccessList[1]": "DELETE" }],
    ["an added entry", [A, B, C, D], { "ipAccessList[3]": "ADD" }],
    ["an exchanged entry", [A, D, C], { "ipAccessList[1]": "UPDATE" }],
    ["another order", [C, A, B], {}],
    ["an emptied list", [], { "ipAccessList[0]": "DELETE", "ipAccessList[1]": "DELETE", "ipAccessList[2]": "DELETE" }],
  ])("shows %s as what it is", async (_, sources, expected) => {
    const { id, inputs, state } = await up(engine, "Service", "db", { ...SERVICE, ipAccessList: entries(A, B, C) });
    const next = await engine.check("Service", "db", { ...inputs, ipAccessList: entries(...sources) }, inputs);
    const { changes, places } = await engine.diff("Service", "db", id, state, next.inputs);
    expect({ changes, places }).toEqual({
      changes: Object.keys(expected).length === 0 ? "none" : "some",
      places: expected,
    });
  });

  test("shows arguments that come and go, and places in groups", async () => {
    const settings = { streamingMaxInsertWaitMs: 4000 };
    const { id, inputs, state } = await up(engine, "Pipe", "orders", { ...PIPE, name: "orders", settings });
    const { name: _, ...others } = inputs;
    const next = { ...others, settings: { streamingMaxInsertWaitMs: 5000, objectStorageConcurrency: 2 } };
    expect((await engine.diff("Pipe", "orders", id, state, next)).places).toEqual({
      "settings.streamingMaxInsertWaitMs": "UPDATE",
      "settings.objectStorageConcurrency": "ADD",
    });
  });

  test("an entry of another owner that is no longer declared is no removal", async () => {
    const office = { source: "203.0.113.0/24", description: "office" };
    const jobs = { source: "192.0.2.1", description: "jobs" };
    const args = { serviceId: EXAMPLE.service, ipAccessList: [office, jobs] };
    const { id, inputs, state } = await up(engine, "ServiceAccess", "web", args);
    await requests();
    const fewer = { ...inputs, ipAccessList: [jobs] };
    const { changes, places } = await engine.diff("ServiceAccess", "web", id, state, fewer);
    expect({ changes, places }).toEqual({ changes: "some", places: {} });
    expect(engine.messages.at(-1)?.text).toBe(
      `The access to service ${id} keeps what the program does not declare: ipAccessList[0]. [CDB5005]`,
    );
    await engine.update("ServiceAccess", "web", id, state, fewer);
    expect(await requests()).toEqual([]);
    const none = { ...inputs, ipAccessList: [office] };
    expect((await engine.diff("ServiceAccess", "web", id, state, none)).places).toEqual({
      "ipAccessList[1]": "DELETE",
    });
  });

  test("a value that is no longer declared is no removal: nothing is sent, and the server keeps it", async () => {
    const endpoints = ["mysql", "https"].map((protocol) => ({ protocol, enabled: true }));
    const { id, inputs, state } = await up(engine, "Service", "db", { ...SERVICE, endpoints });
    const { numReplicas: _, ...rest } = inputs;
    const others = { ...rest, endpoints: endpoints.slice(0, 1) };
    await requests();
    const { changes, places } = await engine.diff("Service", "db", id, state, others);
    expect({ changes, places }).toEqual({ changes: "some", places: {} });
    expect(engine.messages.at(-1)).toEqual({
      severity: 1,
      name: "db",
      text: `The service ${id} keeps what the program does not declare: numReplicas, endpoints[1]. [CDB5005]`,
    });
    await engine.update("Service", "db", id, state, others);
    expect(await requests()).toEqual([]);
  });

  test("a group that is unknown as a whole is one place", async () => {
    const settings = { streamingMaxInsertWaitMs: 4000 };
    const { id, inputs, state } = await up(engine, "Pipe", "orders", { ...PIPE, settings });
    const next = { ...inputs, settings: UNKNOWN, source: { kafka: UNKNOWN } };
    expect((await engine.diff("Pipe", "orders", id, state, next)).places).toEqual({
      settings: "UPDATE",
      "source.kafka": "ADD",
    });
  });

  test("an unknown value is a change and no replacement", async () => {
    const { id, inputs, state } = await up(engine, "Service", "db", { ...SERVICE, ipAccessList: entries(A) });
    const next = { ...inputs, region: UNKNOWN, ipAccessList: UNKNOWN };
    expect(await engine.diff("Service", "db", id, state, next)).toMatchObject({
      replaces: [],
      places: { region: "UPDATE", ipAccessList: "UPDATE" },
    });
  });
});

describe("preview", () => {
  test("a creation gives the arguments, and unknown values for what only the API knows", async () => {
    const { inputs } = await engine.check("Service", "db", { ...SERVICE, dataWarehouseId: UNKNOWN });
    const { id, state } = await engine.create("Service", "db", inputs, true);
    expect(id).toBe("");
    expect(state).toMatchObject({
      numReplicas: 3,
      dataWarehouseId: UNKNOWN,
      serviceEndpoints: UNKNOWN,
      idleScaling: UNKNOWN,
      password: secret(UNKNOWN),
    });
    // Nothing answers for an argument that no response shows.
    expect(state).not.toHaveProperty("tier");
    expect(await requests()).toEqual([]);
  });

  test("an adopted service has no password, from the first preview on", async () => {
    const { inputs } = await engine.check("Service", "db", { existingServiceId: EXAMPLE.service });
    expect((await engine.create("Service", "db", inputs, true)).state.password).toBeNull();
    const { id, state } = await engine.create("Service", "db", inputs);
    expect(state.password).toBeNull();
    expect((await engine.update("Service", "db", id, state, { ...inputs, numReplicas: 4 }, true)).password).toBeNull();
    const { inputs: unknown } = await engine.check("Service", "db", { existingServiceId: UNKNOWN });
    expect((await engine.create("Service", "db", unknown, true)).state.password).toEqual(secret(UNKNOWN));
  });

  test("an update gives the new arguments and keeps the password", async () => {
    const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
    await engine.api.requests();
    const planned = await engine.update("Service", "db", id, state, { ...inputs, numReplicas: 4 }, true);
    expect(planned).toMatchObject({ numReplicas: 4, password: state.password, serviceEndpoints: UNKNOWN });
    expect(await requests()).toEqual([]);
  });

  test("unknown values of every type pass the check", async () => {
    const { failures, inputs } = await engine.check("Service", "db", {
      ...SERVICE,
      numReplicas: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
      idleScaling: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
      ipAccessList: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
    });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({ numReplicas: UNKNOWN, idleScaling: UNKNOWN, ipAccessList: UNKNOWN });
  });
});
