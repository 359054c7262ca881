import { service as serviceKind } from "../../provider/resources/service/lifecycle";
import { type FaultEffect, type RunningSimulator, startSimulator } from "../../simulator/index";
import { type Steered, steered } from "../support/api";
import { checkedBy, failureOf, handlersOf, type Properties } from "./support";

/** The real handlers against the real simulator, in one process, with waits that take no time. */

const PROVIDER = 'exports.handler=()=>require("pulumi-clouddb/runtime").service';
let simulator: RunningSimulator;
let api: Steered;
let handlers: ReturnType<typeof handlersOf>;
let said: string[];

beforeAll(async () => {
  simulator = await startSimulator({ organization: { tier: "ENTERPRISE" } });
  api = steered(simulator);
});
afterAll(() => simulator.close());

beforeEach(async () => {
  await api.reset();
  handlers = handlersFor({});
  said = handlers.said;
});

const handlersFor = (environment: Record<string, string>) => handlersOf(serviceKind, simulator, environment);
const checked = (args: Properties, olds: Properties = {}) => checkedBy(handlers, PROVIDER, args, olds);

async function created(args: Properties) {
  const inputs = await checked(args);
  const { id, outs } = await handlers.create(inputs);
  await api.requests();
  return { id, outs: outs as Properties, inputs };
}

const office = { source: "203.0.113.0/24", description: "office" };
const ci = { source: "198.51.100.7", description: "ci" };

describe("creating", () => {
  test("sends what is declared and keeps what comes back", async () => {
    const inputs = await checked({ numReplicas: 2, ipAccessList: [office] });
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

  test("sends by PATCH what a creation cannot carry", async () => {
    const inputs = await checked({
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
    ["is cut off before", { kind: "reset", when: "before" } as const],
    ["is cut off after", { kind: "reset", when: "after" } as const],
    ...[408, 500, 502, 503, 504].map((status): [string, FaultEffect] => [
      `ends in a ${status}`,
      { kind: "status", status },
    ]),
    ["is answered by an empty id", { kind: "answer", result: { id: "" } } as const],
    ["is answered by half a body", { kind: "truncated" } as const],
    ["is answered by no JSON", { kind: "malformed" } as const],
  ])("that %s is never sent again, and says how to take the service over", async (_, effect) => {
    await api.faults({ method: "POST", effect });
    const failure = await failureOf(handlers.create(await checked({})));
    expect((await api.requests()).filter(({ request }) => request.startsWith("POST"))).toHaveLength(1);
    expect(failure.id).toBeUndefined();
    expect(failure.message).toMatch(/^Creating service "db" in organization 5e0d8c1a/);
    expect(failure.message).toContain("It may have been created all the same, at 2026-11-21T10:00:00.000Z");
    expect(failure.message).toContain("declare its id as existingServiceId");
    expect(failure.stack).toBe(failure.message);
  });

  test("that is refused says so, and that nothing was created", async () => {
    const failure = await failureOf(handlers.create(await checked({ dataWarehouseId: "none" })));
    expect(failure.message).toMatch(/returned 400, BAD_REQUEST: dataWarehouseId does not exist .*request id/);
    expect(failure.message).toMatch(/Nothing was created\. Correct what the API names\.$/);
    expect(await api.services()).toEqual([]);
  });

  test("that is answered with a field of another type believes what was sent, and says so", async () => {
    await api.faults({ method: "POST", effect: { kind: "answer", result: { numReplicas: "many" } } });
    const { id, outs } = await handlers.create(await checked({ numReplicas: 2 }));
    expect(id).toBe((await api.services())[0]?.id);
    expect(outs).toMatchObject({ password: expect.any(String), numReplicas: 2 });
    expect(said).toEqual([
      `The API's answer about service ${id} ("db") has an undocumented type in numReplicas; it was ignored.`,
    ]);
  });

  test("whose second request fails keeps id, password and what is left to do", async () => {
    await api.faults({ method: "PATCH", effect: { kind: "status", status: 403 } });
    const inputs = await checked({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] });
    const failure = await failureOf(handlers.create(inputs));
    expect(failure.properties).toMatchObject({ password: expect.any(String) });
    expect(failure.properties?.privateEndpointIds).toBeUndefined();
    expect(failure.message).toContain("Not done: privateEndpointIds.");
    expect(failure.message).toContain("the next `pulumi up` does the rest");
    await api.faults();
    await api.requests();
    await handlers.update(String(failure.id), failure.properties as Properties, inputs);
    expect(await api.requests()).toMatchObject([
      { request: "PATCH /services/{id}", body: { privateEndpointIds: { add: [expect.any(String)] } } },
    ]);
  });

  test("takes out access entries that the server put in by itself", async () => {
    const own = [office, { source: "0.0.0.0/0", description: "default" }];
    await api.faults({ method: "POST", effect: { kind: "answer", result: { ipAccessList: own } } });
    await handlers.create(await checked({ ipAccessList: [office] }));
    expect((await api.requests())[1]).toMatchObject({
      request: "PATCH /services/{id}",
      body: { ipAccessList: { remove: [own[1]] } },
    });
  });

  test("counts an absent description, an empty one and none as the same", async () => {
    const result = { ipAccessList: [{ source: "198.51.100.7/32", description: null }] };
    await api.faults({ method: "POST", effect: { kind: "answer", result } });
    await handlers.create(await checked({ ipAccessList: [{ source: "198.51.100.7" }] }));
    expect(await api.requests()).toHaveLength(1);
  });

  test("tells the id before the rest is sent, in case the process does not live to store it", async () => {
    await handlers.create(await checked({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] }));
    const [made] = await api.services();
    expect(said).toEqual([
      `Service ${made?.id} ("db") was created in organization ${simulator.organizationId}; the rest is being set.`,
    ]);
  });

  test("that is answered without a password keeps the service and says so", async () => {
    await api.faults({ method: "POST", effect: { kind: "answer", result: {}, password: null } });
    const failure = await failureOf(handlers.create(await checked({})));
    expect(failure.id).toBe((await api.services())[0]?.id);
    expect(failure.message).toContain("the answer held no password");
  });

  test("without settings names each one, and sends nothing", async () => {
    handlers = handlersFor({ CLOUDDB_BASE_URL: "", CLOUDDB_KEY_SECRET: "" });
    const failure = await failureOf(handlers.create(await checked({})));
    expect(failure.message).toContain("clouddb:baseUrl (CLOUDDB_BASE_URL) is missing: set it with `pulumi config set`");
    expect(failure.message).toContain("clouddb:keySecret (CLOUDDB_KEY_SECRET) is missing");
  });
});

describe("changing", () => {
  test("sends one request for each operation that has something to change", async () => {
    const { id, outs } = await created({ numReplicas: 2, ipAccessList: [office] });
    const wanted = await checked({ name: "db two", numReplicas: 3, ipAccessList: [office, ci] });
    const changed = await handlers.update(id, outs, wanted);
    expect(await api.requests()).toEqual([
      { request: "PATCH /services/{id}", status: 200, body: { name: "db two", ipAccessList: { add: [ci] } } },
      { request: "PATCH /services/{id}/replicaScaling", status: 200, body: { numReplicas: 3 } },
    ]);
    expect(changed.outs).toMatchObject({ password: outs.password, name: "db two", numReplicas: 3 });
  });

  test("of one description removes and adds one entry", async () => {
    const { id, outs } = await created({ ipAccessList: [office, ci] });
    await handlers.update(id, outs, await checked({ ipAccessList: [office, { ...ci, description: "build" }] }));
    expect(await api.requests()).toMatchObject([
      { body: { ipAccessList: { add: [{ ...ci, description: "build" }], remove: [ci] } } },
    ]);
  });

  test("is corrected once where a server adds before it removes", async () => {
    const { id, outs } = await created({ ipAccessList: [office, ci] });
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "answer", result: { ipAccessList: [office] } } });
    const other = { ...ci, description: "build" };
    const { outs: after } = await handlers.update(id, outs, await checked({ ipAccessList: [office, other] }));
    expect((await api.requests()).map(({ body }) => body)).toEqual([
      { ipAccessList: { add: [other], remove: [ci] } },
      { ipAccessList: { add: [other] } },
    ]);
    expect(after?.ipAccessList).toEqual([office, other]);
  });

  test("that is not taken twice is an error", async () => {
    const { id, outs } = await created({ ipAccessList: [office] });
    await api.faults({ method: "PATCH", effect: { kind: "answer", result: { ipAccessList: [office] } } });
    const failure = await failureOf(handlers.update(id, outs, await checked({ ipAccessList: [office, ci] })));
    expect(await api.requests()).toHaveLength(2);
    expect(failure.message).toContain("the API accepted the change of ipAccessList twice");
  });

  test("that was cut off before it was made is sent whole again", async () => {
    const { id, outs } = await created({ ipAccessList: [office] });
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "reset", when: "before" } });
    const wanted = { name: "other", releaseChannel: "slow", ipAccessList: [office, ci] };
    await handlers.update(id, outs, await checked(wanted));
    const [first, , second] = await api.requests();
    expect(second?.body).toEqual(first?.body);
    expect(second?.body).toEqual({ ...wanted, ipAccessList: { add: [ci] } });
  });

  test("of a list that is cut off is looked at, and only what differs is sent", async () => {
    const { id, outs } = await created({ ipAccessList: [office] });
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "reset", when: "after" } });
    await handlers.update(id, outs, await checked({ ipAccessList: [ci] }));
    expect((await api.requests()).map(({ request }) => request)).toEqual([
      "PATCH /services/{id}",
      "GET /services/{id}",
    ]);
    await api.faults({ method: "PATCH", times: 1, effect: { kind: "reset", when: "before" } });
    await handlers.update(id, { ...outs, ipAccessList: [ci] }, await checked({ ipAccessList: [office] }));
    expect((await api.requests()).map(({ request }) => request)).toEqual([
      "PATCH /services/{id}",
      "GET /services/{id}",
      "PATCH /services/{id}",
    ]);
    expect((await api.services())[0]?.ipAccessList).toEqual([office]);
  });

  test("whose second request fails keeps and tells what the first one did", async () => {
    const { id, outs } = await created({ numReplicas: 2 });
    await api.faults({ path: "replicaScaling", effect: { kind: "status", status: 422 } });
    const wanted = await checked({ name: "other", numReplicas: 3 });
    const failure = await failureOf(handlers.update(id, outs, wanted));
    expect(failure).toMatchObject({ id, properties: { name: "other", numReplicas: 2, password: outs.password } });
    expect(failure.message).toContain("Done: name. Not done: numReplicas.");
    await api.faults();
    await api.requests();
    await handlers.update(id, failure.properties as Properties, wanted);
    expect(await api.requests()).toMatchObject([{ body: { numReplicas: 3 } }]);
  });

  test("that fails as a whole leaves the stack as it was", async () => {
    const { id, outs } = await created({ numReplicas: 2 });
    await api.faults({ effect: { kind: "status", status: 401, body: "<html>" } });
    const failure = await failureOf(handlers.update(id, outs, await checked({ numReplicas: 3 })));
    expect(failure.id).toBeUndefined();
    expect(failure.message).toMatch(/Check clouddb:keyId .* and clouddb:keySecret/);
    expect(failure.message).not.toContain("<html>");
  });

  test("whose fate is not known is looked at before the next change", async () => {
    const { id, outs } = await created({ numReplicas: 2 });
    await api.faults(
      { method: "PATCH", times: 1, effect: { kind: "reset", when: "after" } },
      { effect: { kind: "status", status: 403 } },
    );
    const failure = await failureOf(handlers.update(id, outs, await checked({ numReplicas: 5 })));
    expect(failure.message).toContain("Not confirmed: numReplicas.");
    expect(failure).toMatchObject({ id, properties: { numReplicas: 2, password: outs.password } });
    await api.faults();
    await api.requests();
    // The program goes back to what the stack still shows: only a look at the server can tell that it is not so.
    const back = await handlers.update(id, failure.properties as Properties, await checked({ numReplicas: 2 }));
    expect((await api.requests()).map(({ request }) => request)).toEqual([
      "GET /services/{id}",
      "PATCH /services/{id}/replicaScaling",
    ]);
    expect((await api.services())[0]?.numReplicas).toBe(2);
    expect(back.outs).not.toHaveProperty("__uncertain");
  });

  test("leaves a protocol alone that is declared no more", async () => {
    const both = [
      { protocol: "mysql", enabled: true },
      { protocol: "https", enabled: true },
    ];
    const { id, outs } = await created({ endpoints: both });
    const { outs: after } = await handlers.update(id, outs, await checked({ endpoints: both.slice(0, 1) }));
    expect(await api.requests()).toEqual([]);
    expect(after?.endpoints).toEqual(both.slice(0, 1));
  });

  test("sends a release channel again that was declared once, since nobody can read it", async () => {
    const { id, outs } = await created({ releaseChannel: "fast" });
    const { outs: undeclared } = await handlers.update(id, outs, await checked({}));
    await handlers.update(id, undeclared as Properties, await checked({ releaseChannel: "fast" }));
    expect(await api.requests()).toMatchObject([{ body: { releaseChannel: "fast" } }]);
  });

  test("waits for a service that is not ready", async () => {
    const { id, outs } = await created({ numReplicas: 2 });
    await api.faults({ method: "PATCH", times: 5, effect: { kind: "status", status: 409 } });
    await handlers.update(id, outs, await checked({ numReplicas: 3 }));
    expect(await api.requests()).toHaveLength(6);
  });

  test("nothing, when less is declared, sends nothing", async () => {
    const { id, outs } = await created({
      numReplicas: 4,
      region: "us-east-1",
      endpoints: [{ protocol: "mysql", enabled: false }],
    });
    const { outs: after } = await handlers.update(id, outs, await checked({}));
    expect(await api.requests()).toEqual([]);
    expect(after).toMatchObject({ numReplicas: 4, region: "us-east-1", __declared: ["name", "organizationId"] });
  });

  test("endpoints sends the changed ones alone", async () => {
    const { id, outs } = await created({ endpoints: [{ protocol: "mysql", enabled: true }] });
    const off = [{ protocol: "mysql", enabled: false }];
    const { outs: after } = await handlers.update(id, outs, await checked({ endpoints: off }));
    expect(await api.requests()).toMatchObject([{ body: { endpoints: off } }]);
    expect(after).toMatchObject({ endpoints: off, serviceEndpoints: [] });
  });
});

describe("taking over", () => {
  const existing = async (body: Properties = {}) =>
    String(((await api.change("POST", "", { name: "old", ...body })).service as Properties).id);

  test("reads, and changes nothing where nothing differs", async () => {
    const existingServiceId = await existing({ numReplicas: 4 });
    const { id, outs } = await handlers.create(await checked({ existingServiceId, numReplicas: 4 }));
    expect(id).toBe(existingServiceId);
    expect(outs).toMatchObject({ name: "old", numReplicas: 4 });
    expect(await api.requests()).toMatchObject([{ request: "GET /services/{id}" }]);
  });

  test("changes what differs, and nothing else", async () => {
    const existingServiceId = await existing({ ipAccessList: [office, ci], endpoints: [] });
    await handlers.create(
      await checked({ existingServiceId, ipAccessList: [office], endpoints: [{ protocol: "mysql", enabled: true }] }),
    );
    expect(await api.requests()).toMatchObject([
      { request: "GET /services/{id}" },
      { request: "PATCH /services/{id}", body: { ipAccessList: { remove: [ci] } } },
    ]);
  });

  test("refuses what only a creation could have set otherwise", async () => {
    const existingServiceId = await existing({ hasTransparentDataEncryption: true });
    const failure = await failureOf(
      handlers.create(await checked({ existingServiceId, hasTransparentDataEncryption: false, region: "us-east-1" })),
    );
    expect(failure.message).toContain("hasTransparentDataEncryption is true and the program declares false");
    expect(await api.requests()).toHaveLength(1);
  });

  test("is no change by itself, neither when it stays, nor when it goes, nor when it is the service's own id", async () => {
    const existingServiceId = await existing();
    const { id, outs } = await handlers.create(await checked({ existingServiceId }));
    for (const args of [{ existingServiceId }, {}]) {
      const inputs = await checked(args, { existingServiceId });
      expect(await handlers.diff(id, outs as Properties, inputs)).toMatchObject({ changes: false, replaces: [] });
    }
    const other = await created({});
    const own = await checked({ existingServiceId: other.id }, other.inputs);
    expect(await handlers.diff(other.id, other.outs, { ...own, name: "db" })).toMatchObject({ changes: false });
    const another = await checked({ existingServiceId: simulator.organizationId });
    expect(await handlers.diff(id, outs as Properties, another)).toMatchObject({ replaces: ["existingServiceId"] });
  });

  test("ends by forgetting, and says so", async () => {
    const existingServiceId = await existing();
    const { id, outs } = await handlers.create(await checked({ existingServiceId }));
    await handlers.delete(id, outs as Properties);
    expect(said).toEqual([expect.stringMatching(/^Service .* \("old"\) goes on running and costing money/)]);
  });
});

describe("reading", () => {
  test("shows drift of what is declared, and of nothing else", async () => {
    const { id, outs } = await created({ numReplicas: 2, ipAccessList: [office] });
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

  test("keeps the declared spelling, and what only a creation sets", async () => {
    const { id, outs } = await created({ ipAccessList: [{ source: "198.51.100.7" }], isReadonly: false });
    const result = { ipAccessList: [{ source: "198.51.100.7/32", description: "" }], isReadonly: true };
    await api.faults({ effect: { kind: "answer", result } });
    expect((await handlers.read(id, outs)).inputs).toMatchObject({
      ipAccessList: [{ source: "198.51.100.7" }],
      isReadonly: false,
    });
  });

  test("tells the program's own protocols from the others", async () => {
    const { id, outs } = await created({ endpoints: [{ protocol: "mysql", enabled: true }] });
    await api.change("PATCH", `/${id}`, {
      endpoints: [
        { protocol: "mysql", enabled: false },
        { protocol: "https", enabled: true },
      ],
    });
    expect((await handlers.read(id, outs)).inputs?.endpoints).toEqual([{ protocol: "mysql", enabled: false }]);
  });

  test("lets go of a service that is gone, and says where its password is", async () => {
    const { outs } = await created({});
    expect(await handlers.read("3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640", outs)).toEqual({});
    expect(said).toEqual([expect.stringMatching(/3f0c1d9e.*"db".*5e0d8c1a.*history still holds its password/)]);
  });

  test.each([401, 403, 409, 500])("does not let go because of a %i", async (status) => {
    const { id, outs } = await created({});
    await api.faults({ effect: { kind: "status", status } });
    await failureOf(handlers.read(id, outs));
    expect(said).toEqual([]);
  });

  test("looks in the organization that the stack has stored, whatever the settings say now", async () => {
    const { id, outs } = await created({});
    handlers = handlersFor({ CLOUDDB_ORGANIZATION_ID: "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640" });
    expect((await handlers.read(id, outs)).id).toBe(id);
  });

  test("with settings that are refused asks nothing", async () => {
    const { id, outs } = await created({});
    handlers = handlersFor({ CLOUDDB_BASE_URL: "http://api.example.com" });
    expect((await failureOf(handlers.read(id, outs))).message).toContain(
      "must use https, since plain HTTP sends the credentials unencrypted",
    );
  });

  test("does not let go because of a page that is not the API's", async () => {
    const { id, outs } = await created({});
    const page = { kind: "status", status: 404, body: "<html>", headers: { "content-type": "text/html" } } as const;
    await api.faults({ effect: page });
    expect((await failureOf(handlers.read(id, outs))).message).toContain("is the API's own address");
  });
});

describe("letting go", () => {
  test("of a created service fails, and says how", async () => {
    const { id, outs } = await created({});
    const failure = await failureOf(handlers.delete(id, outs));
    expect(failure.message).toMatch(/the API cannot delete services.*retainOnDelete: true/);
    expect(await api.requests()).toEqual([]);
  });

  test("of a created service fails also after its own id was declared", async () => {
    const { id, outs } = await created({});
    const { outs: after } = await handlers.update(id, outs, await checked({ existingServiceId: id, name: "other" }));
    expect((await failureOf(handlers.delete(id, after as Properties))).message).toContain("cannot delete services");
  });

  test("by another spelling of an id is not asked for", async () => {
    const { id, outs } = await created({});
    const upper = await checked({ organizationId: simulator.organizationId.toUpperCase() });
    expect(await handlers.diff(id, outs, upper)).toMatchObject({ changes: false, replaces: [] });
  });

  test("by a replacement is announced with its reason and the way", async () => {
    const { id, outs } = await created({ region: "us-east-1" });
    const difference = await handlers.diff(id, outs, await checked({ region: "eu-west-1" }));
    expect(difference).toEqual({ replaces: ["region"], deleteBeforeReplace: true });
    expect(said[0]).toMatch(
      /^Changing region from "us-east-1" to "eu-west-1" of service .*keep running.*retainOnDelete/,
    );
  });
});

test("no message holds a secret, not even one that the server repeats", async () => {
  const echo = { error: `BAD_REQUEST: key d1sk-key of ${simulator.keySecret} is no good`, status: 400 };
  await api.faults({ effect: { kind: "status", status: 400, body: echo } });
  const failure = await failureOf(handlers.create(await checked({ encryptionKey: "d1sk-key" })));
  expect(failure.message).toContain("key [secret] of [secret] is no good");
});

test("a list that the answer to its change leaves out is read, and believed only then", async () => {
  const { id, outs } = await created({});
  await api.faults({ method: "PATCH", effect: { kind: "answer", result: { ipAccessList: null } } });
  const { outs: after } = await handlers.update(id, outs, await checked({ ipAccessList: [office] }));
  expect((await api.requests()).map(({ request }) => request)).toEqual(["PATCH /services/{id}", "GET /services/{id}"]);
  expect(after).toMatchObject({ ipAccessList: [office] });
  await api.faults(
    { method: "PATCH", effect: { kind: "answer", result: { ipAccessList: null } } },
    { method: "GET", effect: { kind: "status", status: 403 } },
  );
  const failure = await failureOf(
    handlers.update(id, after as Properties, await checked({ ipAccessList: [office, ci] })),
  );
  expect(failure.message).toContain("Not confirmed: ipAccessList.");
  expect(failure.properties).toMatchObject({ __uncertain: ["ipAccessList"] });
});

test("no message holds the password that the creation has just given, and an empty one is none", async () => {
  const password = "Generated-Pass-1";
  await api.faults(
    { method: "POST", times: 1, effect: { kind: "answer", result: {}, password } },
    { method: "PATCH", effect: { kind: "status", status: 422, body: { error: `CONFLICT: ${password}`, status: 422 } } },
  );
  const failure = await failureOf(handlers.create(await checked({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] })));
  expect(failure.message).toContain("CONFLICT: [secret]");
  expect(failure.properties).toMatchObject({ password });
  await api.faults({ method: "POST", effect: { kind: "answer", result: {}, password: "" } });
  expect((await failureOf(handlers.create(await checked({})))).message).toContain("the answer held no password");
});

test("no message holds a secret that was replaced, and that only the stack still knows", async () => {
  const { id, outs } = await created({ encryptionKey: "first-key" });
  const echo = { error: `CONFLICT: first-key and ${outs.password}`, status: 422 };
  await api.faults({ effect: { kind: "status", status: 422, body: echo } });
  const failure = await failureOf(handlers.update(id, outs, await checked({ name: "other" })));
  expect(failure.message).toContain("CONFLICT: [secret] and [secret]");
});

test("no line about a replacement or a contradiction shows a secret", async () => {
  const { id, outs } = await created({ encryptionKey: "first-key" });
  await handlers.diff(id, outs, await checked({ encryptionKey: "second-key" }));
  expect(said[0]).toMatch(/^Changing encryptionKey of service \S+ requires a new service/);
  expect(said.join()).not.toMatch(/first-key|second-key/);
});

test("what a partial failure stores names the runtime, and its reasons are as clean as its message", async () => {
  const { id, outs } = await created({ numReplicas: 2, encryptionKey: "d1sk-key" });
  const echo = { error: "CONFLICT: d1sk-key", status: 422 };
  await api.faults({ path: "replicaScaling", effect: { kind: "status", status: 422, body: echo } });
  const wanted = await checked({ name: "other", numReplicas: 3, encryptionKey: "d1sk-key" });
  const failure = await failureOf(handlers.update(id, outs, wanted));
  expect(failure.properties?.__provider).toBe(PROVIDER);
  expect(failure.reasons).toEqual([failure.message]);
  expect(failure.message).toContain("CONFLICT: [secret]");
});

test("a member that an answer leaves out, or shows as null, is an absence, and only the id has to be there", async () => {
  const nothing = Object.fromEntries(Object.keys((await created({})).outs).map((name) => [name, null]));
  await api.faults({ effect: { kind: "answer", result: { ...nothing, endpoints: null } } });
  const { id, outs } = await handlers.create(await checked({ numReplicas: 2, ipAccessList: [office] }));
  const { inputs } = await handlers.read(id, outs as Properties);
  expect(inputs).toMatchObject({ ipAccessList: [] });
  expect(inputs).not.toHaveProperty("numReplicas");
  expect(outs).toMatchObject({ numReplicas: 2, ipAccessList: [office] });
});

test("a declared organization goes before the setting", async () => {
  const organizationId = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
  expect(await checked({ organizationId })).toMatchObject({ organizationId });
});

test("a secret of several lines is taken out of what a server repeats", async () => {
  const key = "-----BEGIN\nhush hush\n-----END";
  const echo = { error: `BAD_REQUEST: ${key} is no key`, status: 400 };
  await api.faults({ effect: { kind: "status", status: 400, body: echo } });
  const failure = await failureOf(handlers.create(await checked({ encryptionKey: key })));
  expect(failure.message).toContain("BAD_REQUEST: [secret] is no key");
});

test("a read without an organization names the setting, and sends nothing", async () => {
  handlers = handlersFor({ CLOUDDB_ORGANIZATION_ID: "" });
  const failure = await failureOf(handlers.read("3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640", { __provider: PROVIDER }));
  expect(failure.message).toContain("clouddb:organizationId (CLOUDDB_ORGANIZATION_ID)");
  expect(await api.requests()).toEqual([]);
});

test("a wrong setting is a failed check, and names it", async () => {
  handlers = handlersFor({ CLOUDDB_PAID: "perhaps" });
  const { failures } = await handlers.check({}, { __provider: PROVIDER });
  expect(failures).toEqual([
    { property: "", reason: "clouddb:paid (CLOUDDB_PAID) is invalid: must be true or false." },
  ]);
});
