import type { Properties } from "../../support/adapters/handlers";
import { secret, UNKNOWN } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { up, useEngine } from "./support";

const engine = useEngine();

const requests = async () => (await engine.api.requests()).map(({ request }) => request);

const SERVICE = { provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3 };
const PIPE = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka };

describe("diff", () => {
  const entries = (...sources: string[]) => sources.map((source) => ({ source, description: "" }));
  const [A, B, C] = ["203.0.113.1", "203.0.113.2", "203.0.113.3"] as const;

  test.each<[string, string[], string]>([
    ["a removed entry is a change", [A, C], "unknown"],
    ["another order is no change", [C, A, B], "none"],
    ["an emptied list is a change", [], "unknown"],
  ])("%s", async (_, sources, expected) => {
    const { id, inputs, state } = await up(engine, "Service", "db", { ...SERVICE, ipAccessList: entries(A, B, C) });
    const next = await engine.check("Service", "db", { ...inputs, ipAccessList: entries(...sources) }, inputs);
    expect(await engine.diff("Service", "db", id, state, next.inputs)).toMatchObject({ changes: expected });
  });

  test("an entry of another owner that is no longer declared is a change without a request", async () => {
    const office = { source: "203.0.113.0/24", description: "office" };
    const jobs = { source: "192.0.2.1", description: "jobs" };
    const args = { serviceId: EXAMPLE.service, ipAccessList: [office, jobs] };
    const { id, inputs, state } = await up(engine, "ServiceAccess", "web", args);
    await requests();
    const fewer = { ...inputs, ipAccessList: [jobs] };
    expect(await engine.diff("ServiceAccess", "web", id, state, fewer)).toMatchObject({ changes: "unknown" });
    await engine.update("ServiceAccess", "web", id, state, fewer);
    expect(await requests()).toEqual([]);
  });

  test("a value that is no longer declared is a change without a request: the server keeps it", async () => {
    const endpoints = ["mysql", "https"].map((protocol) => ({ protocol, enabled: true }));
    const { id, inputs, state } = await up(engine, "Service", "db", { ...SERVICE, endpoints });
    const { numReplicas: _, ...rest } = inputs;
    const others = { ...rest, endpoints: endpoints.slice(0, 1) };
    await requests();
    expect(await engine.diff("Service", "db", id, state, others)).toMatchObject({ changes: "some" });
    await engine.update("Service", "db", id, state, others);
    expect(await requests()).toEqual([]);
  });

  test("an unknown value or group is a change and no replacement", async () => {
    const unknown = { changes: "unknown", replaces: [] };
    const service = await up(engine, "Service", "db", { ...SERVICE, ipAccessList: entries(A) });
    const next = { ...service.inputs, region: UNKNOWN, ipAccessList: UNKNOWN };
    expect(await engine.diff("Service", "db", service.id, service.state, next)).toMatchObject(unknown);
    const pipe = await up(engine, "Pipe", "orders", { ...PIPE, settings: { streamingMaxInsertWaitMs: 4000 } });
    const pending = { ...pipe.inputs, settings: UNKNOWN, source: { kafka: UNKNOWN } };
    expect(await engine.diff("Pipe", "orders", pipe.id, pipe.state, pending)).toMatchObject(unknown);
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
    expect(planned).toMatchObject({ numReplicas: 4, password: state.password, engineVersion: UNKNOWN });
    expect(await requests()).toEqual([]);
  });

  test("an update keeps the endpoints, unless their arguments change", async () => {
    const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
    const planned = async (change: Properties) =>
      (await engine.update("Service", "db", id, state, { ...inputs, ...change }, true)).serviceEndpoints;
    expect(await planned({ numReplicas: 4 })).toEqual(state.serviceEndpoints);
    expect(await planned({ endpoints: [{ protocol: "mysql", enabled: true }] })).toBe(UNKNOWN);
    expect(await planned({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] })).toBe(UNKNOWN);
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
