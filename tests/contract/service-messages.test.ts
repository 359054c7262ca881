import { ci, office, useServices } from "./service-setup";
import { failureOf, type Properties } from "./support";

const setup = useServices();

test("a list missing from the response to its update is read before it is stored", async () => {
  const { id, outs } = await setup.createService({});
  await setup.api.faults({ method: "PATCH", effect: { kind: "answer", result: { ipAccessList: null } } });
  const { outs: after } = await setup.handlers.update(id, outs, await setup.checkArgs({ ipAccessList: [office] }));
  // A list that the stack begins to manage is read before, too.
  expect((await setup.api.requests()).map(({ request }) => request)).toEqual([
    "GET /services/{id}",
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

test("a missing or null property counts as absent, and only the id is required", async () => {
  const nothing = Object.fromEntries(Object.keys((await setup.createService({})).outs).map((name) => [name, null]));
  await setup.api.faults({ effect: { kind: "answer", result: { ...nothing, endpoints: null } } });
  const { id, outs } = await setup.handlers.create(await setup.checkArgs({ numReplicas: 2, ipAccessList: [office] }));
  const { inputs } = await setup.handlers.read(id, outs as Properties);
  expect(inputs).toMatchObject({ ipAccessList: [] });
  expect(inputs).not.toHaveProperty("numReplicas");
  expect(outs).toMatchObject({ numReplicas: 2, ipAccessList: [office] });
});
