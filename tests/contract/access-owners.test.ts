import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordName, seal } from "../../provider/core/journal-record";
import { resources } from "../../provider/resources";
import { UNKNOWN } from "../support/adapters/values";
import { injectNetworkFault } from "../support/network";
import { temporaryFolder } from "../support/temporary-folder";
import { build, ENDPOINT, GET, jobs, named, office, SERVICE, spare, theirs, useAccess, withList } from "./access-setup";
import { checkInputs, fakeClock, type Handlers, type Properties, startProcess } from "./support";

/**
 * Which resource an entry belongs to, in the engine's order of steps: check and diff, the step, deletions last. Each
 * command is a process.
 */

const seeded = useAccess();
afterEach(() => injectNetworkFault(undefined));

interface Stored {
  readonly id: string;
  readonly inputs: Properties;
  readonly outs: Properties;
}

/** A command: the resources of one process, by their names. */
function command(environment: Record<string, string> = {}) {
  const { handlersFor, messages } = startProcess(seeded.simulator, environment, fakeClock());
  const of = (name: string, type: keyof typeof resources = "ServiceAccess") =>
    handlersFor(resources[type].definition, name);
  return { of, messages };
}

/** False for the announcement of a new resource. */
const isOfEntries = (message: string) => !message.startsWith("Adopting access to service");

async function create(handlers: Handlers, args: Properties): Promise<Stored> {
  const inputs = await checkInputs(handlers, args);
  return { inputs, ...(await handlers.create(inputs)) };
}

async function update(handlers: Handlers, { id, inputs: olds, outs }: Stored, args: Properties): Promise<Stored> {
  const inputs = await checkInputs(handlers, args, olds);
  const { changes } = await handlers.diff(id, outs, inputs);
  return changes === false ? { id, inputs, outs } : { id, inputs, ...(await handlers.update(id, outs, inputs)) };
}

const listOnServer = () => seeded.listOf(SERVICE);
const networkOf = (address: string): Properties => ({ source: address });
const [one, two, three] = [networkOf("192.0.2.1"), networkOf("192.0.2.2"), networkOf("192.0.2.3")] as const;

test("each new description names the stack, once; a stored one stays while the program's text is the same", async () => {
  const { check } = command().of("access");
  const listOf = async (olds: Properties[], ...news: Properties[]) =>
    (await check(olds.length > 0 ? withList(...olds) : {}, withList(...news))).inputs.ipAccessList;
  expect(await listOf([], one, { ...two, description: "" }, jobs, named(spare))).toEqual(
    [one, two, jobs, spare].map((entry) => named(entry)),
  );
  // Descriptions of an earlier release, and of a stack before it was renamed.
  const stored = [one, jobs, named(two, "test/old"), named(spare, "test/old")];
  expect(await listOf(stored, one, jobs, two, spare)).toEqual(stored);
  const texts = [{ ...one, description: "one" }, { source: jobs.source }, { ...two, description: "two" }];
  expect(await listOf(stored, ...texts)).toEqual(texts.map((entry) => named(entry)));
});

test.each([
  ["in order", [0, 1]],
  ["backwards", [1, 0]],
] as const)("a loop by index loses nothing when an address leaves it, %s", async (_, order) => {
  const first = command();
  const stored = [one, two, three].map((entry, index) => create(first.of(`ip-${index}`), withList(entry)));
  const [, , last] = await Promise.all(stored);
  await seeded.api.requests();
  const second = command();
  for (const index of order) {
    await update(second.of(`ip-${index}`), (await stored[index]) as Stored, withList(index === 0 ? two : three));
  }
  await second.of("ip-2").delete(SERVICE, (last as Stored).outs);
  expect(await listOnServer()).toEqual(expect.arrayContaining([office, build, named(two), named(three)]));
  expect(await listOnServer()).toHaveLength(4);
  expect((await seeded.api.requests()).filter(({ request }) => request === GET)).toHaveLength(1);
});

test.each([
  ["the same description", jobs, jobs],
  ["another description", jobs, { ...jobs, description: "other" }],
  ["the description of the stack", { source: jobs.source }, { source: jobs.source }],
])("a renamed resource keeps its entry, with %s, and removes it when it goes", async (_, before, after) => {
  const old = await create(command().of("old"), withList(before));
  const renaming = command();
  const renamed = await create(renaming.of("new"), withList(after));
  await renaming.of("old").delete(old.id, old.outs);
  const [, , entry] = (await listOnServer()) as Properties[];
  expect(entry).toEqual(named(after));
  expect(renaming.messages.filter(isOfEntries)).toEqual([
    `The access to service ${SERVICE} leaves 1 of its entries to "new", which the program declares with them now. [CDB5011]`,
  ]);
  await seeded.api.requests();
  await update(command().of("new"), renamed, withList(after));
  expect(await seeded.api.requests()).toEqual([]);
  await command().of("new").delete(renamed.id, renamed.outs);
  expect(await listOnServer()).toEqual([office, build]);
});

test("a private endpoint that passes to another resource stays, and counts as shared there", async () => {
  const old = await create(command().of("old"), { serviceId: SERVICE, privateEndpointIds: [ENDPOINT] });
  const renaming = command();
  const { outs } = await create(renaming.of("new"), { serviceId: SERVICE, privateEndpointIds: [ENDPOINT] });
  await renaming.of("old").delete(old.id, old.outs);
  expect(outs).toMatchObject({ privateEndpointIds: [ENDPOINT], sharedPrivateEndpointIds: [ENDPOINT] });
  expect(renaming.messages.filter(isOfEntries)).toEqual([expect.stringContaining('leaves 1 of its entries to "new"')]);
});

test("a replacement that is deleted first keeps its entries and its private endpoints", async () => {
  const args = { ...withList(jobs), privateEndpointIds: [ENDPOINT] };
  const { id, outs } = await create(command().of("access"), args);
  await seeded.api.requests();
  const handlers = command().of("access");
  const inputs = await checkInputs(handlers, args);
  await handlers.delete(id, outs);
  const { outs: after } = await handlers.create(inputs);
  expect(await seeded.bodies()).toEqual([GET, GET]);
  expect(after).toMatchObject({ sharedSources: [], sharedPrivateEndpointIds: [] });
});

test("an entry that passes into the Service's list stays", async () => {
  const adopted = { existingServiceId: SERVICE };
  const service = await create(command().of("db", "Service"), adopted);
  const access = await create(command().of("access"), withList(jobs));
  const consolidating = command();
  await update(consolidating.of("db", "Service"), service, { ...adopted, ipAccessList: [jobs] });
  await consolidating.of("access").delete(access.id, access.outs);
  expect(await listOnServer()).toEqual([jobs]);
});

test("a list that a Service newly declares is not taken from an old response", async () => {
  const adopted = { existingServiceId: SERVICE };
  const access = await create(command().of("access"), withList(jobs));
  const service = await create(command().of("db", "Service"), adopted);
  await command().of("access").delete(access.id, access.outs);
  await update(command().of("db", "Service"), service, { ...adopted, ipAccessList: [office, build, named(jobs)] });
  expect(await listOnServer()).toEqual([office, build, named(jobs)]);
});

test("an entry that a Service gives up passes to the resource that declares it", async () => {
  const adopted = { existingServiceId: SERVICE };
  const service = await create(command().of("db", "Service"), { ...adopted, ipAccessList: [office, build, jobs] });
  const separating = command();
  await update(separating.of("db", "Service"), service, adopted);
  const { id, outs } = await create(separating.of("access"), withList(jobs));
  expect(outs).toMatchObject({ sharedSources: [] });
  expect(await listOnServer()).toEqual([office, build, named(jobs)]);
  await command().of("access").delete(id, outs);
  expect(await listOnServer()).toEqual([office, build]);
});

test("an entry of another stack that a Service gives up passes to nobody", async () => {
  const theirs = named(jobs, "test/us");
  const adopted = { existingServiceId: SERVICE };
  const service = await create(command().of("db", "Service"), { ...adopted, ipAccessList: [theirs] });
  const separating = command();
  await update(separating.of("db", "Service"), service, adopted);
  const { outs } = await create(separating.of("access"), withList(jobs));
  expect(outs).toMatchObject({ sharedSources: [jobs.source] });
  expect(await listOnServer()).toEqual([theirs]);
});

test("a resource that moves to a service that is not known yet owns nothing of the former one", async () => {
  const moved = await create(command().of("moved"), withList(jobs));
  const { of } = command();
  const { inputs } = await of("moved").check(moved.inputs, { ...withList(spare), serviceId: UNKNOWN });
  await of("new").check({}, withList(spare));
  await expect(of("moved").diff(SERVICE, moved.outs, inputs)).resolves.toBeDefined();
});

test("an entry moves from one resource to another in two commands", async () => {
  const first = command();
  const a = await create(first.of("a"), withList(jobs, one));
  const b = await create(first.of("b"), withList(spare));
  await update(command().of("a"), a, withList(one));
  const { outs } = await update(command().of("b"), b, withList(spare, jobs));
  expect(await listOnServer()).toContainEqual(named(jobs));
  expect(outs).toMatchObject({ sharedSources: [] });
});

test("a resource without changes gets back what another one has removed before it was compared", async () => {
  const first = command();
  const a = await create(first.of("a"), withList(jobs, one));
  // As after a failed command, in which resource a did not give the entry up.
  const b = await create(command().of("b"), withList(jobs));
  const second = command();
  await update(second.of("a"), a, withList(one));
  expect(await listOnServer()).not.toContainEqual(named(jobs));
  const { inputs } = await second.of("b").check(b.inputs, withList(jobs));
  expect(await second.of("b").diff(b.id, b.outs, inputs)).toMatchObject({ changes: true });
  await second.of("b").update(b.id, b.outs, inputs);
  expect(await listOnServer()).toContainEqual(named(jobs));
});

describe("after a crash", () => {
  test.each(["crashes before", "crashes after"] as const)(
    "entries that a process was adding when it %s the request are the stack's own",
    async (kind) => {
      const crash = new Promise<void>((onCrash) => injectNetworkFault({ kind, method: "PATCH", times: 1, onCrash }));
      void create(command().of("access"), withList(jobs, one));
      await crash;
      injectNetworkFault(undefined);
      const { id, outs } = await create(command().of("access"), withList(jobs, one));
      expect(outs).toMatchObject({ sharedSources: [] });
      await command().of("access").delete(id, outs);
      expect(await listOnServer()).toEqual([office, build]);
    },
  );

  test("after a crash, a declared entry is found again, on another machine and with another key, and no journal is written", async () => {
    const folder = temporaryFolder("journal");
    const stack = await create(command({ CLOUDDB_JOURNAL: folder }).of("access"), withList(jobs));
    await update(command({ CLOUDDB_JOURNAL: folder }).of("access"), stack, withList(jobs, spare));
    const { outs } = await update(command().of("access"), stack, withList(jobs, spare));
    expect(outs).toMatchObject({ sharedSources: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("after a crash, an entry whose text has changed since is described anew", async () => {
    await create(command().of("access"), withList(jobs));
    const { id, outs } = await create(command().of("access"), withList({ ...jobs, description: "other" }));
    expect(outs).toMatchObject({ sharedSources: [] });
    expect(await listOnServer()).toEqual([office, build, named({ ...jobs, description: "other" })]);
    await command().of("access").delete(id, outs);
    expect(await listOnServer()).toEqual([office, build]);
  });

  test("after a crash, an entry that no program declares any more stays, and names the stack", async () => {
    const stack = await create(command().of("access"), withList(jobs));
    await update(command().of("access"), stack, withList(jobs, spare));
    await update(command().of("access"), stack, withList(jobs));
    await command().of("access").delete(stack.id, stack.outs);
    expect(await listOnServer()).toEqual([office, build, named(spare)]);
  });
});

describe("states and journals of earlier releases", () => {
  const earlier = (inputs: Properties) => ({
    ...inputs,
    __declared: ["ipAccessList", "organizationId", "serviceId"],
    __others: { ipAccessList: ["198.51.100.7/32", "203.0.113.0/24"], privateEndpointIds: [] },
    __added: "a token",
    sharedSources: ["203.0.113.0/24"],
    sharedPrivateEndpointIds: [],
  });

  test("texts and owners stay as a state of an earlier release has them", async () => {
    await seeded.api.change("PATCH", `/${SERVICE}`, { ipAccessList: { add: [jobs] } });
    const { organizationId } = seeded.simulator;
    const inputs = { ...withList(jobs, office), organizationId };
    const handlers = command().of("access");
    const { inputs: checked } = await handlers.check(inputs, withList(jobs, office));
    expect(checked).toMatchObject({ ipAccessList: [jobs, office] });
    expect(await handlers.diff(SERVICE, earlier(inputs), checked)).toMatchObject({ changes: false });
    const { props = {} } = await handlers.read(SERVICE, earlier(inputs));
    expect(props).toMatchObject({ ipAccessList: [jobs, office], sharedSources: ["203.0.113.0/24"] });
    expect(Object.keys(props)).not.toEqual(expect.arrayContaining(["__others"]));
    await seeded.api.requests();
    const stored = { id: SERVICE, inputs, outs: props };
    const next = await update(command().of("access"), stored, withList(jobs, office, spare));
    expect(await seeded.bodies()).toEqual([GET, { ipAccessList: { add: [named(spare)] } }]);
    await command().of("access").delete(SERVICE, next.outs);
    expect(await listOnServer()).toEqual([office, build]);
  });

  test("a record of entries that an earlier release was to add counts once, for its own resource", async () => {
    await seeded.api.change("PATCH", `/${SERVICE}`, { ipAccessList: { add: [jobs, spare] } });
    const folder = join(temporaryFolder("journal"), "records");
    mkdirSync(folder);
    const { baseUrl, keySecret, organizationId } = seeded.simulator;
    const facts = { title: "access to service", name: "access", sentAt: "2026-11-21T10:00:00.000Z", process: 1 };
    const record = { version: 1, backend: "file:///states", baseUrl, organizationId, ...facts };
    const types = ["clouddb:index:ServiceAccess", "pulumi-nodejs:dynamic/clouddb:serviceAccess"];
    for (const [type, name, entry] of types.flatMap((type) => [
      [type, "access", jobs] as const,
      [type, "other", spare] as const,
    ])) {
      const urn = `urn:pulumi:dev::test::${type}::${name}`;
      const secrets = seal({ inputs: withList(entry) }, keySecret);
      const text = JSON.stringify({ ...record, urn, secrets, target: SERVICE, token: "t" });
      writeFileSync(join(folder, `${recordName({ backend: record.backend, urn }, baseUrl, "")}.json`), text);
    }
    const { of, messages } = command({ CLOUDDB_JOURNAL: folder });
    const { outs } = await create(of("access"), withList(jobs, spare));
    expect(outs).toMatchObject({ sharedSources: [spare.source] });
    expect(await listOnServer()).toEqual([office, build, spare, named(jobs)]);
    expect(readdirSync(folder)).toHaveLength(3);
    expect(messages.filter(isOfEntries)).toEqual([]);
  });
});

test("what others have opened to everyone is said once, and is an output", async () => {
  await seeded.api.change("PATCH", `/${SERVICE}`, { ipAccessList: { add: [{ source: "0.0.0.0/0" }] } });
  const { of, messages } = command();
  const [{ outs }] = await Promise.all([create(of("a"), withList(theirs, jobs)), create(of("b"), withList(spare))]);
  expect(outs).toMatchObject({ openSources: ["0.0.0.0/0"] });
  expect(messages.filter(isOfEntries)).toEqual([
    `Entries of others (0.0.0.0/0) open service ${SERVICE} to everyone: whatever the program declares, they stay. [CDB5012]`,
  ]);
});
