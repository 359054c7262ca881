import { clock } from "../../../provider/hosts/process";
import type { Properties } from "../../support/adapters/handlers";
import { asset, plain, secret } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { freePort } from "../../support/free-port";
import { failureOf } from "../support";
import { startEngine, up, useEngine } from "./support";

const engine = useEngine();

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
    expect(await engine.diff("Service", "db", id, state, inputs)).toMatchObject({ changes: "none" });
    const more = { ...inputs, numReplicas: 4 };
    expect(await engine.diff("Service", "db", id, state, more)).toEqual({
      changes: "unknown",
      replaces: [],
      deleteBeforeReplace: true,
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
    expect(await engine.diff(type, "one", id, created.state, inputs)).toMatchObject({ changes: "unknown" });
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

  test("deletes before it replaces, and refuses to delete a created service", async () => {
    const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
    await engine.api.requests();
    const moved = { ...inputs, region: "eu-west-1" };
    expect(await engine.diff("Service", "db", id, state, moved)).toEqual({
      changes: "unknown",
      replaces: ["region"],
      deleteBeforeReplace: true,
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
    const withFile = { ...SERVICE, ipAccessList: [{ source: asset("x") }] };
    const failure = await failureOf(engine.check("Service", "db", withFile));
    expect(failure.message).toBe(
      "ipAccessList[0].source must not be an asset or an archive: pass the value itself. [CDB1012]",
    );
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
    expect(await engine.diff("Service", "db", id, state, inputs, inputs)).toMatchObject({ changes: "some" });
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
    expect(failure.message).toBe("Unknown resource type clouddb:index:Table. [CDB9002]");
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
      {
        property: "",
        reason: expect.stringMatching(/^"first" and "second" both manage .* keep only one of them\. \[CDB4009\]$/),
      },
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
      `"db" and "size" both manage numReplicas of ${id}, and each would undo the other's changes: keep only one of them. [CDB4009]`,
    );
    await engine.configure({});
    expect((await engine.check("ServiceScaling", "size", { serviceId: id, numReplicas: 3 })).failures).toEqual([]);
    await engine.check("Service", "db", SERVICE, inputs);
    const failure = await failureOf(engine.diff("Service", "db", id, state, inputs));
    expect(failure.message).toMatch(/^"size" and "db" both manage .*numReplicas/);
    const other = await engine.check("ServiceScaling", "other", { serviceId: EXAMPLE.otherService, numReplicas: 3 });
    expect(other.failures).toEqual([]);
  });
});

test("writes nothing for an engine that is gone", async () => {
  const left = await startEngine({ isEngineAlive: async () => false });
  const { inputs } = await left.check("Service", "db", SERVICE);
  const failure = await failureOf(left.create("Service", "db", inputs));
  expect(failure.message).toContain("Nothing was created.");
  expect(await left.api.requests()).toEqual([]);
});

test("waits for no endpoint once the engine is gone", async () => {
  let isAlive = true;
  const left = await startEngine({ isEngineAlive: async () => isAlive, clock });
  const endpoints = [{ protocol: "mysql", host: "127.0.0.1", port: await freePort() }];
  await left.api.faults({ method: "POST", effect: { kind: "answer", result: { endpoints } } });
  const { inputs } = await left.check("Service", "db", { ...SERVICE, waitForEndpoint: true });
  const creation = failureOf(left.create("Service", "db", inputs));
  while (left.messages.length === 0) await clock.sleep(10);
  isAlive = false;
  expect((await creation).message).toMatch(/: the Pulumi engine exited before it answered at .* \[CDB4015\]$/);
});

test("the state of a dynamic resource is taken over without a change", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  const entry = { __provider: 'exports.handler=()=>require("pulumi-clouddb/runtime").service' };
  const checked = await engine.check("Service", "db", SERVICE, { ...plain(inputs), ...entry });
  const stored = { ...plain(state), ...entry };
  expect(checked.inputs).not.toHaveProperty("__provider");
  expect(await engine.diff("Service", "db", id, stored, checked.inputs)).toMatchObject({ changes: "none" });
  expect(await engine.read("Service", "db", id, stored)).toMatchObject({ state: entry });
});
