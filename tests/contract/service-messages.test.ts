import { ci, office, useServices } from "./service-setup";
import { failureOf, type Properties } from "./support";

const setup = useServices();

test("no message contains a secret, even if the server echoes it", async () => {
  const echo = { error: `BAD_REQUEST: key d1sk-key of ${setup.simulator.keySecret} is invalid`, status: 400 };
  await setup.api.faults({ effect: { kind: "status", status: 400, body: echo } });
  const failure = await failureOf(setup.handlers.create(await setup.checkArgs({ encryptionKey: "d1sk-key" })));
  expect(failure.message).toContain("key [secret] of [secret] is invalid");
});

test("a list missing from the response to its update is read before it is stored", async () => {
  const { id, outs } = await setup.createService({});
  await setup.api.faults({ method: "PATCH", effect: { kind: "answer", result: { ipAccessList: null } } });
  const { outs: after } = await setup.handlers.update(id, outs, await setup.checkArgs({ ipAccessList: [office] }));
  expect((await setup.api.requests()).map(({ request }) => request)).toEqual([
    "PATCH /services/{id}",
    "GET /services/{id}",
  ]);
  expect(after).toMatchObject({ ipAccessList: [office] });
  await setup.api.faults(
    { method: "PATCH", effect: { kind: "answer", result: { ipAccessList: null } } },
    { method: "GET", effect: { kind: "status", status: 403 } },
  );
  const failure = await failureOf(
    setup.handlers.update(id, after as Properties, await setup.checkArgs({ ipAccessList: [office, ci] })),
  );
  expect(failure.message).toContain("Not confirmed: ipAccessList.");
  expect(failure.properties).toMatchObject({ __uncertain: ["ipAccessList"] });
});

test("no message contains a new password, and an empty one counts as missing", async () => {
  const password = "Generated-Pass-1";
  await setup.api.faults(
    { method: "POST", times: 1, effect: { kind: "answer", result: {}, password } },
    { method: "PATCH", effect: { kind: "status", status: 422, body: { error: `CONFLICT: ${password}`, status: 422 } } },
  );
  const failure = await failureOf(
    setup.handlers.create(await setup.checkArgs({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] })),
  );
  expect(failure.message).toContain("CONFLICT: [secret]");
  expect(failure.properties).toMatchObject({ password });
  await setup.api.faults({ method: "POST", effect: { kind: "answer", result: {}, password: "" } });
  expect((await failureOf(setup.handlers.create(await setup.checkArgs({})))).message).toContain(
    "the response contained no password",
  );
});

test("no message contains an old secret that only the state still has", async () => {
  const { id, outs } = await setup.createService({ encryptionKey: "first-key" });
  const echo = { error: `CONFLICT: first-key and ${outs.password}`, status: 422 };
  await setup.api.faults({ effect: { kind: "status", status: 422, body: echo } });
  const failure = await failureOf(setup.handlers.update(id, outs, await setup.checkArgs({ name: "other" })));
  expect(failure.message).toContain("CONFLICT: [secret] and [secret]");
});

test("no message about a replacement or a contradiction contains a secret", async () => {
  const { id, outs } = await setup.createService({ encryptionKey: "first-key" });
  await setup.handlers.diff(id, outs, await setup.checkArgs({ encryptionKey: "second-key" }));
  expect(setup.messages[0]).toMatch(/^Changing encryptionKey of service \S+ requires a new service/);
  expect(setup.messages.join()).not.toMatch(/first-key|second-key/);
});

test("the reasons of a partial failure are redacted like its message", async () => {
  const { id, outs } = await setup.createService({ numReplicas: 2, encryptionKey: "d1sk-key" });
  const echo = { error: "CONFLICT: d1sk-key", status: 422 };
  await setup.api.faults({ path: "replicaScaling", effect: { kind: "status", status: 422, body: echo } });
  const wanted = await setup.checkArgs({ name: "other", numReplicas: 3, encryptionKey: "d1sk-key" });
  const failure = await failureOf(setup.handlers.update(id, outs, wanted));
  expect(failure.reasons).toEqual([failure.message]);
  expect(failure.message).toContain("CONFLICT: [secret]");
});

test("a missing or null property counts as absent, and only the id is required", async () => {
  const nothing = Object.fromEntries(Object.keys((await setup.createService({})).outs).map((name) => [name, null]));
  await setup.api.faults({ effect: { kind: "answer", result: { ...nothing, endpoints: null } } });
  const { id, outs } = await setup.handlers.create(await setup.checkArgs({ numReplicas: 2, ipAccessList: [office] }));
  const { inputs } = await setup.handlers.read(id, outs as Properties);
  expect(inputs).toMatchObject({ ipAccessList: [] });
  expect(inputs).not.toHaveProperty("numReplicas");
  expect(outs).toMatchObject({ numReplicas: 2, ipAccessList: [office] });
});

test("a declared organization takes precedence over the setting", async () => {
  const organizationId = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
  expect(await setup.checkArgs({ organizationId })).toMatchObject({ organizationId });
});

test("a multi-line secret is redacted from an echo", async () => {
  const key = "-----BEGIN\nhush hush\n-----END";
  const echo = { error: `BAD_REQUEST: ${key} is invalid`, status: 400 };
  await setup.api.faults({ effect: { kind: "status", status: 400, body: echo } });
  const failure = await failureOf(setup.handlers.create(await setup.checkArgs({ encryptionKey: key })));
  expect(failure.message).toContain("BAD_REQUEST: [secret] is invalid");
});

test("a read without an organization names the setting, and sends nothing", async () => {
  setup.restartWith({ CLOUDDB_ORGANIZATION_ID: "" });
  const failure = await failureOf(setup.handlers.read("3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640", {}));
  expect(failure.message).toContain("clouddb:organizationId (CLOUDDB_ORGANIZATION_ID). Nothing was changed.");
  expect(await setup.api.requests()).toEqual([]);
});

test("an invalid setting fails the check, which names it", async () => {
  setup.restartWith({ CLOUDDB_PAID: "perhaps" });
  const { failures } = await setup.handlers.check({}, {});
  expect(failures).toEqual([
    { property: "", reason: "clouddb:paid (CLOUDDB_PAID) is invalid: must be true or false. [CDB2002]" },
  ]);
});
