import { failureOf } from "../contract/support";
import { EXAMPLE } from "../support/example";
import { type Engine, type Properties, plain, secret, startEngine, UNKNOWN, up } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
beforeEach(async () => {
  await engine.api.reset();
  await engine.api.faults();
  await engine.api.requests();
  await engine.configure({});
  engine.messages.length = 0;
});

const requests = async () => (await engine.api.requests()).map(({ request }) => request);

const SERVICE = { provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3 };
/** An answer that repeats what it was sent. */
const ECHO = { status: 400, error: "the key canary-key is not allowed" };
const PIPE = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka };

describe("lifecycle", () => {
  test("creates a service, changes nothing twice, and updates what differs", async () => {
    const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
    expect(await requests()).toEqual(["POST /services"]);
    expect(inputs).toMatchObject({ ...SERVICE, name: "db", organizationId: engine.api.organizationId });
    expect(await engine.diff("Service", "db", id, state, inputs)).toMatchObject({ changes: "none", places: {} });
    const more = { ...inputs, numReplicas: 4 };
    expect(await engine.diff("Service", "db", id, state, more)).toEqual({
      changes: "some",
      replaces: [],
      deleteBeforeReplace: true,
      places: { numReplicas: "UPDATE" },
    });
    const updated = await engine.update("Service", "db", id, state, more);
    expect(updated.numReplicas).toBe(4);
    const refreshed = await engine.read("Service", "db", id, updated);
    expect(refreshed).toMatchObject({ id, inputs: more });
    expect(await requests()).toEqual(["PATCH /services/{id}/replicaScaling", "GET /services/{id}"]);
    expect(await engine.diff("Service", "db", id, refreshed.state, more)).toMatchObject({ changes: "none" });
  });

  test.each<[string, Properties, Properties, string?]>([
    ["ServiceScaling", { serviceId: EXAMPLE.service, numReplicas: 5 }, { numReplicas: 6 }, EXAMPLE.service],
    ["Pipe", { ...PIPE, name: "renamed" }, { name: "again" }, EXAMPLE.pipes.kafka],
    ["Organization", { name: "One" }, { name: "Two" }],
  ])("adopts, updates, refreshes and releases a %s", async (type, args, change, id = engine.api.organizationId) => {
    const created = await up(engine, type, "one", args);
    expect(created.id).toBe(id);
    const inputs = { ...created.inputs, ...change };
    const places = Object.fromEntries(Object.keys(change).map((name) => [name, "UPDATE"]));
    expect(await engine.diff(type, "one", id, created.state, inputs)).toMatchObject({ changes: "some", places });
    const updated = await engine.update(type, "one", id, created.state, inputs);
    expect(updated).toMatchObject(change);
    const refreshed = await engine.read(type, "one", id, updated);
    expect(refreshed).toMatchObject({ id, inputs });
    expect(await engine.diff(type, "one", id, refreshed.state, inputs)).toMatchObject({ changes: "none" });
    await engine.api.requests();
    await engine.delete(type, "one", id, updated);
    expect(await requests()).toEqual([]);
    expect(engine.messages).toContainEqual(
      expect.objectContaining({ name: "one", text: expect.stringContaining("only removed from the stack") }),
    );
  });

  test("never deletes or doubles a created service, whatever the program's options", async () => {
    const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
    await engine.api.requests();
    const moved = { ...inputs, region: "eu-west-1" };
    expect(await engine.diff("Service", "db", id, state, moved)).toEqual({
      changes: "some",
      replaces: ["region"],
      deleteBeforeReplace: true,
      places: { region: "UPDATE_REPLACE" },
    });
    expect(engine.messages).toContainEqual({
      severity: 2,
      name: "db",
      text: expect.stringContaining('Changing region from "us-east-1" to "eu-west-1"'),
    });
    const failure = await failureOf(engine.delete("Service", "db", id, state));
    expect(failure.message).toContain("the API cannot delete services");
    expect(failure.message).toContain("`retainOnDelete: true`");
    expect(await requests()).toEqual([]);
  });

  test("a refresh drops what the API says is gone", async () => {
    const { id, state } = await up(engine, "ServiceScaling", "size", { serviceId: EXAMPLE.service, numReplicas: 3 });
    await engine.api.faults({ method: "GET", effect: { kind: "status", status: 404 } });
    expect(await engine.read("ServiceScaling", "size", id, state)).toEqual({ id: "" });
    expect(engine.messages.at(-1)).toMatchObject({ name: "size", text: expect.stringContaining("no longer exists") });
  });
});

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
      name: "DELETE",
      "settings.streamingMaxInsertWaitMs": "UPDATE",
      "settings.objectStorageConcurrency": "ADD",
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

describe("secrets", () => {
  test("marks secret arguments and outputs, nested ones too", async () => {
    const { inputs, state } = await up(engine, "Service", "db", { ...SERVICE, encryptionKey: "canary-key" });
    expect(inputs.encryptionKey).toEqual(secret("canary-key"));
    expect(state.encryptionKey).toEqual(secret("canary-key"));
    expect(state.password).toEqual(secret(expect.stringMatching(/./)));
    const credentials = { username: "reader", password: "canary-pipe" };
    const pipe = await up(engine, "Pipe", "orders", { ...PIPE, source: { kafka: { credentials } } });
    expect(pipe.inputs.source).toEqual({ kafka: { credentials: secret(credentials) } });
    expect(pipe.state.source).toEqual({ kafka: { credentials: secret(credentials) } });
  });

  test("takes values that are marked, and refuses assets in one sentence", async () => {
    const { failures } = await engine.check("Service", "db", { ...SERVICE, name: secret("Analytics") });
    expect(failures).toEqual([]);
    const file = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "x" };
    const failure = await failureOf(engine.check("Service", "db", { ...SERVICE, ipAccessList: [{ source: file }] }));
    expect(failure.message).toBe("ipAccessList[0].source must not be an asset or an archive: pass the value itself.");
  });
});

describe("failures", () => {
  test("a partial failure leaves id and password in the state, and the next update finishes", async () => {
    const args = { ...SERVICE, privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] };
    const { inputs } = await engine.check("Service", "db", args);
    await engine.api.faults({ method: "PATCH", effect: { kind: "status", status: 400 } });
    const failure = await failureOf(engine.create("Service", "db", inputs));
    const [service] = (await engine.api.services()).slice(-1);
    expect(failure).toMatchObject({ id: service?.id, reasons: [failure.message] });
    expect(failure.message).toContain("It is in the stack");
    expect(failure.properties?.password).toEqual(secret(expect.stringMatching(/./)));
    await engine.api.faults();
    await engine.api.requests();
    const { id = "", properties: state = {} } = failure;
    expect(await engine.diff("Service", "db", id, state, inputs)).toMatchObject({ changes: "some" });
    await engine.update("Service", "db", id, state, inputs);
    expect(await requests()).toEqual(["PATCH /services/{id}"]);
  });

  test("a refused creation is one sentence about one resource, without secrets", async () => {
    const { inputs } = await engine.check("Service", "db", { ...SERVICE, encryptionKey: "canary-key" });
    await engine.api.faults({ method: "POST", effect: { kind: "status", status: 400, body: ECHO } });
    const failure = await failureOf(engine.create("Service", "db", inputs));
    expect(failure.message).toContain("Nothing was created.");
    expect(failure.message).not.toContain("canary-key");
    expect(failure.id).toBeUndefined();
  });

  test("every problem of a resource is a failure without a property", async () => {
    const { failures } = await engine.check("Service", "db", { ...SERVICE, region: "moon", numReplicas: 99, extra: 1 });
    expect(failures.map(({ property }) => property)).toEqual(["", "", ""]);
    expect(failures.map(({ reason }) => reason).join(" ")).toMatch(/extra.*region.*numReplicas/s);
  });

  test("an unknown resource type is named", async () => {
    const failure = await failureOf(engine.check("Table", "t", {}));
    expect(failure.message).toBe("There is no resource type clouddb:index:Table in this package.");
  });

  test("a deprecated argument is said", async () => {
    await engine.check("Service", "db", { ...SERVICE, tier: "production" });
    expect(engine.messages).toContainEqual({
      severity: 2,
      name: "db",
      text: expect.stringContaining("tier is deprecated."),
    });
  });
});

describe("two resources for one thing", () => {
  test.each([
    ["Pipe", { ...PIPE, name: "orders" }],
    ["ServiceScaling", { serviceId: EXAMPLE.service, numReplicas: 3 }],
    ["Organization", { name: "One" }],
    ["Service", { existingServiceId: EXAMPLE.service, name: "Analytics" }],
  ])("refuses a second %s, whatever the language", async (type, args) => {
    expect((await engine.check(type, "first", args)).failures).toEqual([]);
    expect((await engine.check(type, "first", args)).failures).toEqual([]);
    const { failures } = await engine.check(type, "second", args);
    expect(failures).toEqual([
      { property: "", reason: expect.stringMatching(/^"first" and "second" both manage .* keep only one of them\.$/) },
    ]);
    // Another run of the program begins anew.
    await engine.configure({});
    expect((await engine.check(type, "second", args)).failures).toEqual([]);
  });

  test("sees two types that send the same update, once the service is known", async () => {
    const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
    await engine.diff("Service", "db", id, state, inputs);
    const { failures } = await engine.check("ServiceScaling", "size", { serviceId: id, numReplicas: 3 });
    expect(failures[0]?.reason).toBe(
      `"db" and "size" both manage numReplicas of ${id}, and each would undo the other's changes: keep only one of them.`,
    );
    const other = await engine.check("ServiceScaling", "other", { serviceId: EXAMPLE.otherService, numReplicas: 3 });
    expect(other.failures).toEqual([]);
  });
});

test("the state of a dynamic resource is taken over without a change", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  const entry = { __provider: 'exports.handler=()=>require("pulumi-clouddb/runtime").service' };
  const checked = await engine.check("Service", "db", SERVICE, { ...(plain(inputs) as Properties), ...entry });
  const stored = { ...(plain(state) as Properties), ...entry };
  expect(checked.inputs).not.toHaveProperty("__provider");
  expect(await engine.diff("Service", "db", id, stored, checked.inputs)).toMatchObject({ changes: "none" });
  expect(await engine.read("Service", "db", id, stored)).toMatchObject({ state: entry });
});
