import { organization as organizationKind } from "../../provider/resources/organization/lifecycle";
import { pipe as pipeKind } from "../../provider/resources/pipe/lifecycle";
import { service as serviceKind } from "../../provider/resources/service/lifecycle";
import { type FaultEffect, type RunningSimulator, startSimulator } from "../../simulator/index";
import seed from "../../simulator/seeds/example.json";
import { type Steered, steered } from "../support/api";
import { checkedBy, failureOf, handlersOf, type Properties } from "./support";

/** Changes of which nobody knows what became of them, and programs that go back to what they said before. */

const SERVICE = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const KAFKA = "b1b2c3d4-0001-4a53-9c1e-000000000001";
const POSTGRES = "b1b2c3d4-0004-4a53-9c1e-000000000004";

let simulator: RunningSimulator;
let api: Steered;
beforeAll(async () => {
  simulator = await startSimulator({ seed: seed as never });
  api = steered(simulator);
});
afterAll(() => simulator.close());
beforeEach(() => api.reset());

const lost: FaultEffect = { kind: "reset", when: "after" };
const pipes = () => handlersOf(pipeKind, simulator);
const services = () => handlersOf(serviceKind, simulator);
type Handlers = ReturnType<typeof handlersOf>;

/** A resource in the stack whose change to `next` was carried out while every answer was lost. */
async function lostChange(handlers: Handlers, first: Properties, next: Properties) {
  const inputs = await checkedBy(handlers, "x", first);
  const { id, outs = {} } = await handlers.create(inputs);
  const wanted = await checkedBy(handlers, "x", next, inputs);
  await api.faults({ method: "PATCH", effect: lost }, { method: "GET", effect: lost });
  const failure = await failureOf(handlers.update(id, outs, wanted));
  await api.faults();
  await api.requests();
  return { id, before: inputs, wanted, outs: failure.properties as Properties, message: failure.message };
}

/** What another `up` sends. */
async function sentBy(handlers: Handlers, id: string, outs: Properties, wanted: Properties) {
  const { changes } = await handlers.diff(id, outs, wanted);
  if (changes === false) return { outs, sent: [] };
  const after = (await handlers.update(id, outs, wanted)).outs as Properties;
  const sent = (await api.requests()).filter(({ request }) => request.startsWith("PATCH"));
  return { outs: after, sent: sent.map(({ body }) => body) };
}

const kafka = (password: string) => ({
  serviceId: SERVICE,
  pipeId: KAFKA,
  source: { kafka: { credentials: { username: "reader", password } } },
});

test("going back sends a password again that no answer shows, and then nothing", async () => {
  const handlers = pipes();
  const { id, before, outs } = await lostChange(handlers, kafka("old-password"), kafka("new-password"));
  const back = await sentBy(handlers, id, outs, before);
  expect(back.sent).toEqual([{ source: { kafka: { credentials: "[secret]" } } }]);
  expect(back.outs).toMatchObject({ source: { kafka: { credentials: { password: "old-password" } } } });
  expect(back.outs).not.toHaveProperty("__uncertain");
  expect((await sentBy(handlers, id, back.outs, before)).sent).toEqual([]);
});

test("so does going back after a refresh, which cannot see the password", async () => {
  const handlers = pipes();
  const { id, before, outs } = await lostChange(handlers, kafka("old-password"), kafka("new-password"));
  const { props } = await handlers.read(id, outs);
  await api.requests();
  expect((await sentBy(handlers, id, props as Properties, before)).sent).toHaveLength(1);
});

test("going back sends a release channel again, and what answers show only where it differs", async () => {
  const handlers = services();
  const { id, before, outs, message } = await lostChange(
    handlers,
    { name: "db", releaseChannel: "slow" },
    { name: "other", releaseChannel: "fast" },
  );
  expect(message).toContain("Not confirmed: name, releaseChannel.");
  expect((await sentBy(handlers, id, outs, before)).sent).toEqual([{ name: "db", releaseChannel: "slow" }]);
});

test("a change that was certainly refused leaves what is known as it was", async () => {
  const handlers = pipes();
  const inputs = await checkedBy(handlers, "x", kafka("old-password"));
  const { id, outs = {} } = await handlers.create(inputs);
  await api.faults({ method: "PATCH", effect: { kind: "status", status: 400 } });
  const failure = await failureOf(handlers.update(id, outs, await checkedBy(handlers, "x", kafka("new-password"))));
  // Nothing was done: the engine keeps what it has.
  expect(failure.properties).toBeUndefined();
});

test("a list that was carried out is not sent again, and credentials beside it are", async () => {
  const handlers = pipes();
  const table = (name: string) => ({ sourceSchemaName: "public", sourceTable: name, targetTable: name });
  const program = (password: string, tables: readonly string[]) => ({
    serviceId: SERVICE,
    pipeId: POSTGRES,
    source: { postgres: { credentials: { username: "u", password }, tableMappings: tables.map(table) } },
  });
  const inputs = await checkedBy(handlers, "x", program("old-password", ["orders"]));
  const { id, outs = {} } = await handlers.create(inputs);
  await api.requests();
  await api.faults({ method: "PATCH", times: 1, effect: lost });
  const wanted = await checkedBy(handlers, "x", program("new-password", ["orders", "users"]), inputs);
  const after = (await handlers.update(id, outs, wanted)).outs as Properties;
  const [first, , second] = await api.requests();
  expect(first?.body).toMatchObject({ source: { postgres: { tableMappingsToAdd: [table("users")] } } });
  expect(second?.body).toEqual({
    source: { postgres: { credentials: "[secret]" } },
  });
  expect(after).toMatchObject({ source: { postgres: { credentials: { password: "new-password" } } } });
  expect((await sentBy(handlers, id, after, wanted)).sent).toEqual([]);
});

test("a state of the first release, which does not say what is uncertain, sends whatever no answer shows", async () => {
  const handlers = pipes();
  const { id, before, outs } = await lostChange(handlers, kafka("old-password"), kafka("new-password"));
  const old = { ...outs, ...kafka("old-password"), __uncertain: true };
  expect((await sentBy(handlers, id, old, before)).sent).toHaveLength(1);
});

test("a change of settings that was lost says nothing about the password beside them", async () => {
  const handlers = pipes();
  const { id, before, outs } = await lostChange(handlers, kafka("old-password"), {
    ...kafka("old-password"),
    settings: { engineMaxThreads: 3 },
  });
  expect((await sentBy(handlers, id, outs, before)).sent).toEqual([]);
});

test.each([
  ["a lost removal", ["one", "two"], ["one"]],
  ["a lost addition", ["one"], ["one", "two"]],
])("%s of an organization's endpoints, which nobody can read, is taken back", async (_, first, next) => {
  const handlers = handlersOf(organizationKind, simulator);
  const endpoints = (ids: readonly string[]) => ({ privateEndpoints: ids.map((each) => ({ id: `vpce-${each}` })) });
  const { id, before, outs } = await lostChange(handlers, endpoints(first), endpoints(next));
  const { outs: after, sent } = await sentBy(handlers, id, outs, before);
  expect(sent).toHaveLength(1);
  expect(after.privateEndpoints).toEqual(before.privateEndpoints);
  const [organization] = await api.organizations();
  const ids = (organization as unknown as { privateEndpoints: { id: string }[] }).privateEndpoints.map(
    (each) => each.id,
  );
  for (const each of ["one", "two"]) expect(ids.includes(`vpce-${each}`)).toBe(first.includes(each));
  expect((await sentBy(handlers, id, after, before)).sent).toEqual([]);
});
