import { UNKNOWN } from "../support/adapters/values";
import {
  build,
  ENDPOINT,
  GET,
  jobs,
  named,
  office,
  SERVICE,
  spare,
  useAccess,
  withEndpoint,
  withList,
} from "./access-setup";
import {
  create,
  failureOf,
  loseRequest,
  loseResponse,
  once,
  type Properties,
  refuse,
} from "./support";

/**
 * Several resources change the lists of one service. They run in the engine's order of steps: check
 * and diff, the step, deletions last. Each command is a process.
 */

const seeded = useAccess();
const { command, listOnServer, bodies } = seeded;

type Network = { source: string };
const networks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ source: `192.0.2.${index + 1}` }));
const [one, two, three] = networks(3) as [Network, Network, Network];

describe("entries that pass to another resource", () => {
  test.each([
    ["the same description", jobs, jobs],
    ["another description", jobs, { ...jobs, description: "other" }],
    ["the description of the stack", { source: jobs.source }, { source: jobs.source }],
  ])(
    "a renamed resource keeps its entry with %s, until the renamed resource is removed",
    async (_, before, after) => {
      const old = await command().create("old", withList(before));
      const renaming = command();
      const renamed = await renaming.create("new", withList(after));
      await old.in(renaming.of("old")).delete();
      expect(await listOnServer()).toEqual([office, build, named(after)]);
      expect(renaming.ofEntries()).toEqual([
        `The access to service ${SERVICE} leaves 1 of its entries to "new", which the program declares with them now. [CDB5011]`,
      ]);
      await bodies();
      await renamed.in(command().of("new")).up(withList(after));
      expect(await bodies()).toEqual([]);
      await renamed.in(command().of("new")).delete();
      expect(await listOnServer()).toEqual([office, build]);
    },
  );

  test("a renamed resource keeps its private endpoint and counts it as shared", async () => {
    const old = await command().create("old", withEndpoint);
    const renaming = command();
    const { outs } = await renaming.create("new", withEndpoint);
    await old.in(renaming.of("old")).delete();
    expect(outs).toMatchObject({
      privateEndpointIds: [ENDPOINT],
      sharedPrivateEndpointIds: [ENDPOINT],
    });
    expect(renaming.ofEntries()).toEqual([
      expect.stringContaining('leaves 1 of its entries to "new"'),
    ]);
  });

  test("an entry passes from one resource to another in two commands", async () => {
    const first = command();
    const a = await first.create("a", withList(jobs, one));
    const b = await first.create("b", withList(spare));
    await a.in(command().of("a")).up(withList(one));
    const { outs } = await b.in(command().of("b")).up(withList(spare, jobs));
    expect(await listOnServer()).toContainEqual(named(jobs));
    expect(outs).toMatchObject({ sharedSources: [] });
  });

  test("a passed entry is added again if its former owner removes it before the new owner's up", async () => {
    const a = await command().create("a", withList(jobs, one));
    // As after a failed command, in which resource a did not give the entry up.
    const b = await command().create("b", withList(jobs));
    const second = command();
    await a.in(second.of("a")).up(withList(one));
    expect(await listOnServer()).not.toContainEqual(named(jobs));
    await b.in(second.of("b")).up(withList(jobs));
    expect(await listOnServer()).toContainEqual(named(jobs));
  });

  test("a rename that was cut off leaves no drift in either resource", async () => {
    const stored = {
      old: await command().create("old", withList(jobs)),
      new: await command().create("new", withList(jobs)),
    };
    const { of } = command();
    for (const [name, access] of Object.entries(stored)) {
      const { id, inputs, outs } = await access.in(of(name)).refresh();
      expect(await of(name).diff(id, outs, inputs)).toMatchObject({ changes: false });
    }
  });
});

test.each([
  ["in order", [0, 1]],
  ["backwards", [1, 0]],
] as const)(
  "resources in an indexed loop lose no entry when one address leaves the loop, %s",
  async (_, order) => {
    const first = command();
    const stored = await Promise.all(
      [one, two, three].map((entry, index) => first.create(`ip-${index}`, withList(entry))),
    );
    await bodies();
    const second = command();
    const next = [withList(two), withList(three)];
    for (const index of order)
      await stored[index]?.in(second.of(`ip-${index}`)).up(next[index] as Properties);
    await stored[2]?.in(second.of("ip-2")).delete();
    expect((await bodies()).filter((body) => body === GET)).toHaveLength(1);
    expect(await listOnServer()).toEqual(
      expect.arrayContaining([office, build, named(two), named(three)]),
    );
    expect(await listOnServer()).toHaveLength(4);
  },
);

test("a replacement that is deleted first keeps its entries and private endpoints", async () => {
  const args = { ...withList(jobs), privateEndpointIds: [ENDPOINT] };
  const access = await seeded.adopt(command().of(), args);
  const handlers = command().of();
  const inputs = await access.in(handlers).check(args);
  await handlers.delete(access.id, access.outs);
  const { outs } = await handlers.create(inputs);
  expect(await bodies()).toEqual([GET, GET]);
  expect(outs).toMatchObject({ sharedSources: [], sharedPrivateEndpointIds: [] });
});

test("a resource that moves to an unknown service owns nothing of its former service", async () => {
  const moved = await command().create("moved", withList(jobs));
  const { of } = command();
  const { inputs } = await of("moved").check(moved.inputs, {
    ...withList(spare),
    serviceId: UNKNOWN,
  });
  await of("new").check({}, withList(spare));
  await expect(of("moved").diff(SERVICE, moved.outs, inputs)).resolves.toBeDefined();
});

describe("beside a Service", () => {
  const adopted = { existingServiceId: SERVICE };
  const createService = (args: Properties = {}) =>
    create(command().of("db", "Service"), { ...adopted, ...args });

  test("an entry stays if it passes from a ServiceAccess to the Service's list", async () => {
    const service = await createService();
    const access = await command().create("access", withList(jobs));
    const { of } = command();
    await service.in(of("db", "Service")).up({ ...adopted, ipAccessList: [jobs] });
    await access.in(of()).delete();
    expect(await listOnServer()).toEqual([jobs]);
  });

  test("a list that the Service newly declares is compared with a new response", async () => {
    const access = await command().create("access", withList(jobs));
    const service = await createService();
    await access.in(command().of()).delete();
    await service
      .in(command().of("db", "Service"))
      .up({ ...adopted, ipAccessList: [office, build, named(jobs)] });
    expect(await listOnServer()).toEqual([office, build, named(jobs)]);
  });

  test("an entry that the Service no longer declares passes to the ServiceAccess that declares it", async () => {
    const service = await createService({ ipAccessList: [office, build, jobs] });
    const separating = command();
    await service.in(separating.of("db", "Service")).up(adopted);
    const access = await separating.create("access", withList(jobs));
    expect(access.outs).toMatchObject({ sharedSources: [] });
    expect(await listOnServer()).toEqual([office, build, named(jobs)]);
    await access.in(command().of()).delete();
    expect(await listOnServer()).toEqual([office, build]);
  });

  test("an entry of another stack stays shared after the Service no longer declares it", async () => {
    const theirs = named(jobs, "test/us");
    const service = await createService({ ipAccessList: [theirs] });
    const separating = command();
    await service.in(separating.of("db", "Service")).up(adopted);
    const { outs } = await separating.create("access", withList(jobs));
    expect(outs).toMatchObject({ sharedSources: [jobs.source] });
    expect(await listOnServer()).toEqual([theirs]);
  });

  test("a ServiceAccess waits for a change of the Service's own list", async () => {
    const { of, create: createAccess } = command();
    const service = await create(of("db", "Service"), { ...adopted, privateEndpointIds: [] });
    const slow = { kind: "latency", milliseconds: 300, when: "before" } as const;
    await seeded.api.faults(once({ method: "PATCH", effect: slow }));
    await bodies();
    const changed = service.update({ ...adopted, privateEndpointIds: [ENDPOINT] });
    await Promise.all([changed, createAccess("a", withList(jobs))]);
    expect((await bodies()).filter((body) => body !== GET)).toEqual([
      { ipAccessList: { add: [named(jobs)] } },
      { privateEndpointIds: { add: [ENDPOINT] } },
    ]);
  });
});

describe("resources of one command", () => {
  test("48 resources of one command share one read and one request", async () => {
    const first = command();
    const sources = networks(48);
    const create = async (entry: Properties, index: number) =>
      first.create(`ip-${index}`, withList(entry));
    const stored = await Promise.all(sources.map(create));
    expect(await bodies()).toEqual([
      GET,
      { ipAccessList: { add: sources.map((entry) => named(entry)) } },
    ]);
    const { of } = command();
    const shifted = stored.slice(0, -1).map(async (resource, index) => {
      const next = withList(sources[index + 1] as Properties);
      return resource.in(of(`ip-${index}`)).up(next);
    });
    await Promise.all(shifted);
    expect(await bodies()).toEqual([GET, { ipAccessList: { remove: [named(one)] } }]);
  });

  test("a refused shared request fails only the resource with the invalid entry", async () => {
    const { create } = command();
    const wrong = create("wrong", { serviceId: SERVICE, privateEndpointIds: ["vpce-unknown"] });
    const right = [
      create("a", withList(jobs)),
      create("b", { ...withList(spare), privateEndpointIds: [ENDPOINT] }),
    ];
    expect((await failureOf(wrong)).message).toContain("vpce-unknown does not exist");
    for (const { outs } of await Promise.all(right))
      expect(outs).toMatchObject({ sharedSources: [] });
    expect(await listOnServer()).toEqual([office, build, named(jobs), named(spare)]);
  });

  test("an entry that passes between resources is added even if others have removed it", async () => {
    const stored = await command().create("a", withList(jobs));
    await seeded.change({ ipAccessList: { remove: [named(jobs)] } });
    const { of, create } = command();
    await Promise.all([stored.in(of("a")).up(withList(spare)), create("b", withList(jobs))]);
    expect(await listOnServer()).toEqual([office, build, named(jobs), named(spare)]);
  });

  test("resources of one command read once after a lost response, and send nothing again", async () => {
    await seeded.api.faults(once(loseResponse("PATCH")));
    const { create } = command();
    await Promise.all([create("a", withList(jobs)), create("b", withList(spare))]);
    expect((await bodies()).map((body) => (body === GET ? GET : "PATCH"))).toEqual([
      GET,
      "PATCH",
      GET,
    ]);
  });

  test("resources store entries that may have been added while the API is unreachable", async () => {
    const { create } = command();
    const read = { method: "GET", effect: { kind: "latency", milliseconds: 0 } } as const;
    await seeded.api.faults(loseResponse("PATCH"), once(read), refuse("GET", 500));
    const [first, second] = await Promise.all([
      failureOf(create("a", withList(jobs))),
      failureOf(create("b", withList(spare))),
    ]);
    expect(first).toMatchObject({ properties: { ipAccessList: [named(jobs)] } });
    expect(second).toMatchObject({ properties: { ipAccessList: [named(spare)] } });
    for (const { message } of [first, second])
      expect(message).toContain("Not confirmed: ipAccessList.");
    await seeded.api.faults();
    expect(await listOnServer()).toEqual([office, build, named(jobs), named(spare)]);
  });

  test("after an unknown outcome, each resource fails with a message about its own operation", async () => {
    const stored = await command().create("a", withList(jobs));
    const { of, create } = command();
    const read = { method: "GET", effect: { kind: "latency", milliseconds: 0 } } as const;
    await seeded.api.faults(loseResponse("PATCH"), once(read), refuse("GET", 500));
    const [addition, removal] = await Promise.all([
      failureOf(create("b", withList(spare))),
      failureOf(stored.in(of("a")).delete()),
    ]);
    expect(addition.message).toMatch(/^Adding access to service .*Not confirmed: ipAccessList\./);
    expect(removal.message).toMatch(/^Removing access to service .*Not confirmed: ipAccessList\./);
  });

  test("removals that never reached the server fail, and the next command removes the entry", async () => {
    const a = await command().create("a", withList(jobs));
    const b = await command().create("b", withList(spare));
    await seeded.api.faults(loseRequest("PATCH"));
    const { of } = command();
    const removals = [a.in(of("a")).delete(), b.in(of("b")).delete()];
    for (const removal of removals)
      expect((await failureOf(removal)).message).toContain("Not confirmed: ipAccessList.");
    await seeded.api.faults();
    await a.in(command().of("a")).delete();
    expect(await listOnServer()).toEqual([office, build, named(spare)]);
  });
});
