import { isDeepStrictEqual } from "node:util";
import { ci, office, useServices } from "./simulators";
import {
  answer,
  create,
  failedCreation,
  failureOf,
  loseRequest,
  once,
  type Properties,
  refuse,
  StackResource,
} from "./support";

/** Updates, reads and deletions of services. */

const setup = useServices();
const GET = "GET /services/{id}";
const PATCH = "PATCH /services/{id}";
const SCALE = "PATCH /services/{id}/replicaScaling";
const ENDPOINT = "vpce-0a1b2c3d4e5f60001";

describe("updates", () => {
  test("an update sends one request for each operation with a change", async () => {
    const db = await setup.createService({ numReplicas: 2, ipAccessList: [office] });
    const { outs } = await db.update({
      name: "db two",
      numReplicas: 3,
      ipAccessList: [office, ci],
    });
    expect(await setup.sent()).toEqual([
      [PATCH, { name: "db two", ipAccessList: { add: [ci] } }],
      [SCALE, { numReplicas: 3 }],
    ]);
    expect(outs).toMatchObject({ password: db.outs.password, name: "db two", numReplicas: 3 });
  });

  test("an update corrects a list once if the server adds before it removes", async () => {
    const db = await setup.createService({ ipAccessList: [office, ci] });
    await setup.api.faults(once(answer("PATCH", { ipAccessList: [office] })));
    const other = { ...ci, description: "build" };
    const { outs } = await db.update({ ipAccessList: [office, other] });
    expect(await setup.sent()).toEqual([
      [PATCH, { ipAccessList: { add: [other], remove: [ci] } }],
      [PATCH, { ipAccessList: { add: [other] } }],
    ]);
    expect(outs.ipAccessList).toEqual([office, other]);
  });

  test("an update fails if the server ignores a list change twice", async () => {
    const db = await setup.createService({ ipAccessList: [office] });
    await setup.api.faults(answer("PATCH", { ipAccessList: [office] }));
    const { message } = await db.failedUpdate({ ipAccessList: [office, ci] });
    expect(await setup.sent()).toHaveLength(2);
    expect(message).toContain("the API accepted the update of ipAccessList twice");
  });

  test("an update sends its whole body again if it was cut off before it was applied", async () => {
    const db = await setup.createService({ ipAccessList: [office] });
    await setup.api.faults(once(loseRequest("PATCH")));
    const wanted = { name: "other", releaseChannel: "slow", ipAccessList: [office, ci] };
    await db.update(wanted);
    const request = [PATCH, { ...wanted, ipAccessList: { add: [ci] } }];
    expect(await setup.sent()).toEqual([request, GET, request]);
  });

  test("a failed second request of an update stores and reports the first one's effect", async () => {
    const db = await setup.createService({ numReplicas: 2 });
    await setup.api.faults({ ...refuse("PATCH", 422), path: "replicaScaling" });
    const wanted = { name: "other", numReplicas: 3 };
    const failure = await db.failedUpdate(wanted);
    expect(failure).toMatchObject({
      id: db.id,
      properties: { name: "other", numReplicas: 2, password: db.outs.password },
    });
    expect(failure.message).toContain("Done: name. Not done: numReplicas.");
    expect(failure.reasons).toEqual([failure.message]);
    await setup.api.faults();
    await setup.sent();
    await failure.stored.update(wanted);
    expect(await setup.sent()).toEqual([[SCALE, { numReplicas: 3 }]]);
  });

  test("an update reads a list that its response lacks before it stores the list", async () => {
    const db = await setup.createService({});
    const withoutList = answer("PATCH", { ipAccessList: null });
    await setup.api.faults(withoutList);
    const updated = await db.update({ ipAccessList: [office] });
    // A list that the stack begins to manage is read before, too.
    expect(await setup.sent()).toEqual([GET, [PATCH, { ipAccessList: { add: [office] } }], GET]);
    expect(updated.outs).toMatchObject({ ipAccessList: [office] });
    await setup.api.faults(withoutList, refuse("GET", 403));
    const failure = await updated.failedUpdate({ ipAccessList: [office, ci] });
    expect(failure.message).toContain("Not confirmed: ipAccessList.");
    expect(failure.properties).toMatchObject({ __uncertain: ["ipAccessList"] });
  });

  test("an update resends a release channel that was undeclared meanwhile, since no read shows it", async () => {
    const db = await setup.createService({ releaseChannel: "fast" });
    await (await db.update({})).update({ releaseChannel: "fast" });
    expect(await setup.sent()).toEqual([[PATCH, { releaseChannel: "fast" }]]);
  });

  test("an update sends nothing for removed arguments and protocols, and only changed protocols", async () => {
    const [mysql, https] = ["mysql", "https"].map((protocol) => ({ protocol, enabled: true }));
    const db = await setup.createService({
      numReplicas: 4,
      region: "us-east-1",
      endpoints: [mysql, https],
    });
    const one = await db.update({ numReplicas: 4, region: "us-east-1", endpoints: [mysql] });
    expect(one.outs.endpoints).toEqual([mysql]);
    const none = await one.update({});
    expect(none.outs).toMatchObject({
      numReplicas: 4,
      region: "us-east-1",
      __declared: ["name", "organizationId"],
    });
    expect(await setup.sent()).toEqual([]);
    const endpoints = [{ ...mysql, enabled: false }, https];
    const { outs } = await db.update({ numReplicas: 4, region: "us-east-1", endpoints });
    expect(await setup.sent()).toEqual([[PATCH, { endpoints: endpoints.slice(0, 1) }]]);
    expect(outs).toMatchObject({ endpoints, serviceEndpoints: [{ protocol: "https" }] });
  });

  test("an update shows no old secret of the state in a message", async () => {
    const db = await setup.createService({ encryptionKey: "first-key" });
    const echo = { error: `CONFLICT: first-key and ${db.outs.password}`, status: 422 };
    await setup.api.faults({ effect: { kind: "status", status: 422, body: echo } });
    const { message } = await db.failedUpdate({ name: "other" });
    expect(message).toContain("CONFLICT: [secret] and [secret]");
  });
});

describe("a read", () => {
  test("a read shows drift of declared values only", async () => {
    const db = await setup.createService({ numReplicas: 2, ipAccessList: [office] });
    await setup.api.change("PATCH", `/${db.id}/replicaScaling`, {
      numReplicas: 5,
      idleTimeoutMinutes: 60,
    });
    await setup.api.change("PATCH", `/${db.id}`, { ipAccessList: { add: [ci] } });
    const { outs, inputs } = await db.refresh();
    expect(await setup.sent()).toEqual([GET]);
    expect(inputs).toEqual({
      name: "db",
      organizationId: setup.api.organizationId,
      numReplicas: 5,
      ipAccessList: [office, ci],
    });
    expect(outs).toMatchObject({ password: db.outs.password, idleTimeoutMinutes: 60 });
  });

  test("a read keeps the declared spelling and create-only values", async () => {
    const db = await setup.createService({
      ipAccessList: [{ source: "198.51.100.7" }],
      isReadonly: false,
    });
    const ipAccessList = [{ source: "198.51.100.7/32", description: "" }];
    await setup.api.faults(answer("GET", { ipAccessList, isReadonly: true }));
    expect((await db.refresh()).inputs).toMatchObject({
      ipAccessList: [{ source: "198.51.100.7" }],
      isReadonly: false,
    });
  });

  test.each([
    ["::102:304/128", "::1.2.3.4"],
    ["::ffff:1.2.3.4/128", "::ffff:1.2.3.4/128"],
  ])("a read that shows %s for the declared ::1.2.3.4 stores %s", async (source, read) => {
    const db = await setup.createService({ ipAccessList: [{ source: "::1.2.3.4" }] });
    await setup.api.faults(answer("GET", { ipAccessList: [{ source }] }));
    expect((await db.refresh()).inputs).toMatchObject({ ipAccessList: [{ source: read }] });
  });

  test("a read shows only declared protocols", async () => {
    const db = await setup.createService({ endpoints: [{ protocol: "mysql", enabled: true }] });
    const [mysql, https] = [
      { protocol: "mysql", enabled: false },
      { protocol: "https", enabled: true },
    ];
    await setup.api.change("PATCH", `/${db.id}`, { endpoints: [mysql, https] });
    expect((await db.refresh()).inputs.endpoints).toEqual([mysql]);
  });

  test("a read uses the stored organization, or the setting if the program passes null", async () => {
    const { id, outs } = await setup.createService({});
    expect((await setup.handlers.read(id, { organizationId: null })).id).toBe(id);
    setup.restartWith({ CLOUDDB_ORGANIZATION_ID: "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640" });
    expect((await setup.handlers.read(id, outs)).id).toBe(id);
  });
});

test("deleting a created service fails with advice to release it, even with its own id declared", async () => {
  const db = await setup.createService({});
  const named = await db.update({ existingServiceId: db.id, name: "other" });
  await setup.sent();
  for (const service of [db, named]) {
    const { message } = await failureOf(service.delete());
    expect(message).toMatch(/the API cannot delete services.*retainOnDelete: true/);
  }
  expect(await setup.sent()).toEqual([]);
});

test.each<[string, (db: StackResource) => Properties]>([
  ["an id", () => ({ organizationId: setup.api.organizationId.toUpperCase() })],
  ["the service's own id", ({ id }) => ({ existingServiceId: id.toLowerCase() })],
  ["a warehouse", ({ outs }) => ({ dataWarehouseId: String(outs.dataWarehouseId).toUpperCase() })],
  ["a list of ids", () => ({ privateEndpointIds: [ENDPOINT.toUpperCase()] })],
])("another spelling of %s causes no change and no replacement", async (_, argsOf) => {
  const args = { name: "orders", privateEndpointIds: [ENDPOINT] };
  const { id, inputs, outs } = await setup.createService(args);
  // As on a server that shows ids in capital letters.
  const db = new StackResource(setup.handlers, id.toUpperCase(), inputs, outs);
  const program = { ...args, ...argsOf(db) };
  expect(await db.diff(program)).toMatchObject({ changes: false, replaces: [] });
  await db.up(program);
  expect(await setup.sent()).toEqual([]);
});

describe("surrounding white space in ids and roles", () => {
  const edged = {
    encryptionAssumedRoleIdentifier: "arn:role\n",
    privateEndpointIds: [`${ENDPOINT}\n`],
  };
  const trimmed = {
    encryptionAssumedRoleIdentifier: "arn:role",
    privateEndpointIds: [ENDPOINT],
  };

  test("surrounding white space is removed with one warning that shows no value", async () => {
    const organizationId = `${setup.api.organizationId}\n`;
    const { inputs, outs } = await create(setup.handlers, { ...edged, organizationId });
    const expected = { ...trimmed, organizationId: organizationId.trim() };
    expect([inputs, outs]).toMatchObject([expected, expected]);
    expect(setup.messages.filter((line) => line.includes("whitespace"))).toEqual([
      "db: whitespace at the edges of organizationId, encryptionAssumedRoleIdentifier, privateEndpointIds was removed; remove it in the program, too. [CDB1003]",
    ]);
  });

  test("surrounding white space in a former state is no change, and is removed from its inputs", async () => {
    const { id, inputs, outs } = await setup.createService(trimmed);
    const former = [inputs, outs].map((properties) => ({ ...properties, ...edged }));
    const db = new StackResource(setup.handlers, id, former[0] ?? {}, former[1] ?? {});
    expect(await db.diff(edged)).toMatchObject({ changes: false, replaces: [] });
    expect((await db.up(edged)).inputs).toMatchObject(trimmed);
    expect(await setup.sent()).toEqual([]);
  });
});

describe("a single changed argument", () => {
  const ARGS = { region: "us-east-1", numReplicas: 2, ipAccessList: [office, ci] };

  const starts: Readonly<Record<string, () => Promise<[StackResource, Properties]>>> = {
    async "a created service"() {
      return [await create(setup.handlers, ARGS), ARGS];
    },
    async "a service whose creation has failed halfway"() {
      const args = { ...ARGS, privateEndpointIds: [ENDPOINT] };
      await setup.api.faults(refuse("PATCH", 403));
      const { stored } = await failedCreation(setup.handlers, args);
      await setup.api.faults();
      return [await (await stored.refresh()).up(args), args];
    },
    async "an adopted service"() {
      const args = { ...ARGS, existingServiceId: (await setup.createService({})).id };
      return [await create(setup.handlers, args), args];
    },
  };
  const sequences = [
    "up",
    "refresh",
    "up, refresh",
    "refresh, up",
    "refresh, refresh",
    "up, refresh, up, refresh",
  ];
  const cases = Object.entries(starts).flatMap(([start, begin]) =>
    sequences.map((sequence) => [start, sequence, begin] as const),
  );

  test.each(cases)(
    "the preview of %s shows only the changed argument after %s",
    async (_, sequence, begin) => {
      let [db, args] = await begin();
      for (const command of sequence.split(", "))
        db = await (command === "up" ? db.up(args) : db.refresh());
      expect(await db.diff(args)).toMatchObject({ changes: false });
      const changed = await db.check({ ...args, numReplicas: 5 });
      const names = Object.keys({ ...db.inputs, ...changed });
      expect(names.filter((name) => !isDeepStrictEqual(db.inputs[name], changed[name]))).toEqual([
        "numReplicas",
      ]);
    },
  );
});
