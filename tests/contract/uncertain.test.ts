import { organization as organizationType } from "../../provider/resources/organization/organization";
import { pipe as pipeType } from "../../provider/resources/pipe/pipe";
import { service as serviceType } from "../../provider/resources/service/service";
import type { FaultEffect } from "../../simulator/index";
import { EXAMPLE } from "../support/example";
import { useSeededSimulator } from "./seeded";
import { checkInputs, createHandlers, failureOf, type Properties } from "./support";

/** Updates that may or may not have been applied, and programs that revert them. */

const {
  service: SERVICE,
  pipes: { kafka: KAFKA, postgres: POSTGRES },
} = EXAMPLE;

const seeded = useSeededSimulator();
const lostResponse: FaultEffect = { kind: "reset", when: "after" };
const pipes = () => createHandlers(pipeType, seeded.simulator);
const services = () => createHandlers(serviceType, seeded.simulator);
type Handlers = ReturnType<typeof createHandlers>;

/** A resource whose update to `next` was applied while every response was lost. */
async function changeWithLostResponse(handlers: Handlers, first: Properties, next: Properties) {
  const inputs = await checkInputs(handlers, first);
  const { id, outs = {} } = await handlers.create(inputs);
  const wanted = await checkInputs(handlers, next, inputs);
  await seeded.api.faults({ method: "PATCH", effect: lostResponse }, { method: "GET", effect: lostResponse });
  const failure = await failureOf(handlers.update(id, outs, wanted));
  await seeded.api.faults();
  await seeded.api.requests();
  return { id, before: inputs, wanted, outs: failure.properties as Properties, message: failure.message };
}

/** Runs another `up`; returns what it sends. */
async function runUp(handlers: Handlers, id: string, outs: Properties, wanted: Properties) {
  const { changes } = await handlers.diff(id, outs, wanted);
  if (changes === false) return { outs, sent: [] };
  const after = (await handlers.update(id, outs, wanted)).outs as Properties;
  const sent = (await seeded.api.requests()).filter(({ request }) => request.startsWith("PATCH"));
  return { outs: after, sent: sent.map(({ body }) => body) };
}

const kafka = (password: string) => ({
  serviceId: SERVICE,
  pipeId: KAFKA,
  source: { kafka: { credentials: { username: "reader", password } } },
});

test("a revert resends a password that no response shows, and then nothing", async () => {
  const handlers = pipes();
  const { id, before, outs } = await changeWithLostResponse(handlers, kafka("old-password"), kafka("new-password"));
  const back = await runUp(handlers, id, outs, before);
  expect(back.sent).toEqual([{ source: { kafka: { credentials: "[secret]" } } }]);
  expect(back.outs).toMatchObject({ source: { kafka: { credentials: { password: "old-password" } } } });
  expect(back.outs).not.toHaveProperty("__uncertain");
  expect((await runUp(handlers, id, back.outs, before)).sent).toEqual([]);
});

test("a revert after a refresh, which cannot see the password, does the same", async () => {
  const handlers = pipes();
  const { id, before, outs } = await changeWithLostResponse(handlers, kafka("old-password"), kafka("new-password"));
  const { props } = await handlers.read(id, outs);
  await seeded.api.requests();
  expect((await runUp(handlers, id, props as Properties, before)).sent).toHaveLength(1);
});

test("a revert resends a release channel, and visible values only if they differ", async () => {
  const handlers = services();
  const { id, before, outs, message } = await changeWithLostResponse(
    handlers,
    { name: "db", releaseChannel: "slow" },
    { name: "other", releaseChannel: "fast" },
  );
  expect(message).toContain("Not confirmed: name, releaseChannel.");
  expect((await runUp(handlers, id, outs, before)).sent).toEqual([{ name: "db", releaseChannel: "slow" }]);
});

test("a rejected update leaves the state as it was", async () => {
  const handlers = pipes();
  const inputs = await checkInputs(handlers, kafka("old-password"));
  const { id, outs = {} } = await handlers.create(inputs);
  await seeded.api.faults({ method: "PATCH", effect: { kind: "status", status: 400 } });
  const failure = await failureOf(handlers.update(id, outs, await checkInputs(handlers, kafka("new-password"))));
  // Nothing was changed: the engine keeps its state.
  expect(failure.properties).toBeUndefined();
});

test("an applied list is not resent, but credentials from the same request are", async () => {
  const handlers = pipes();
  const table = (name: string) => ({ sourceSchemaName: "public", sourceTable: name, targetTable: name });
  const program = (password: string, tables: readonly string[]) => ({
    serviceId: SERVICE,
    pipeId: POSTGRES,
    source: { postgres: { credentials: { username: "u", password }, tableMappings: tables.map(table) } },
  });
  const inputs = await checkInputs(handlers, program("old-password", ["orders"]));
  const { id, outs = {} } = await handlers.create(inputs);
  await seeded.api.requests();
  await seeded.api.faults({ method: "PATCH", times: 1, effect: lostResponse });
  const wanted = await checkInputs(handlers, program("new-password", ["orders", "users"]), inputs);
  const after = (await handlers.update(id, outs, wanted)).outs as Properties;
  const [first, , second] = await seeded.api.requests();
  expect(first?.body).toMatchObject({ source: { postgres: { tableMappingsToAdd: [table("users")] } } });
  expect(second?.body).toEqual({
    source: { postgres: { credentials: "[secret]" } },
  });
  expect(after).toMatchObject({ source: { postgres: { credentials: { password: "new-password" } } } });
  expect((await runUp(handlers, id, after, wanted)).sent).toEqual([]);
});

test("an uncertain update of settings does not make the password uncertain", async () => {
  const handlers = pipes();
  const { id, before, outs } = await changeWithLostResponse(handlers, kafka("old-password"), {
    ...kafka("old-password"),
    settings: { engineMaxThreads: 3 },
  });
  expect((await runUp(handlers, id, outs, before)).sent).toEqual([]);
});

test.each([
  ["an uncertain removal", ["one", "two"], ["one"]],
  ["an uncertain addition", ["one"], ["one", "two"]],
])("%s of an organization's endpoints, which cannot be read, is reverted", async (_, first, next) => {
  const handlers = createHandlers(organizationType, seeded.simulator);
  const endpoints = (ids: readonly string[]) => ({ privateEndpoints: ids.map((text) => ({ id: `vpce-${text}` })) });
  const { id, before, outs } = await changeWithLostResponse(handlers, endpoints(first), endpoints(next));
  const { outs: after, sent } = await runUp(handlers, id, outs, before);
  expect(sent).toHaveLength(1);
  expect(after.privateEndpoints).toEqual(before.privateEndpoints);
  const [organization] = await seeded.api.organizations();
  const ids = (organization as unknown as { privateEndpoints: { id: string }[] }).privateEndpoints.map(
    (endpoint) => endpoint.id,
  );
  for (const text of ["one", "two"]) expect(ids.includes(`vpce-${text}`)).toBe(first.includes(text));
  expect((await runUp(handlers, id, after, before)).sent).toEqual([]);
});
