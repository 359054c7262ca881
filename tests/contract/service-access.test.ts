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
  withEndpoint,
  withList,
} from "./access-setup";
import {
  answer,
  create,
  failedCreation,
  loseResponse,
  once,
  type Properties,
  refuse,
} from "./support";

/** One ServiceAccess, its own entries and those of others. Each command is a process. */

const seeded = useAccess();
const { command, access, listOnServer, bodies, change } = seeded;
const adopt = (args: Properties) => seeded.adopt(access(), args);

const PATCH = "PATCH /services/{id}";
const OTHER_ENDPOINT = "vpce-0a1b2c3d4e5f60002";
/** Lets one read succeed before the faults after it. */
const oneRead = once({ method: "GET", effect: { kind: "latency", milliseconds: 0 } });

test("a response without a valid list is refused before a change", async () => {
  await seeded.api.faults(once(answer("GET", { ipAccessList: "none" })));
  const { message } = await failedCreation(access(), withList(jobs));
  expect(message).toMatch(/does not show its lists as documented\. Nothing was changed\..*CDB3011/);
  expect(await bodies()).toEqual([GET]);
});

test("a ServiceAccess reads once, and adds and removes only its own entries", async () => {
  const described = { ...jobs, description: "jobs" };
  const { requests, outs } = await seeded.runPrograms(
    access(),
    withList(jobs),
    withList(jobs),
    withList(described, spare),
    withList(spare),
    { ...withList(spare), privateEndpointIds: [ENDPOINT] },
    withEndpoint,
  );
  expect(requests).toEqual([
    [GET, [PATCH, { ipAccessList: { add: [named(jobs)] } }]],
    [],
    [[PATCH, { ipAccessList: { add: [named(described), named(spare)], remove: [named(jobs)] } }]],
    [[PATCH, { ipAccessList: { remove: [named(described)] } }]],
    [[PATCH, { privateEndpointIds: { add: [ENDPOINT] } }]],
    [[PATCH, { ipAccessList: { remove: [named(spare)] } }]],
  ]);
  expect(outs).toMatchObject({
    ipAccessList: [],
    privateEndpointIds: [ENDPOINT],
    sharedSources: [],
  });
  expect(await seeded.server()).toEqual({
    ipAccessList: [office, build],
    privateEndpointIds: [ENDPOINT],
  });
});

test("a ServiceAccess deletes its entries with one request, or none without entries", async () => {
  const stored = await adopt({ ...withList(jobs, theirs), privateEndpointIds: [ENDPOINT] });
  const deleting = command();
  await stored.in(deleting.of()).delete();
  const remove = {
    ipAccessList: { remove: [named(jobs)] },
    privateEndpointIds: { remove: [ENDPOINT] },
  };
  expect(await bodies()).toEqual([GET, remove]);
  expect(await seeded.server()).toEqual({ ipAccessList: [office, build], privateEndpointIds: [] });
  expect(deleting.messages).toEqual([
    `The access to service ${SERVICE} keeps 1 of the declared entries: others had added them, or have changed them. [CDB5004]`,
  ]);
  const shared = await create(access(), withList(theirs));
  await shared.in(access()).delete();
  expect(await bodies()).toEqual([GET, GET]);
});

test("a foreign private endpoint in another spelling stays shared, without a request", async () => {
  await change({ privateEndpointIds: { add: [ENDPOINT] } });
  const privateEndpointIds = [ENDPOINT.toUpperCase()];
  const stored = await adopt({ serviceId: SERVICE, privateEndpointIds });
  expect(stored.outs).toMatchObject({
    privateEndpointIds,
    sharedPrivateEndpointIds: privateEndpointIds,
  });
  await bodies();
  for (const shared of [ENDPOINT, ENDPOINT.toUpperCase()])
    await stored
      .withOuts({ sharedPrivateEndpointIds: [shared] })
      .in(access())
      .delete();
  expect(await bodies()).toEqual([GET, GET]);
});

test("a deletion looks at each entry a few times, for any number of entries", async () => {
  // Each look at an entry looks up its network.
  const lookups = jest.spyOn(Map.prototype, "get");
  const sources = (network: number, count: number) =>
    Array.from({ length: count }, (_, host) => ({ source: `10.0.${network}.${host}` }));
  const workOf = async (count: number, network: number) => {
    await change({ ipAccessList: { add: sources(network, 50) } });
    const stored = await create(access(), withList(...sources(9, count)));
    lookups.mockClear();
    await stored.in(access()).delete();
    return lookups.mock.calls.filter(([key]) => `${key}`.startsWith("10.0.")).length;
  };
  const work = await workOf(50, 1);
  expect(work).toBeLessThan(30 * (50 + 50));
  expect(await workOf(100, 2)).toBeLessThan(2.2 * work);
  lookups.mockRestore();
});

test("a ServiceAccess moves its entries to another service", async () => {
  const { of, create, messages } = command();
  const stored = await create("access", withList(jobs));
  const difference = await stored.in(of()).diff({ ...withList(jobs), serviceId: OTHER });
  expect(difference).toMatchObject({ replaces: ["serviceId"], deleteBeforeReplace: true });
  expect(messages.at(-1)).toContain("removes the entries that this resource has added there");
});

test("a new description gets the stack's name, and a stored one stays if the program's text does", async () => {
  const { check } = command().of();
  const [one, two] = [{ source: "192.0.2.1" }, { source: "192.0.2.2" }];
  const listOf = async (olds: Properties[], ...news: Properties[]) =>
    (await check(olds.length > 0 ? withList(...olds) : {}, withList(...news))).inputs.ipAccessList;
  expect(await listOf([], one, { ...two, description: "" }, jobs, named(spare))).toEqual(
    [one, two, jobs, spare].map((entry) => named(entry)),
  );
  // Descriptions of an import, and of a stack before it was renamed.
  const stored = [one, jobs, named(two, "test/old"), named(spare, "test/old")];
  expect(await listOf(stored, one, jobs, two, spare)).toEqual(stored);
  const texts = [
    { ...one, description: "one" },
    { source: jobs.source },
    { ...two, description: "two" },
  ];
  expect(await listOf(stored, ...texts)).toEqual(texts.map((entry) => named(entry)));
});

describe("foreign entries", () => {
  test("foreign entries are recorded, but neither changed nor removed", async () => {
    const { requests, outs } = await seeded.runPrograms(
      access(),
      withList({ source: "203.0.113.9/24", description: "ours" }, jobs),
      withList({ source: "203.0.113.0/24", description: "another text" }, jobs),
      withList(jobs),
      withList(jobs, { source: "198.51.100.7/32" }),
    );
    expect(requests).toEqual([
      [GET, [PATCH, { ipAccessList: { add: [named(jobs)] } }]],
      [],
      [],
      [],
    ]);
    expect(outs).toMatchObject({
      ipAccessList: [named(jobs), { source: "198.51.100.7/32", description: "test/dev" }],
      sharedSources: ["198.51.100.7/32"],
      sharedPrivateEndpointIds: [],
    });
    expect(await listOnServer()).toEqual([office, build, named(jobs)]);
  });

  test("foreign entries are no drift, unlike own entries", async () => {
    const stored = await adopt(withList(jobs, spare, theirs));
    await change({
      ipAccessList: {
        remove: [build],
        add: [{ source: "100.64.0.0/24" }, { ...office, description: "x" }],
      },
    });
    const same = await stored.refresh();
    expect(same.inputs).toMatchObject({
      ipAccessList: [jobs, spare, theirs].map((entry) => named(entry)),
    });
    expect(await bodies()).toEqual([GET]);
    await change({ ipAccessList: { remove: [jobs] } });
    const drifted = await same.refresh();
    expect(drifted.inputs).toMatchObject({
      ipAccessList: expect.not.arrayContaining([named(jobs)]),
    });
    await bodies();
    await drifted.in(access()).update(withList(jobs, spare, theirs));
    expect(await bodies()).toEqual([GET, { ipAccessList: { add: [named(jobs)] } }]);
  });

  test("own entries that others have changed become foreign, without drift", async () => {
    const stored = await adopt(withList(jobs, spare));
    const changed = { ...spare, description: "changed" };
    await change({ ipAccessList: { add: [changed] } });
    const refreshed = await stored.in(access()).refresh();
    expect(refreshed.inputs).toMatchObject({ ipAccessList: [named(jobs), named(spare)] });
    expect(refreshed.outs).toMatchObject({ sharedSources: [spare.source] });
    await refreshed.in(access()).delete();
    expect(await listOnServer()).toEqual([office, build, changed]);
  });

  test("foreign entries are added and owned once others have removed them", async () => {
    const stored = await adopt(withList(theirs));
    await change({ ipAccessList: { remove: [office] } });
    const refreshed = await stored.refresh();
    expect(refreshed.inputs).toMatchObject({ ipAccessList: [] });
    await bodies();
    const updated = await refreshed.update(withList(theirs));
    expect(await bodies()).toEqual([GET, { ipAccessList: { add: [named(theirs)] } }]);
    expect(updated.outs).toMatchObject({ sharedSources: [] });
    await updated.in(access()).delete();
    expect(await bodies()).toEqual([GET, { ipAccessList: { remove: [named(theirs)] } }]);
  });

  test("own entries that others describe between read and request become foreign", async () => {
    const stored = await adopt(withList(jobs, spare));
    const ipAccessList = [office, build, { ...jobs, description: "theirs" }];
    await seeded.api.faults(once(answer("PATCH", { ipAccessList })));
    await stored.in(access()).delete();
    expect((await bodies()).filter((body) => body !== GET)).toHaveLength(1);
  });

  test("foreign entries that open the service to everyone are reported once, and in an output", async () => {
    await change({ ipAccessList: { add: [{ source: "0.0.0.0/0" }] } });
    const { create, ofEntries } = command();
    const [{ outs }] = await Promise.all([
      create("a", withList(theirs, jobs)),
      create("b", withList(spare)),
    ]);
    expect(outs).toMatchObject({ openSources: ["0.0.0.0/0"] });
    expect(ofEntries()).toEqual([
      `Entries of others (0.0.0.0/0) open service ${SERVICE} to everyone: whatever the program declares, they stay. [CDB5012]`,
    ]);
  });

  test("foreign entries stay in a list that the Service does not declare", async () => {
    const service = { existingServiceId: SERVICE, numReplicas: 3 };
    const db = await create(command().of("db", "Service"), service);
    await adopt(withList(jobs));
    expect(await db.diff(service)).toMatchObject({ changes: false });
    const refreshed = await db.refresh();
    expect(refreshed.inputs).not.toHaveProperty("ipAccessList");
    await bodies();
    await refreshed.update({ ...service, name: "Renamed" });
    expect(await bodies()).toEqual([{ name: "Renamed" }]);
    expect(await listOnServer()).toEqual([office, build, named(jobs)]);
  });
});

describe("failures", () => {
  test("entries stay owned after a lost response", async () => {
    const program = withList(jobs, theirs);
    await seeded.api.faults(loseResponse("PATCH"), oneRead, refuse("GET", 500));
    const { message, stored } = await failedCreation(access(), program);
    expect(message).toContain("Not confirmed: ipAccessList.");
    await seeded.api.faults();
    expect(await listOnServer()).toEqual([office, build, named(jobs)]);
    await bodies();
    const removal = [GET, { ipAccessList: { remove: [named(jobs)] } }];
    // A destroy right after it knows its own entries,
    await stored.in(access()).delete();
    expect(await bodies()).toEqual(removal);
    // and the next `up` knows it after one read.
    await change({ ipAccessList: { add: [named(jobs)] } });
    const updated = await stored.up(program);
    expect(await bodies()).toEqual([GET]);
    expect(updated.outs).toMatchObject({
      ipAccessList: [named(jobs), named(theirs)],
      sharedSources: ["203.0.113.0/24"],
    });
    await updated.in(access()).delete();
    expect(await bodies()).toEqual(removal);
  });

  test("an entry of a lost response is removed if the program no longer declares it", async () => {
    const before = await adopt(withList(jobs));
    await seeded.api.faults(loseResponse("PATCH"), oneRead, loseResponse("GET"));
    const { stored } = await before.in(access()).failedUpdate(withList(jobs, spare));
    await seeded.api.faults();
    await bodies();
    const refreshed = await stored.in(access()).refresh();
    expect(refreshed.inputs).toMatchObject({ ipAccessList: [named(jobs), named(spare)] });
    await refreshed.in(access()).update(withList(jobs));
    // The refresh reads once; the update reads and writes.
    expect(await bodies()).toEqual([GET, GET, { ipAccessList: { remove: [named(spare)] } }]);
  });

  test("an entry that the API refuses fails in one sentence, and accepted entries are in the stack", async () => {
    const program = withList(jobs, theirs);
    const failure = await failedCreation(access(), {
      ...program,
      privateEndpointIds: ["vpce-unknown"],
    });
    expect(failure.message).toMatch(/^Adding access to service .*vpce-unknown does not exist/);
    expect(failure).toMatchObject({
      id: SERVICE,
      properties: {
        ipAccessList: [named(theirs)],
        privateEndpointIds: [],
        sharedSources: ["203.0.113.0/24"],
      },
    });
    await bodies();
    const { outs } = await failure.stored.update({
      ...program,
      privateEndpointIds: [OTHER_ENDPOINT],
    });
    const add = {
      ipAccessList: { add: [named(jobs)] },
      privateEndpointIds: { add: [OTHER_ENDPOINT] },
    };
    expect(await bodies()).toEqual([GET, add]);
    expect(outs).toMatchObject({
      ipAccessList: [named(jobs), named(theirs)],
      privateEndpointIds: [OTHER_ENDPOINT],
    });
  });

  test("a refresh drops a ServiceAccess whose service is gone, and its deletion succeeds", async () => {
    const stored = await adopt(withList(jobs));
    const { of, messages } = command();
    const body = { requestId: "r-1", status: 404, error: "NOT_FOUND" };
    await seeded.api.faults({ effect: { kind: "status", status: 404, body } });
    expect((await stored.in(of()).refresh()).id).toBe("");
    await stored.in(of()).delete();
    expect(messages).toEqual(
      Array(2).fill(expect.stringContaining(`Access to service ${SERVICE} of organization`)),
    );
  });
});

describe("check", () => {
  const reasonsOf = async (args: Properties) =>
    (await access().check({}, args)).failures.map(({ reason }) => reason);

  test("a ServiceAccess without a list is refused, and an empty list is accepted", async () => {
    const missing =
      "ipAccessList and privateEndpointIds are missing: declare at least one, or remove the resource. [CDB1002]";
    expect(await reasonsOf({ serviceId: SERVICE })).toEqual([missing]);
    expect(await reasonsOf({})).toEqual([
      "serviceId is missing: set `serviceId` on the resource. [CDB1002]",
      missing,
    ]);
    expect(await reasonsOf(withList())).toEqual([]);
    const { requests } = await seeded.runPrograms(access(), withList(), withList());
    expect(requests).toEqual([[GET], []]);
  });

  test("a ServiceAccess with the same entry in two spellings is refused", async () => {
    expect(
      await reasonsOf(
        withList({ source: "10.0.0.1" }, jobs, { source: "10.0.0.1/32", description: "" }),
      ),
    ).toEqual([
      "ipAccessList[0] and ipAccessList[2] are the same entry; keep one of them. [CDB1006]",
    ]);
    expect(
      await reasonsOf({ serviceId: SERVICE, privateEndpointIds: [ENDPOINT, ENDPOINT] }),
    ).toEqual([
      "privateEndpointIds[0] and privateEndpointIds[1] are the same entry; keep one of them. [CDB1006]",
    ]);
  });
});
