import { service as serviceType } from "../../provider/resources/service/lifecycle";
import { type FaultEffect, type RunningSimulator, startSimulator } from "../../simulator/index";
import { createTestApi, type TestApi } from "../support/api";
import { checkInputs, createHandlers, failureOf, type Properties, providerText } from "./support";

/** The real handlers against the real simulator, in one process, with waits that take no time. */

const PROVIDER = providerText("service");
let simulator: RunningSimulator;
let api: TestApi;
let handlers: ReturnType<typeof createHandlers>;
let messages: string[];

beforeAll(async () => {
  simulator = await startSimulator({ organization: { tier: "ENTERPRISE" } });
  api = createTestApi(simulator);
});
afterAll(() => simulator.close());

beforeEach(async () => {
  await api.reset();
  handlers = handlersFor({});
  messages = handlers.messages;
});

const handlersFor = (environment: Record<string, string>) => createHandlers(serviceType, simulator, environment);
const checkArgs = (args: Properties, olds: Properties = {}) => checkInputs(handlers, PROVIDER, args, olds);

async function createService(args: Properties) {
  const inputs = await checkArgs(args);
  const { id, outs } = await handlers.create(inputs);
  await api.requests();
  return { id, outs: outs as Properties, inputs };
}

const office = { source: "203.0.113.0/24", description: "office" };
const ci = { source: "198.51.100.7", description: "ci" };

describe("creating", () => {
  test("sends the declared arguments and stores the response", async () => {
    const inputs = await checkArgs({ numReplicas: 2, ipAccessList: [office] });
    const { id, outs } = await handlers.create(inputs);
    expect(await api.requests()).toEqual([
      { request: "POST /services", status: 200, body: { name: "db", numReplicas: 2, ipAccessList: [office] } },
    ]);
    expect(outs).toMatchObject({
      name: "db",
      password: expect.stringMatching(/.{20}/),
      serviceEndpoints: [{ protocol: "mysql", port: 3306 }],
      organizationId: simulator.organizationId,
      __declared: ["ipAccessList", "name", "numReplicas", "organizationId"],
    });
    expect(outs).not.toHaveProperty("id", id);
    expect(JSON.parse(JSON.stringify(outs))).toEqual(outs);
  });

  test("sends by PATCH what the POST does not accept", async () => {
    const inputs = await checkArgs({
      hasTransparentDataEncryption: true,
      transparentDataEncryptionKeyId: "key-2",
      privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"],
    });
    await handlers.create(inputs);
    expect(await api.requests()).toEqual([
      { request: "POST /services", status: 200, body: { name: "db", hasTransparentDataEncryption: true } },
      {
        request: "PATCH /services/{id}",
        status: 200,
        body: { transparentDataEncryptionKeyId: "key-2", privateEndpointIds: { add: ["vpce-0a1b2c3d4e5f60001"] } },
      },
    ]);
  });

  test.each<[string, FaultEffect]>([
    ["is cut off before it is applied", { kind: "reset", when: "before" } as const],
    ["is cut off after it is applied", { kind: "reset", when: "after" } as const],
    ...[408, 500, 502, 503, 504].map((status): [string, FaultEffect] => [
      `fails with ${status}`,
      { kind: "status", status },
    ]),
    ["returns an empty id", { kind: "answer", result: { id: "" } } as const],
    ["returns a truncated body", { kind: "truncated" } as const],
    ["returns invalid JSON", { kind: "malformed" } as const],
  ])("is never retried if it %s, and the error says how to adopt the service", async (_, effect) => {
    await api.faults({ method: "POST", effect });
    const failure = await failureOf(handlers.create(await checkArgs({})));
    expect((await api.requests()).filter(({ request }) => request.startsWith("POST"))).toHaveLength(1);
    expect(failure.id).toBeUndefined();
    expect(failure.message).toMatch(/^Creating service "db" in organization 5e0d8c1a/);
    expect(failure.message).toContain("The service may still have been created, at 2026-11-21T10:00:00.000Z");
    expect(failure.message).toContain("set existingServiceId to its id");
    expect(failure.stack).toBe(failure.message);
  });

  test("reports a rejection, and that nothing was created", async () => {
    const failure = await failureOf(handlers.create(await checkArgs({ dataWarehouseId: "none" })));
    expect(failure.message).toMatch(/returned 400, BAD_REQUEST: dataWarehouseId does not exist .*request id/);
    expect(failure.message).toMatch(/Nothing was created\. Fix the problem named in the API's response\.$/);
    expect(await api.services()).toEqual([]);
  });

  test("keeps the declared value with a message if the response has an undocumented type", async () => {
    await api.faults({ method: "POST", effect: { kind: "answer", result: { numReplicas: "many" } } });
    const { id, outs } = await handlers.create(await checkArgs({ numReplicas: 2 }));
    expect(id).toBe((await api.services())[0]?.id);
    expect(outs).toMatchObject({ password: expect.any(String), numReplicas: 2 });
    expect(messages).toEqual([
      `The API's response for service ${id} ("db") has a value of an undocumented type in numReplicas; it was ignored.`,
    ]);
  });

  test("keeps id, password and remaining changes if the second request fails", async () => {
    await api.faults({ method: "PATCH", effect: { kind: "status", status: 403 } });
    const inputs = await checkArgs({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] });
    const failure = await failureOf(handlers.create(inputs));
    expect(failure.properties).toMatchObject({ password: expect.any(String) });
    expect(failure.properties?.privateEndpointIds).toBeUndefined();
    expect(failure.message).toContain("Not done: privateEndpointIds.");
    expect(failure.message).toContain("the next `pulumi up` completes it");
    await api.faults();
    await api.requests();
    await handlers.update(String(failure.id), failure.properties as Properties, inputs);
    expect(await api.requests()).toMatchObject([
      { request: "PATCH /services/{id}", body: { privateEndpointIds: { add: [expect.any(String)] } } },
    ]);
  });

  test("removes access entries that the server added", async () => {
    const own = [office, { source: "0.0.0.0/0", description: "default" }];
    await api.faults({ method: "POST", effect: { kind: "answer", result: { ipAccessList: own } } });
    await handlers.create(await checkArgs({ ipAccessList: [office] }));
    expect((await api.requests())[1]).toMatchObject({
      request: "PATCH /services/{id}",
      body: { ipAccessList: { remove: [own[1]] } },
    });
  });

  test("treats absent, null and empty descriptions as equal", async () => {
    const result = { ipAccessList: [{ source: "198.51.100.7/32", description: null }] };
    await api.faults({ method: "POST", effect: { kind: "answer", result } });
    await handlers.create(await checkArgs({ ipAccessList: [{ source: "198.51.100.7" }] }));
    expect(await api.requests()).toHaveLength(1);
  });

  test("prints the id before the second request, in case the process crashes before it is stored", async () => {
    await handlers.create(await checkArgs({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] }));
    const [made] = await api.services();
    expect(messages).toEqual([
      `Service ${made?.id} ("db") was created in organization ${simulator.organizationId}; applying the remaining arguments.`,
    ]);
  });

  test("keeps the service and reports a response without a password", async () => {
    await api.faults({ method: "POST", effect: { kind: "answer", result: {}, password: null } });
    const failure = await failureOf(handlers.create(await checkArgs({})));
    expect(failure.id).toBe((await api.services())[0]?.id);
    expect(failure.message).toContain("the response contained no password");
  });

  test("names each missing setting, and sends nothing", async () => {
    handlers = handlersFor({ CLOUDDB_BASE_URL: "", CLOUDDB_KEY_SECRET: "" });
    const failure = await failureOf(handlers.create(await checkArgs({})));
    expect(failure.message).toContain("clouddb:baseUrl (CLOUDDB_BASE_URL) is not set: use `pulumi config set`");
    expect(failure.message).toContain("clouddb:keySecret (CLOUDDB_KEY_SECRET) is not set");
  });
});

describe("updating", () => {
  test("sends one request for each operation with a change", async () => {
    const { id, outs } = await createService({ numReplicas: 2, ipAccessList: [office] });
    const wanted = await checkArgs({ name: "db two", numReplicas: 3, ipAccessList: [office, ci] });
    const changed = await handlers.update(id, outs, wanted);
    expect(await api.requests()).toEqual([
      { request: "PATCH /services/{id}", status: 200, body: { name: "db two", ipAccessList: { add: [ci] } } },
      { request: "PATCH /services/{id}/replicaScaling", status: 200, body: { numReplicas: 3 } },
    ]);
    expect(changed.outs).toMatchObject({ password: outs.password, name: "db two", numReplicas: 3 });
  });

  test("removes and adds one entry if its description changes", async () => {
    const { id, outs } = await createService({ ipAccessList: [office, ci] });
    await handlers.update(id, outs, await checkArgs({ ipAccessList: [office, { ...ci, description: "build" }] }));
    expect(await api.requests()).toMatchObject([
      { body: { ipAccessList: { add: [{ ...ci, description: "build" }], remove: [ci] } } },
    ]);
  });

  test("corrects a list once if the server adds before it removes", async () => {
    const { id, outs } = await createService({ ipAccessList: [office, ci] });
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "answer", result: { ipAccessList: [office] } } });
    const other = { ...ci, description: "build" };
    const { outs: after } = await handlers.update(id, outs, await checkArgs({ ipAccessList: [office, other] }));
    expect((await api.requests()).map(({ body }) => body)).toEqual([
      { ipAccessList: { add: [other], remove: [ci] } },
      { ipAccessList: { add: [other] } },
    ]);
    expect(after?.ipAccessList).toEqual([office, other]);
  });

  test("fails if the server ignores a list change twice", async () => {
    const { id, outs } = await createService({ ipAccessList: [office] });
    await api.faults({ method: "PATCH", effect: { kind: "answer", result: { ipAccessList: [office] } } });
    const failure = await failureOf(handlers.update(id, outs, await checkArgs({ ipAccessList: [office, ci] })));
    expect(await api.requests()).toHaveLength(2);
    expect(failure.message).toContain("the API accepted the update of ipAccessList twice");
  });

  test("resends the whole body if it was cut off before it was applied", async () => {
    const { id, outs } = await createService({ ipAccessList: [office] });
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "reset", when: "before" } });
    const wanted = { name: "other", releaseChannel: "slow", ipAccessList: [office, ci] };
    await handlers.update(id, outs, await checkArgs(wanted));
    const [first, , second] = await api.requests();
    expect(second?.body).toEqual(first?.body);
    expect(second?.body).toEqual({ ...wanted, ipAccessList: { add: [ci] } });
  });

  test("reads a list after a connection failure, and resends only what differs", async () => {
    const { id, outs } = await createService({ ipAccessList: [office] });
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "reset", when: "after" } });
    await handlers.update(id, outs, await checkArgs({ ipAccessList: [ci] }));
    expect((await api.requests()).map(({ request }) => request)).toEqual([
      "PATCH /services/{id}",
      "GET /services/{id}",
    ]);
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "reset", when: "before" } });
    await handlers.update(id, { ...outs, ipAccessList: [ci] }, await checkArgs({ ipAccessList: [office] }));
    expect((await api.requests()).map(({ request }) => request)).toEqual([
      "PATCH /services/{id}",
      "GET /services/{id}",
      "PATCH /services/{id}",
    ]);
    expect((await api.services())[0]?.ipAccessList).toEqual([office]);
  });

  test("stores and reports the effect of the first request if the second fails", async () => {
    const { id, outs } = await createService({ numReplicas: 2 });
    await api.faults({ path: "replicaScaling", effect: { kind: "status", status: 422 } });
    const wanted = await checkArgs({ name: "other", numReplicas: 3 });
    const failure = await failureOf(handlers.update(id, outs, wanted));
    expect(failure).toMatchObject({ id, properties: { name: "other", numReplicas: 2, password: outs.password } });
    expect(failure.message).toContain("Done: name. Not done: numReplicas.");
    await api.faults();
    await api.requests();
    await handlers.update(id, failure.properties as Properties, wanted);
    expect(await api.requests()).toMatchObject([{ body: { numReplicas: 3 } }]);
  });

  test("leaves the state as it was if nothing was applied", async () => {
    const { id, outs } = await createService({ numReplicas: 2 });
    await api.faults({ effect: { kind: "status", status: 401, body: "<html>" } });
    const failure = await failureOf(handlers.update(id, outs, await checkArgs({ numReplicas: 3 })));
    expect(failure.id).toBeUndefined();
    expect(failure.message).toMatch(/Check clouddb:keyId .* and clouddb:keySecret/);
    expect(failure.message).not.toContain("<html>");
  });

  test("reads the service before the next update if the last one is uncertain", async () => {
    const { id, outs } = await createService({ numReplicas: 2 });
    await api.faults(
      { method: "PATCH", times: 1, effect: { kind: "reset", when: "after" } },
      { effect: { kind: "status", status: 403 } },
    );
    const failure = await failureOf(handlers.update(id, outs, await checkArgs({ numReplicas: 5 })));
    expect(failure.message).toContain("Not confirmed: numReplicas.");
    expect(failure).toMatchObject({ id, properties: { numReplicas: 2, password: outs.password } });
    await api.faults();
    await api.requests();
    // The program reverts to what the state still shows: only a read can tell that the server differs.
    const back = await handlers.update(id, failure.properties as Properties, await checkArgs({ numReplicas: 2 }));
    expect((await api.requests()).map(({ request }) => request)).toEqual([
      "GET /services/{id}",
      "PATCH /services/{id}/replicaScaling",
    ]);
    expect((await api.services())[0]?.numReplicas).toBe(2);
    expect(back.outs).not.toHaveProperty("__uncertain");
  });

  test("leaves a protocol unchanged that is no longer declared", async () => {
    const both = [
      { protocol: "mysql", enabled: true },
      { protocol: "https", enabled: true },
    ];
    const { id, outs } = await createService({ endpoints: both });
    const { outs: after } = await handlers.update(id, outs, await checkArgs({ endpoints: both.slice(0, 1) }));
    expect(await api.requests()).toEqual([]);
    expect(after?.endpoints).toEqual(both.slice(0, 1));
  });

  test("resends a release channel that was undeclared meanwhile, since it cannot be read", async () => {
    const { id, outs } = await createService({ releaseChannel: "fast" });
    const { outs: undeclared } = await handlers.update(id, outs, await checkArgs({}));
    await handlers.update(id, undeclared as Properties, await checkArgs({ releaseChannel: "fast" }));
    expect(await api.requests()).toMatchObject([{ body: { releaseChannel: "fast" } }]);
  });

  test("waits until the service is ready", async () => {
    const { id, outs } = await createService({ numReplicas: 2 });
    await api.faults({ method: "PATCH", times: 5, effect: { kind: "status", status: 409 } });
    await handlers.update(id, outs, await checkArgs({ numReplicas: 3 }));
    expect(await api.requests()).toHaveLength(6);
  });

  test("sends nothing if arguments are removed", async () => {
    const { id, outs } = await createService({
      numReplicas: 4,
      region: "us-east-1",
      endpoints: [{ protocol: "mysql", enabled: false }],
    });
    const { outs: after } = await handlers.update(id, outs, await checkArgs({}));
    expect(await api.requests()).toEqual([]);
    expect(after).toMatchObject({ numReplicas: 4, region: "us-east-1", __declared: ["name", "organizationId"] });
  });

  test("sends only the endpoints that change", async () => {
    const { id, outs } = await createService({ endpoints: [{ protocol: "mysql", enabled: true }] });
    const off = [{ protocol: "mysql", enabled: false }];
    const { outs: after } = await handlers.update(id, outs, await checkArgs({ endpoints: off }));
    expect(await api.requests()).toMatchObject([{ body: { endpoints: off } }]);
    expect(after).toMatchObject({ endpoints: off, serviceEndpoints: [] });
  });
});

describe("adopting", () => {
  const existing = async (body: Properties = {}) =>
    String(((await api.change("POST", "", { name: "old", ...body })).service as Properties).id);

  test("reads, and sends nothing if nothing differs", async () => {
    const existingServiceId = await existing({ numReplicas: 4 });
    const { id, outs } = await handlers.create(await checkArgs({ existingServiceId, numReplicas: 4 }));
    expect(id).toBe(existingServiceId);
    expect(outs).toMatchObject({ name: "old", numReplicas: 4 });
    expect(await api.requests()).toMatchObject([{ request: "GET /services/{id}" }]);
  });

  test("updates only what differs", async () => {
    const existingServiceId = await existing({ ipAccessList: [office, ci], endpoints: [] });
    await handlers.create(
      await checkArgs({ existingServiceId, ipAccessList: [office], endpoints: [{ protocol: "mysql", enabled: true }] }),
    );
    expect(await api.requests()).toMatchObject([
      { request: "GET /services/{id}" },
      { request: "PATCH /services/{id}", body: { ipAccessList: { remove: [ci] } } },
    ]);
  });

  test("rejects a difference that only a creation could set", async () => {
    const existingServiceId = await existing({ hasTransparentDataEncryption: true });
    const failure = await failureOf(
      handlers.create(await checkArgs({ existingServiceId, hasTransparentDataEncryption: false, region: "us-east-1" })),
    );
    expect(failure.message).toContain("hasTransparentDataEncryption is true but the program declares false");
    expect(await api.requests()).toHaveLength(1);
  });

  test("existingServiceId causes no change if it stays, is removed or is the service's own id", async () => {
    const existingServiceId = await existing();
    const { id, outs } = await handlers.create(await checkArgs({ existingServiceId }));
    for (const args of [{ existingServiceId }, {}]) {
      const inputs = await checkArgs(args, { existingServiceId });
      expect(await handlers.diff(id, outs as Properties, inputs)).toMatchObject({ changes: false, replaces: [] });
    }
    const other = await createService({});
    const own = await checkArgs({ existingServiceId: other.id }, other.inputs);
    expect(await handlers.diff(other.id, other.outs, { ...own, name: "db" })).toMatchObject({ changes: false });
    const another = await checkArgs({ existingServiceId: simulator.organizationId });
    expect(await handlers.diff(id, outs as Properties, another)).toMatchObject({ replaces: ["existingServiceId"] });
  });

  test("is undone by removing the service from the state, with a message", async () => {
    const existingServiceId = await existing();
    const { id, outs } = await handlers.create(await checkArgs({ existingServiceId }));
    await handlers.delete(id, outs as Properties);
    expect(messages).toEqual([expect.stringMatching(/^Service .* \("old"\) keeps running and costing money/)]);
  });
});

describe("reading", () => {
  test("shows drift of declared values only", async () => {
    const { id, outs } = await createService({ numReplicas: 2, ipAccessList: [office] });
    await api.change("PATCH", `/${id}/replicaScaling`, { numReplicas: 5, idleTimeoutMinutes: 60 });
    await api.change("PATCH", `/${id}`, { ipAccessList: { add: [ci] } });
    const { props, inputs } = await handlers.read(id, outs);
    expect(await api.requests()).toMatchObject([{ request: "GET /services/{id}" }]);
    expect(inputs).toEqual({
      name: "db",
      organizationId: simulator.organizationId,
      numReplicas: 5,
      ipAccessList: [office, ci],
    });
    expect(props).toMatchObject({ password: outs.password, idleTimeoutMinutes: 60 });
  });

  test("keeps the declared spelling and create-only values", async () => {
    const { id, outs } = await createService({ ipAccessList: [{ source: "198.51.100.7" }], isReadonly: false });
    const result = { ipAccessList: [{ source: "198.51.100.7/32", description: "" }], isReadonly: true };
    await api.faults({ effect: { kind: "answer", result } });
    expect((await handlers.read(id, outs)).inputs).toMatchObject({
      ipAccessList: [{ source: "198.51.100.7" }],
      isReadonly: false,
    });
  });

  test("shows only the declared protocols", async () => {
    const { id, outs } = await createService({ endpoints: [{ protocol: "mysql", enabled: true }] });
    await api.change("PATCH", `/${id}`, {
      endpoints: [
        { protocol: "mysql", enabled: false },
        { protocol: "https", enabled: true },
      ],
    });
    expect((await handlers.read(id, outs)).inputs?.endpoints).toEqual([{ protocol: "mysql", enabled: false }]);
  });

  test("removes a service that no longer exists from state, and says where its password is", async () => {
    const { outs } = await createService({});
    expect(await handlers.read("3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640", outs)).toEqual({});
    expect(messages).toEqual([expect.stringMatching(/3f0c1d9e.*"db".*5e0d8c1a.*history still holds its password/)]);
  });

  test.each([401, 403, 409, 500])("keeps a service in state after a %i", async (status) => {
    const { id, outs } = await createService({});
    await api.faults({ effect: { kind: "status", status } });
    await failureOf(handlers.read(id, outs));
    expect(messages).toEqual([]);
  });

  test("reads in the stored organization, regardless of the current setting", async () => {
    const { id, outs } = await createService({});
    handlers = handlersFor({ CLOUDDB_ORGANIZATION_ID: "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640" });
    expect((await handlers.read(id, outs)).id).toBe(id);
  });

  test("reads in the organization of the settings if the program passes null", async () => {
    const { id } = await createService({});
    expect((await handlers.read(id, { organizationId: null })).id).toBe(id);
  });

  test("sends nothing with invalid settings", async () => {
    const { id, outs } = await createService({});
    handlers = handlersFor({ CLOUDDB_BASE_URL: "http://api.example.com" });
    expect((await failureOf(handlers.read(id, outs))).message).toContain(
      "must use https, since plain HTTP sends the credentials unencrypted",
    );
  });

  test("keeps a service in state after an HTML page", async () => {
    const { id, outs } = await createService({});
    const page = { kind: "status", status: 404, body: "<html>", headers: { "content-type": "text/html" } } as const;
    await api.faults({ effect: page });
    expect((await failureOf(handlers.read(id, outs))).message).toContain("is the base URL of the API");
  });
});

describe("deleting and replacing", () => {
  test("a created service cannot be deleted, and the error says how to release it", async () => {
    const { id, outs } = await createService({});
    const failure = await failureOf(handlers.delete(id, outs));
    expect(failure.message).toMatch(/the API cannot delete services.*retainOnDelete: true/);
    expect(await api.requests()).toEqual([]);
  });

  test("a created service cannot be deleted even after its own id was declared", async () => {
    const { id, outs } = await createService({});
    const { outs: after } = await handlers.update(id, outs, await checkArgs({ existingServiceId: id, name: "other" }));
    expect((await failureOf(handlers.delete(id, after as Properties))).message).toContain("cannot delete services");
  });

  test("another spelling of an id does not cause a replacement", async () => {
    const { id, outs } = await createService({});
    const upper = await checkArgs({ organizationId: simulator.organizationId.toUpperCase() });
    expect(await handlers.diff(id, outs, upper)).toMatchObject({ changes: false, replaces: [] });
  });

  test("a replacement is announced with its reason and what to do", async () => {
    const { id, outs } = await createService({ region: "us-east-1" });
    const difference = await handlers.diff(id, outs, await checkArgs({ region: "eu-west-1" }));
    expect(difference).toEqual({ replaces: ["region"], deleteBeforeReplace: true });
    expect(messages[0]).toMatch(
      /^Changing region from "us-east-1" to "eu-west-1" of service .*keep running.*retainOnDelete/,
    );
  });
});

test("no message contains a secret, even if the server echoes it", async () => {
  const echo = { error: `BAD_REQUEST: key d1sk-key of ${simulator.keySecret} is no good`, status: 400 };
  await api.faults({ effect: { kind: "status", status: 400, body: echo } });
  const failure = await failureOf(handlers.create(await checkArgs({ encryptionKey: "d1sk-key" })));
  expect(failure.message).toContain("key [secret] of [secret] is no good");
});

test("a list missing from the response to its update is read before it is stored", async () => {
  const { id, outs } = await createService({});
  await api.faults({ method: "PATCH", effect: { kind: "answer", result: { ipAccessList: null } } });
  const { outs: after } = await handlers.update(id, outs, await checkArgs({ ipAccessList: [office] }));
  expect((await api.requests()).map(({ request }) => request)).toEqual(["PATCH /services/{id}", "GET /services/{id}"]);
  expect(after).toMatchObject({ ipAccessList: [office] });
  await api.faults(
    { method: "PATCH", effect: { kind: "answer", result: { ipAccessList: null } } },
    { method: "GET", effect: { kind: "status", status: 403 } },
  );
  const failure = await failureOf(
    handlers.update(id, after as Properties, await checkArgs({ ipAccessList: [office, ci] })),
  );
  expect(failure.message).toContain("Not confirmed: ipAccessList.");
  expect(failure.properties).toMatchObject({ __uncertain: ["ipAccessList"] });
});

test("no message contains a new password, and an empty one counts as missing", async () => {
  const password = "Generated-Pass-1";
  await api.faults(
    { method: "POST", times: 1, effect: { kind: "answer", result: {}, password } },
    { method: "PATCH", effect: { kind: "status", status: 422, body: { error: `CONFLICT: ${password}`, status: 422 } } },
  );
  const failure = await failureOf(handlers.create(await checkArgs({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] })));
  expect(failure.message).toContain("CONFLICT: [secret]");
  expect(failure.properties).toMatchObject({ password });
  await api.faults({ method: "POST", effect: { kind: "answer", result: {}, password: "" } });
  expect((await failureOf(handlers.create(await checkArgs({})))).message).toContain(
    "the response contained no password",
  );
});

test("no message contains an old secret that only the state still has", async () => {
  const { id, outs } = await createService({ encryptionKey: "first-key" });
  const echo = { error: `CONFLICT: first-key and ${outs.password}`, status: 422 };
  await api.faults({ effect: { kind: "status", status: 422, body: echo } });
  const failure = await failureOf(handlers.update(id, outs, await checkArgs({ name: "other" })));
  expect(failure.message).toContain("CONFLICT: [secret] and [secret]");
});

test("no message about a replacement or a contradiction contains a secret", async () => {
  const { id, outs } = await createService({ encryptionKey: "first-key" });
  await handlers.diff(id, outs, await checkArgs({ encryptionKey: "second-key" }));
  expect(messages[0]).toMatch(/^Changing encryptionKey of service \S+ requires a new service/);
  expect(messages.join()).not.toMatch(/first-key|second-key/);
});

test("a partial failure stores the runtime's name, and its reasons are redacted like its message", async () => {
  const { id, outs } = await createService({ numReplicas: 2, encryptionKey: "d1sk-key" });
  const echo = { error: "CONFLICT: d1sk-key", status: 422 };
  await api.faults({ path: "replicaScaling", effect: { kind: "status", status: 422, body: echo } });
  const wanted = await checkArgs({ name: "other", numReplicas: 3, encryptionKey: "d1sk-key" });
  const failure = await failureOf(handlers.update(id, outs, wanted));
  expect(failure.properties?.__provider).toBe(PROVIDER);
  expect(failure.reasons).toEqual([failure.message]);
  expect(failure.message).toContain("CONFLICT: [secret]");
});

test("a missing or null property counts as absent, and only the id is required", async () => {
  const nothing = Object.fromEntries(Object.keys((await createService({})).outs).map((name) => [name, null]));
  await api.faults({ effect: { kind: "answer", result: { ...nothing, endpoints: null } } });
  const { id, outs } = await handlers.create(await checkArgs({ numReplicas: 2, ipAccessList: [office] }));
  const { inputs } = await handlers.read(id, outs as Properties);
  expect(inputs).toMatchObject({ ipAccessList: [] });
  expect(inputs).not.toHaveProperty("numReplicas");
  expect(outs).toMatchObject({ numReplicas: 2, ipAccessList: [office] });
});

test("a declared organization takes precedence over the setting", async () => {
  const organizationId = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
  expect(await checkArgs({ organizationId })).toMatchObject({ organizationId });
});

test("a multi-line secret is redacted from an echo", async () => {
  const key = "-----BEGIN\nhush hush\n-----END";
  const echo = { error: `BAD_REQUEST: ${key} is no key`, status: 400 };
  await api.faults({ effect: { kind: "status", status: 400, body: echo } });
  const failure = await failureOf(handlers.create(await checkArgs({ encryptionKey: key })));
  expect(failure.message).toContain("BAD_REQUEST: [secret] is no key");
});

test("a read without an organization names the setting, and sends nothing", async () => {
  handlers = handlersFor({ CLOUDDB_ORGANIZATION_ID: "" });
  const failure = await failureOf(handlers.read("3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640", { __provider: PROVIDER }));
  expect(failure.message).toContain("clouddb:organizationId (CLOUDDB_ORGANIZATION_ID). Nothing was changed.");
  expect(await api.requests()).toEqual([]);
});

test("an invalid setting fails the check, which names it", async () => {
  handlers = handlersFor({ CLOUDDB_PAID: "perhaps" });
  const { failures } = await handlers.check({}, { __provider: PROVIDER });
  expect(failures).toEqual([
    { property: "", reason: "clouddb:paid (CLOUDDB_PAID) is invalid: must be true or false." },
  ]);
});
