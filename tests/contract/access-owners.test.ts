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

describe("an entry that passes to another resource", () => {
  test.each([
    ["the same description", jobs, jobs],
    ["another description", jobs, { ...jobs, description: "other" }],
    ["the description of the stack", { source: jobs.source }, { source: jobs.source }],
  ])(
    "after a rename stays with %s, and is removed with the new resource",
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

  test("is a private endpoint: it stays, and counts as shared there", async () => {
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

  test("while the first one stays can pass in two commands", async () => {
    const first = command();
    const a = await first.create("a", withList(jobs, one));
    const b = await first.create("b", withList(spare));
    await a.in(command().of("a")).up(withList(one));
    const { outs } = await b.in(command().of("b")).up(withList(spare, jobs));
    expect(await listOnServer()).toContainEqual(named(jobs));
    expect(outs).toMatchObject({ sharedSources: [] });
  });

  test("comes back if the first one removes it before the second one was compared", async () => {
    const a = await command().create("a", withList(jobs, one));
    // As after a failed command, in which resource a did not give the entry up.
    const b = await command().create("b", withList(jobs));
    const second = command();
    await a.in(second.of("a")).up(withList(one));
    expect(await listOnServer()).not.toContainEqual(named(jobs));
    await b.in(second.of("b")).up(withList(jobs));
    expect(await listOnServer()).toContainEqual(named(jobs));
  });

  test("of a rename that was cut off is no drift for either", async () => {
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
] as const)("a loop by index loses nothing when an address leaves it, %s", async (_, order) => {
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
});

test("a replacement that is deleted first keeps its entries and its private endpoints", async () => {
  const args = { ...withList(jobs), privateEndpointIds: [ENDPOINT] };
  const access = await seeded.adopt(command().of(), args);
  const handlers = command().of();
  const inputs = await access.in(handlers).check(args);
  await handlers.delete(access.id, access.outs);
  const { outs } = await handlers.create(inputs);
  expect(await bodies()).toEqual([GET, GET]);
  expect(outs).toMatchObject({ sharedSources: [], sharedPrivateEndpointIds: [] });
});

test("a resource that moves to a service that is not known yet owns nothing of the former one", async () => {
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

  test("an entry that passes into the Service's list stays", async () => {
    const service = await createService();
    const access = await command().create("access", withList(jobs));
    const { of } = command();
    await service.in(of("db", "Service")).up({ ...adopted, ipAccessList: [jobs] });
    await access.in(of()).delete();
    expect(await listOnServer()).toEqual([jobs]);
  });

  test("a list that the Service newly declares is not taken from an old response", async () => {
    const access = await command().create("access", withList(jobs));
    const service = await createService();
    await access.in(command().of()).delete();
    await service
      .in(command().of("db", "Service"))
      .up({ ...adopted, ipAccessList: [office, build, named(jobs)] });
    expect(await listOnServer()).toEqual([office, build, named(jobs)]);
  });

  test("an entry that the Service gives up passes to the resource that declares it", async () => {
    const service = await createService({ ipAccessList: [office, build, jobs] });
    const separating = command();
    await service.in(separating.of("db", "Service")).up(adopted);
    const access = await separating.create("access", withList(jobs));
    expect(access.outs).toMatchObject({ sharedSources: [] });
    expect(await listOnServer()).toEqual([office, build, named(jobs)]);
    await access.in(command().of()).delete();
    expect(await listOnServer()).toEqual([office, build]);
  });

  test("an entry of another stack that the Service gives up passes to nobody", async () => {
    const theirs = named(jobs, "test/us");
    const service = await createService({ ipAccessList: [theirs] });
    const separating = command();
    await service.in(separating.of("db", "Service")).up(adopted);
    const { outs } = await separating.create("access", withList(jobs));
    expect(outs).toMatchObject({ sharedSources: [jobs.source] });
    expect(await listOnServer()).toEqual([theirs]);
  });

  test("a change takes turns with a change of the Service's own list", async () => {
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
  test("share one read and one request, even 48 of them", async () => {
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

  test("are refused together, but only the wrong one fails", async () => {
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

  test("add an entry that passes between them, although others have removed it", async () => {
    const stored = await command().create("a", withList(jobs));
    await seeded.change({ ipAccessList: { remove: [named(jobs)] } });
    const { of, create } = command();
    await Promise.all([stored.in(of("a")).up(withList(spare)), create("b", withList(jobs))]);
    expect(await listOnServer()).toEqual([office, build, named(jobs), named(spare)]);
  });

  test("read once after a lost response, and send nothing of it again", async () => {
    await seeded.api.faults(once(loseResponse("PATCH")));
    const { create } = command();
    await Promise.all([create("a", withList(jobs)), create("b", withList(spare))]);
    expect((await bodies()).map((body) => (body === GET ? GET : "PATCH"))).toEqual([
      GET,
      "PATCH",
      GET,
    ]);
  });

  test("keep what may have been added while the API cannot be reached", async () => {
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

  test("with an unknown outcome fail with a message about their own operation each", async () => {
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

  test("fail if the server never got their removal, and the next command removes the entry", async () => {
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
