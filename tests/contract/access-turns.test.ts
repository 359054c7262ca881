import { resources } from "../../provider/resources";
import { build, ENDPOINT, GET, jobs, named, office, SERVICE, spare, useAccess, withList } from "./access-setup";
import { checkInputs, failureOf, fakeClock, type Properties, startProcess } from "./support";

/** Several resources of one command change the lists of one service, at the same time or by an old read. */

const seeded = useAccess();

function command() {
  const { handlersFor, messages } = startProcess(seeded.simulator, {}, fakeClock());
  const of = (name: string, type: keyof typeof resources = "ServiceAccess") =>
    handlersFor(resources[type].definition, name);
  const create = async (name: string, args: Properties) => of(name).create(await checkInputs(of(name), args));
  return { of, create, messages };
}

const networks = (count: number) => Array.from({ length: count }, (_, index) => ({ source: `192.0.2.${index + 1}` }));
const listOnServer = () => seeded.listOf(SERVICE);
const oldRead = (...ipAccessList: Properties[]) => ({
  method: "GET",
  effect: { kind: "answer", result: { ipAccessList } } as const,
});

test("48 resources of one service share one look and one request", async () => {
  const { create } = command();
  const sources = networks(48);
  await Promise.all(sources.map((entry, index) => create(`ip-${index}`, withList(entry))));
  const bodies = await seeded.bodies();
  expect(bodies).toEqual([GET, { ipAccessList: { add: sources.map((entry) => named(entry)) } }]);
  const shifting = command();
  const stored = sources.map((entry) => ({
    ...withList(named(entry)),
    organizationId: seeded.simulator.organizationId,
  }));
  const shifted = stored.slice(1).map(async (next, index) => {
    const handlers = shifting.of(`ip-${index}`);
    const inputs = await checkInputs(handlers, withList(sources[index + 1] as Properties), stored[index]);
    const outs = { ...stored[index], sharedSources: [], sharedPrivateEndpointIds: [] };
    expect(inputs).toMatchObject({ ipAccessList: next.ipAccessList });
    return (await handlers.diff(SERVICE, outs, inputs)) && handlers.update(SERVICE, outs, inputs);
  });
  await Promise.all(shifted);
  expect(await seeded.bodies()).toEqual([GET, { ipAccessList: { remove: [named(sources[0] as Properties)] } }]);
});

test("of changes that are refused together, only the wrong one fails", async () => {
  const { create } = command();
  const wrong = create("wrong", { serviceId: SERVICE, privateEndpointIds: ["vpce-unknown"] });
  const right = [create("a", withList(jobs)), create("b", { ...withList(spare), privateEndpointIds: [ENDPOINT] })];
  expect((await failureOf(wrong)).message).toContain("vpce-unknown does not exist");
  for (const { outs } of await Promise.all(right)) expect(outs).toMatchObject({ sharedSources: [] });
  expect(await listOnServer()).toEqual([office, build, named(jobs), named(spare)]);
});

test("a change that is not answered is read once, and nothing of it is sent again", async () => {
  await seeded.api.faults({ method: "PATCH", effect: { kind: "reset", when: "after" }, times: 1 });
  const { create } = command();
  await Promise.all([create("a", withList(jobs)), create("b", withList(spare))]);
  expect((await seeded.bodies()).map((body) => (body === GET ? GET : "PATCH"))).toEqual([GET, "PATCH", GET]);
});

test("while the API cannot be reached, each resource keeps what may have been added", async () => {
  const { create, of } = command();
  await seeded.api.faults(
    { method: "PATCH", effect: { kind: "reset", when: "after" } },
    { method: "GET", effect: { kind: "latency", milliseconds: 0 }, times: 1 },
    { method: "GET", effect: { kind: "status", status: 500 } },
  );
  const failures = await Promise.all(
    [jobs, spare].map((entry, index) => failureOf(create(`${index}`, withList(entry)))),
  );
  for (const [index, entry] of [jobs, spare].entries()) {
    expect(failures[index]).toMatchObject({ properties: { ipAccessList: [named(entry)] } });
    expect(failures[index]?.message).toContain("Not confirmed: ipAccessList.");
  }
  await seeded.api.faults();
  await of("0").read(SERVICE, failures[0]?.properties as Properties);
  expect(await listOnServer()).toEqual([office, build, named(jobs), named(spare)]);
});

describe("old reads", () => {
  test("an entry that this command has removed is added, whatever a read shows", async () => {
    const first = await command().create("a", withList(jobs));
    const { of, create } = command();
    const handlers = of("a");
    const inputs = await checkInputs(handlers, withList(spare), withList(named(jobs)));
    await handlers.update(SERVICE, first.outs, inputs);
    // The response to the next change does not show the lists.
    await seeded.api.faults(
      { method: "PATCH", times: 1, effect: { kind: "answer", result: { privateEndpointIds: null } } },
      oldRead(office, build, named(jobs), named(spare)),
    );
    await create("b", { serviceId: SERVICE, privateEndpointIds: [ENDPOINT] });
    await create("c", withList(jobs));
    expect(await listOnServer()).toContainEqual(named(jobs));
  });

  test("an endpoint that moves is added again after a lost request, whatever the read then shows", async () => {
    const endpoints = { serviceId: SERVICE, privateEndpointIds: [ENDPOINT] };
    const first = await command().create("a", endpoints);
    const { of, create } = command();
    const inputs = await checkInputs(of("a"), { serviceId: SERVICE, privateEndpointIds: [] }, endpoints);
    await of("a").update(SERVICE, first.outs, inputs);
    const old = { privateEndpointIds: [ENDPOINT], ipAccessList: [office, build] };
    await seeded.api.faults(
      { method: "PATCH", times: 1, effect: { kind: "reset", when: "before" } },
      { method: "GET", times: 1, effect: { kind: "answer", result: old } },
    );
    await create("b", { ...withList(jobs), ...endpoints });
    const service = (await seeded.api.services()).find(({ id }) => id === SERVICE);
    expect(service).toMatchObject({ privateEndpointIds: [ENDPOINT] });
  });

  test("an own entry that a read lacks is removed, and one with another text is not", async () => {
    const { id, outs } = await command().create("a", withList(jobs, spare));
    await seeded.api.faults({ ...oldRead(office, build, { ...spare, description: "theirs" }), times: 1 });
    await seeded.api.requests();
    await command().of("a").delete(id, outs);
    expect(await seeded.bodies()).toEqual([GET, { ipAccessList: { remove: [named(jobs)] } }]);
  });
});

test("an entry that others describe anew between look and request is theirs", async () => {
  const { id, outs } = await command().create("a", withList(jobs, spare));
  const theirs = { ...jobs, description: "theirs" };
  const after = [office, build, theirs];
  await seeded.api.faults({ method: "PATCH", times: 1, effect: { kind: "answer", result: { ipAccessList: after } } });
  await seeded.api.requests();
  await command().of("a").delete(id, outs);
  expect((await seeded.bodies()).filter((body) => body !== GET)).toHaveLength(1);
});

test("a Service's own list takes turns with the entries of others", async () => {
  const service = { existingServiceId: SERVICE };
  const { of, create } = command();
  const db = of("db", "Service");
  const { outs } = await db.create(await checkInputs(db, { ...service, privateEndpointIds: [] }));
  await seeded.api.faults({
    method: "PATCH",
    times: 1,
    effect: { kind: "latency", milliseconds: 300, when: "before" },
  });
  await seeded.api.requests();
  const endpoints = await checkInputs(db, { ...service, privateEndpointIds: [ENDPOINT] });
  await Promise.all([db.update(SERVICE, outs, endpoints), create("a", withList(jobs))]);
  expect((await seeded.bodies()).filter((body) => body !== GET)).toEqual([
    { privateEndpointIds: { add: [ENDPOINT] } },
    { ipAccessList: { add: [named(jobs)] } },
  ]);
});

test("a refresh accepts what a rename that was cut off has left", async () => {
  const { outs } = await command().create("office", withList(jobs));
  const { outs: renamed } = await command().create("office-network", withList(jobs));
  const { of } = command();
  for (const [name, state] of Object.entries({ office: outs, "office-network": renamed })) {
    const { inputs = {} } = await of(name).read(SERVICE, state);
    expect(await of(name).diff(SERVICE, state, inputs)).toMatchObject({ changes: false });
  }
});

test("a removal that the server never got fails, and is not taken for done", async () => {
  const [a, b] = await Promise.all(
    ["a", "b"].map((name, index) => command().create(name, withList([jobs, spare][index] as Properties))),
  );
  await seeded.api.faults({ method: "PATCH", effect: { kind: "reset", when: "before" } });
  const { of } = command();
  const removals = [of("a").delete(SERVICE, a?.outs ?? {}), of("b").delete(SERVICE, b?.outs ?? {})];
  for (const removal of removals) expect((await failureOf(removal)).message).toContain("Not confirmed: ipAccessList.");
  await seeded.api.faults();
  await command()
    .of("a")
    .delete(SERVICE, a?.outs ?? {});
  expect(await listOnServer()).toEqual([office, build, named(spare)]);
});
