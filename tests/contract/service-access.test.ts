import { service as serviceType } from "../../provider/resources/service/service";
import { serviceAccess as accessType } from "../../provider/resources/service-access/service-access";
import type { FaultEffect } from "../../simulator/index";
import {
  build,
  ENDPOINT,
  GET,
  jobs,
  named,
  OTHER,
  office,
  SERVICE,
  spare,
  theirs,
  useAccess,
  withList,
} from "./access-setup";
import { runPrograms } from "./seeded";
import { checkInputs, createHandlers, failureOf, type Properties } from "./support";

/** The real handlers of a ServiceAccess against the seeded simulator. */

const seeded = useAccess();
/** Starts a process: each command has its own. */
const access = () => createHandlers(accessType, seeded.simulator);

const PATCH = "PATCH /services/{id}";
const lostResponse: FaultEffect = { kind: "reset", when: "after" };

const OTHER_ENDPOINT = "vpce-0a1b2c3d4e5f60002";
const change = (body: Properties) => seeded.api.change("PATCH", `/${SERVICE}`, body);

async function onServer(): Promise<Record<string, unknown>> {
  const service = (await seeded.api.services()).find(({ id }) => id === SERVICE) as Record<string, unknown>;
  return { ipAccessList: service.ipAccessList, privateEndpointIds: service.privateEndpointIds };
}

describe("requests", () => {
  test("a ServiceAccess looks once, and adds and removes its own entries alone", async () => {
    const { requests, outs } = await runPrograms(
      seeded.api,
      access(),
      withList(jobs),
      withList(jobs),
      withList({ ...jobs, description: "jobs" }, spare),
      withList(spare),
      { ...withList(spare), privateEndpointIds: [ENDPOINT] },
      { serviceId: SERVICE, privateEndpointIds: [ENDPOINT] },
    );
    const described = named({ ...jobs, description: "jobs" });
    expect(requests).toEqual([
      [GET, [PATCH, { ipAccessList: { add: [named(jobs)] } }]],
      [],
      [[PATCH, { ipAccessList: { add: [described, named(spare)], remove: [named(jobs)] } }]],
      [[PATCH, { ipAccessList: { remove: [described] } }]],
      [[PATCH, { privateEndpointIds: { add: [ENDPOINT] } }]],
      [[PATCH, { ipAccessList: { remove: [named(spare)] } }]],
    ]);
    expect(outs).toMatchObject({ ipAccessList: [], privateEndpointIds: [ENDPOINT], sharedSources: [] });
    expect(await onServer()).toEqual({ ipAccessList: [office, build], privateEndpointIds: [ENDPOINT] });
  });

  test("a ServiceAccess deletes its own entries with one request, and sends none if it has none", async () => {
    const { id, outs } = await runPrograms(seeded.api, access(), {
      ...withList(jobs, theirs),
      privateEndpointIds: [ENDPOINT],
    });
    const handlers = access();
    await handlers.delete(id, outs);
    expect(await seeded.bodies()).toEqual([
      GET,
      { ipAccessList: { remove: [named(jobs)] }, privateEndpointIds: { remove: [ENDPOINT] } },
    ]);
    expect(await onServer()).toEqual({ ipAccessList: [office, build], privateEndpointIds: [] });
    expect(handlers.messages).toEqual([
      `The access to service ${SERVICE} keeps 1 of the declared entries: others had added them, or have changed them. [CDB5004]`,
    ]);
    const found = await runPrograms(seeded.api, access(), withList(theirs));
    expect(found.requests).toEqual([[GET]]);
    await access().delete(found.id, found.outs);
    expect(await seeded.bodies()).toEqual([GET]);
  });

  test("a ServiceAccess moves its entries to another service", async () => {
    const handlers = access();
    const { id, outs } = await runPrograms(seeded.api, handlers, withList(jobs));
    const other = await checkInputs(handlers, { ...withList(jobs), serviceId: OTHER });
    expect(await handlers.diff(id, outs, other)).toMatchObject({ replaces: ["serviceId"], deleteBeforeReplace: true });
    expect(handlers.messages.at(-1)).toContain("removes the entries that this resource has added there");
  });
});

describe("entries of others", () => {
  test("a ServiceAccess records entries of others that it finds, and neither changes nor removes them", async () => {
    const handlers = access();
    const { requests, outs } = await runPrograms(
      seeded.api,
      handlers,
      withList({ source: "203.0.113.9/24", description: "ours" }, jobs),
      withList({ source: "203.0.113.0/24", description: "another text" }, jobs),
      withList(jobs),
      withList(jobs, { source: "198.51.100.7/32" }),
    );
    expect(requests).toEqual([[GET, [PATCH, { ipAccessList: { add: [named(jobs)] } }]], [], [], []]);
    expect(outs).toMatchObject({
      ipAccessList: [named(jobs), { source: "198.51.100.7/32", description: "test/dev" }],
      sharedSources: ["198.51.100.7/32"],
      sharedPrivateEndpointIds: [],
    });
    expect(await onServer()).toMatchObject({ ipAccessList: [office, build, named(jobs)] });
  });

  test("a ServiceAccess shows drift of its own entries alone", async () => {
    const handlers = access();
    const { id, outs } = await runPrograms(seeded.api, handlers, withList(jobs, spare, theirs));
    await change({
      ipAccessList: { remove: [build], add: [{ source: "100.64.0.0/24" }, { ...office, description: "x" }] },
    });
    const same = await handlers.read(id, outs);
    expect(same.inputs).toMatchObject({ ipAccessList: [jobs, spare, theirs].map((entry) => named(entry)) });
    expect(await seeded.api.requests()).toHaveLength(1);
    await change({ ipAccessList: { remove: [jobs] } });
    const drifted = await handlers.read(id, same.props as Properties);
    expect(drifted.inputs).toMatchObject({ ipAccessList: expect.not.arrayContaining([named(jobs)]) });
    await seeded.api.requests();
    const next = access();
    const inputs = await checkInputs(next, withList(jobs, spare, theirs), drifted.inputs);
    await next.update(id, drifted.props as Properties, inputs);
    expect(await seeded.bodies()).toEqual([GET, { ipAccessList: { add: [named(jobs)] } }]);
  });

  test("an own entry that others have changed is theirs, and no drift", async () => {
    const { id, outs } = await runPrograms(seeded.api, access(), withList(jobs, spare));
    const changed = { ...spare, description: "changed" };
    await change({ ipAccessList: { add: [changed] } });
    const { props = {}, inputs } = await access().read(id, outs);
    expect(inputs).toMatchObject({ ipAccessList: [named(jobs), named(spare)] });
    expect(props).toMatchObject({ sharedSources: [spare.source] });
    await access().delete(id, props);
    expect(await onServer()).toMatchObject({ ipAccessList: [office, build, changed] });
  });

  test("a ServiceAccess adds an entry of others once they have removed it, and owns it from then on", async () => {
    const handlers = access();
    const { id, outs } = await runPrograms(seeded.api, handlers, withList(theirs));
    await change({ ipAccessList: { remove: [office] } });
    const { props = {}, inputs } = await handlers.read(id, outs);
    expect(inputs).toMatchObject({ ipAccessList: [] });
    await seeded.api.requests();
    const { outs: after } = await handlers.update(id, props, await checkInputs(handlers, withList(theirs), inputs));
    expect(await seeded.bodies()).toEqual([GET, { ipAccessList: { add: [named(theirs)] } }]);
    expect(after).toMatchObject({ sharedSources: [] });
    await access().delete(id, after);
    expect(await seeded.bodies()).toEqual([GET, { ipAccessList: { remove: [named(theirs)] } }]);
  });

  test("a list that the Service declares is complete; one that it leaves out keeps the entries of a ServiceAccess", async () => {
    const services = createHandlers(serviceType, seeded.simulator);
    const service = await runPrograms(seeded.api, services, { existingServiceId: SERVICE, numReplicas: 3 });
    await runPrograms(seeded.api, access(), withList(jobs));
    const inputs = await checkInputs(services, { existingServiceId: SERVICE, numReplicas: 3 });
    expect(await services.diff(service.id, service.outs, inputs)).toMatchObject({ changes: false });
    const refreshed = await services.read(service.id, service.outs);
    expect(refreshed.inputs).not.toHaveProperty("ipAccessList");
    await seeded.api.requests();
    const renamed = await checkInputs(services, { existingServiceId: SERVICE, numReplicas: 3, name: "Renamed" });
    await services.update(service.id, refreshed.props as Properties, renamed);
    expect(await seeded.bodies()).toEqual([{ name: "Renamed" }]);
    expect(await onServer()).toMatchObject({ ipAccessList: [office, build, named(jobs)] });
  });
});

describe("failures", () => {
  test("entries of a lost response stay its own", async () => {
    const handlers = access();
    const inputs = await checkInputs(handlers, withList(jobs, theirs));
    // The read after the lost response is refused, so that this command cannot know.
    await seeded.api.faults(
      { method: "PATCH", effect: lostResponse },
      { method: "GET", times: 1, effect: { kind: "latency", milliseconds: 0 } },
      { method: "GET", effect: { kind: "status", status: 500 } },
    );
    const failure = await failureOf(handlers.create(inputs));
    expect(failure.message).toContain("Not confirmed: ipAccessList.");
    const { id = "", properties = {} } = failure;
    await seeded.api.faults();
    expect(await onServer()).toMatchObject({ ipAccessList: [office, build, named(jobs)] });
    await seeded.api.requests();
    // A destroy right after it knows its own entries,
    await access().delete(id, properties);
    expect(await seeded.bodies()).toEqual([GET, { ipAccessList: { remove: [named(jobs)] } }]);
    // and the next `up` knows it after one read.
    await change({ ipAccessList: { add: [named(jobs)] } });
    expect(await handlers.diff(id, properties, inputs)).toMatchObject({ changes: true });
    const { outs } = await handlers.update(id, properties, inputs);
    expect(await seeded.bodies()).toEqual([GET]);
    expect(outs).toMatchObject({ ipAccessList: [named(jobs), named(theirs)], sharedSources: ["203.0.113.0/24"] });
    await access().delete(id, outs);
    expect(await seeded.bodies()).toEqual([GET, { ipAccessList: { remove: [named(jobs)] } }]);
  });

  test("an entry of a lost response is removed if the program no longer declares it", async () => {
    const handlers = access();
    const { id, outs } = await runPrograms(seeded.api, handlers, withList(jobs));
    const wanted = await checkInputs(handlers, withList(jobs, spare));
    await seeded.api.faults(
      { method: "PATCH", effect: lostResponse },
      { method: "GET", times: 1, effect: { kind: "latency", milliseconds: 0 } },
      { method: "GET", effect: lostResponse },
    );
    const failure = await failureOf(access().update(id, outs, wanted));
    await seeded.api.faults();
    await seeded.api.requests();
    const refreshed = await handlers.read(id, failure.properties as Properties);
    expect(refreshed.inputs).toMatchObject({ ipAccessList: [named(jobs), named(spare)] });
    const next = access();
    await next.update(id, refreshed.props as Properties, await checkInputs(next, withList(jobs)));
    // The refresh reads once; the update reads and writes.
    expect(await seeded.bodies()).toEqual([GET, GET, { ipAccessList: { remove: [named(spare)] } }]);
  });

  test("an entry that the API refuses: one sentence, and the accepted ones are in the stack", async () => {
    const handlers = access();
    const inputs = await checkInputs(handlers, { ...withList(jobs, theirs), privateEndpointIds: ["vpce-unknown"] });
    const failure = await failureOf(handlers.create(inputs));
    expect(failure.message).toMatch(/^Adding access to service .*vpce-unknown does not exist/);
    expect(failure).toMatchObject({
      id: SERVICE,
      properties: { ipAccessList: [named(theirs)], privateEndpointIds: [], sharedSources: ["203.0.113.0/24"] },
    });
    await seeded.api.requests();
    const fixed = await checkInputs(handlers, { ...withList(jobs, theirs), privateEndpointIds: [OTHER_ENDPOINT] });
    const { outs } = await handlers.update(SERVICE, failure.properties as Properties, fixed);
    expect(await seeded.bodies()).toEqual([
      GET,
      { ipAccessList: { add: [named(jobs)] }, privateEndpointIds: { add: [OTHER_ENDPOINT] } },
    ]);
    expect(outs).toMatchObject({ ipAccessList: [named(jobs), named(theirs)], privateEndpointIds: [OTHER_ENDPOINT] });
  });

  test("a service that is gone: a refresh drops the resource, and a delete succeeds", async () => {
    const { id, outs } = await runPrograms(seeded.api, access(), withList(jobs));
    const handlers = access();
    const gone = { kind: "status", status: 404, body: { requestId: "r-1", status: 404, error: "NOT_FOUND" } } as const;
    await seeded.api.faults({ effect: gone });
    expect(await handlers.read(id, outs)).not.toHaveProperty("props");
    await handlers.delete(id, outs);
    expect(handlers.messages).toEqual(
      Array(2).fill(expect.stringContaining(`Access to service ${SERVICE} of organization`)),
    );
  });
});

describe("check", () => {
  const reasonsOf = async (args: Properties) => (await access().check({}, args)).failures.map(({ reason }) => reason);

  test("the check of a ServiceAccess refuses a program without a list, and takes an empty one", async () => {
    const missing =
      "ipAccessList and privateEndpointIds are missing: declare at least one, or remove the resource. [CDB1002]";
    expect(await reasonsOf({ serviceId: SERVICE })).toEqual([missing]);
    expect(await reasonsOf({})).toEqual(["serviceId is missing: set `serviceId` on the resource. [CDB1002]", missing]);
    expect(await reasonsOf(withList())).toEqual([]);
    const { requests } = await runPrograms(seeded.api, access(), withList(), withList());
    expect(requests).toEqual([[GET], []]);
  });

  test("the check of a ServiceAccess refuses the same entry twice, however it is spelled", async () => {
    expect(await reasonsOf(withList({ source: "10.0.0.1" }, jobs, { source: "10.0.0.1/32", description: "" }))).toEqual(
      ["ipAccessList[0] and ipAccessList[2] are the same entry; keep one of them. [CDB1006]"],
    );
    expect(await reasonsOf({ serviceId: SERVICE, privateEndpointIds: [ENDPOINT, ENDPOINT] })).toEqual([
      "privateEndpointIds[0] and privateEndpointIds[1] are the same entry; keep one of them. [CDB1006]",
    ]);
    expect(await reasonsOf(withList(jobs, { ...jobs, description: "x" }))).toEqual([
      "ipAccessList[0] and ipAccessList[1] are the same entry with different contents; keep one of them. [CDB1006]",
    ]);
  });
});
