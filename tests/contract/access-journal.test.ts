import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serviceAccess as accessType } from "../../provider/resources/service-access/service-access";
import { injectNetworkFault } from "../support/network";
import { temporaryFolder } from "../support/temporary-folder";
import { build, ENDPOINT, GET, jobs, OTHER, office, SERVICE, spare, useAccess, withList } from "./access-setup";
import { runPrograms } from "./seeded";
import { checkInputs, createHandlers, failureOf, type Properties } from "./support";

/** A ServiceAccess whose command is killed between the request and the stack, and the next command. */

const seeded = useAccess();
let folder: string;
let handlers: ReturnType<typeof createHandlers>;

/** Another command, with the same journal. */
function restart(environment: Record<string, string> = {}): void {
  handlers = createHandlers(accessType, seeded.simulator, { CLOUDDB_JOURNAL: folder, ...environment });
}

beforeEach(() => {
  folder = temporaryFolder("access-journal");
  restart();
});
afterEach(() => injectNetworkFault(undefined));

/** The result of a creation that the stack does not store. */
const create = async (args: Properties) => handlers.create(await checkInputs(handlers, args));
/** A stack with the first list, whose update to the second one is killed once the server has it. */
async function killUpdate(before: Properties, after: Properties) {
  const stack = await runPrograms(seeded.api, handlers, before);
  await handlers.diff(stack.id, stack.outs, await checkInputs(handlers, before));
  restart();
  await handlers.diff(stack.id, stack.outs, await checkInputs(handlers, before));
  await handlers.update(stack.id, stack.outs, await checkInputs(handlers, after, before));
  await seeded.api.requests();
  restart();
  return stack;
}

test("entries of a killed creation are the resource's own, and its destroy removes them", async () => {
  await create({ ...withList(jobs, office), privateEndpointIds: [ENDPOINT] });
  await seeded.api.requests();
  restart();
  const { id, outs } = await create({ ...withList(jobs, office), privateEndpointIds: [ENDPOINT] });
  expect(await seeded.bodies()).toEqual([GET]);
  expect(outs).toMatchObject({
    ipAccessList: [jobs, office],
    sharedSources: ["203.0.113.0/24"],
    privateEndpointIds: [ENDPOINT],
    sharedPrivateEndpointIds: [],
  });
  expect(handlers.messages).toContainEqual(
    expect.stringMatching(`^Access to service ${SERVICE}: an earlier command ended while it added entries`),
  );
  restart();
  await handlers.delete(id, outs);
  expect(await seeded.bodies()).toEqual([
    { ipAccessList: { remove: [jobs] }, privateEndpointIds: { remove: [ENDPOINT] } },
  ]);
  expect(await seeded.listOf(SERVICE)).toEqual([office, build]);
  expect(readdirSync(folder)).toEqual([]);
});

test.each(["crashes before", "crashes after"] as const)("a process that %s the request", async (kind) => {
  const crash = new Promise<void>((onCrash) => injectNetworkFault({ kind, method: "PATCH", times: 1, onCrash }));
  void create(withList(jobs));
  await crash;
  injectNetworkFault(undefined);
  restart();
  const { outs } = await create(withList(jobs));
  expect(outs).toMatchObject({ ipAccessList: [jobs], sharedSources: [] });
  expect(await seeded.listOf(SERVICE)).toEqual([office, build, jobs]);
});

test("an entry of a killed creation that the program no longer declares is removed", async () => {
  await create({ ...withList(jobs, spare), privateEndpointIds: [ENDPOINT] });
  await seeded.api.requests();
  restart();
  const { id, outs } = await create(withList(jobs));
  expect(await seeded.bodies()).toEqual([
    GET,
    { ipAccessList: { remove: [spare] }, privateEndpointIds: { remove: [ENDPOINT] } },
  ]);
  restart();
  expect(await handlers.diff(id, outs, await checkInputs(handlers, withList(jobs)))).toMatchObject({ changes: false });
  expect(readdirSync(folder)).toEqual([]);
});

test("two killed creations in a row lose no entry", async () => {
  await create(withList(jobs));
  restart();
  await create(withList(jobs, spare));
  restart();
  const { id, outs } = await create(withList(jobs, spare));
  expect(outs).toMatchObject({ sharedSources: [] });
  await handlers.delete(id, outs);
  expect(await seeded.listOf(SERVICE)).toEqual([office, build]);
});

test("entries of a killed creation are removed from the service that the program no longer names", async () => {
  await create(withList(jobs));
  restart();
  await create({ ...withList(jobs), serviceId: OTHER });
  expect(await seeded.listOf(SERVICE)).toEqual([office, build]);
  expect(await seeded.listOf(OTHER)).toContainEqual(jobs);
});

test("entries of a killed move to another service are not those of the former service", async () => {
  const { id, outs } = await runPrograms(seeded.api, handlers, withList(jobs));
  await handlers.diff(id, outs, await checkInputs(handlers, withList(jobs)));
  restart();
  await create({ ...withList(build), serviceId: OTHER });
  restart();
  const { props = {} } = await handlers.read(id, outs);
  await handlers.delete(id, props);
  expect(await seeded.listOf(SERVICE)).toEqual([office, build]);
});

test("a service that the API does not show costs no record", async () => {
  await create(withList(jobs));
  restart();
  const gone = { kind: "status", status: 404, body: { requestId: "r-1", status: 404, error: "NOT_FOUND" } } as const;
  await seeded.api.faults({ effect: gone });
  const { message } = await failureOf(create({ ...withList(jobs), serviceId: OTHER }));
  expect(message).toMatch(
    /the API does not show that service\. Nothing was added\. .*clouddb-creations discard .*CDB4012\]$/,
  );
  expect((await failureOf(create(withList(jobs)))).message).toContain("the API returned 404");
  await seeded.api.faults();
  expect((await create(withList(jobs))).outs).toMatchObject({ sharedSources: [] });
});

test("an entry of a killed update is removed by the program of before", async () => {
  const { id, outs } = await killUpdate(withList(jobs), { ...withList(jobs, spare), privateEndpointIds: [ENDPOINT] });
  const inputs = await checkInputs(handlers, withList(jobs));
  expect(await handlers.diff(id, outs, inputs)).toMatchObject({ changes: true });
  expect(handlers.messages).toContainEqual(expect.stringContaining("an earlier command ended while it added entries"));
  const updated = await handlers.update(id, outs, inputs);
  expect(await seeded.bodies()).toEqual([
    GET,
    { ipAccessList: { remove: [spare] }, privateEndpointIds: { remove: [ENDPOINT] } },
  ]);
  restart();
  expect(await handlers.diff(id, updated.outs, inputs)).toMatchObject({ changes: false });
  expect(readdirSync(folder)).toEqual([]);
});

test("an entry of a killed update is removed by a destroy", async () => {
  const { id, outs } = await killUpdate(withList(office), withList(office, spare));
  await handlers.delete(id, outs);
  expect(await seeded.bodies()).toEqual([{ ipAccessList: { remove: [spare] } }]);
  expect(await seeded.listOf(SERVICE)).toEqual([office, build]);
  expect(readdirSync(folder)).toEqual([]);
});

test("an entry of a killed update is the resource's own in a refresh", async () => {
  const { id, outs } = await killUpdate(withList(jobs), withList(jobs, spare));
  const { props = {}, inputs } = await handlers.read(id, outs);
  expect(inputs).toMatchObject({ ipAccessList: [jobs, spare] });
  expect(props).toMatchObject({ sharedSources: [] });
  restart();
  const declared = await checkInputs(handlers, withList(jobs, spare), inputs);
  expect(await handlers.diff(id, props, declared)).toMatchObject({ changes: false });
  expect(readdirSync(folder)).toEqual([]);
});

test("an entry of a killed update survives the preview of a refresh", async () => {
  const stack = await killUpdate(withList(jobs), withList(jobs, spare));
  const inputs = await checkInputs(handlers, withList(jobs));
  const previewed = await handlers.read(stack.id, stack.outs);
  await handlers.diff(stack.id, previewed.props ?? {}, inputs);
  restart();
  const { id, props = {} } = await handlers.read(stack.id, stack.outs);
  await handlers.diff(stack.id, props, inputs);
  restart();
  await handlers.delete(String(id), props);
  expect(await seeded.listOf(SERVICE)).toEqual([office, build]);
});

test("an entry that the API refuses leaves no record", async () => {
  await failureOf(create({ serviceId: SERVICE, privateEndpointIds: ["vpce-unknown"] }));
  expect(readdirSync(folder)).toEqual([]);
});

test("the record shows no entry", async () => {
  await create(withList(jobs));
  const [file = ""] = readdirSync(folder);
  const text = readFileSync(join(folder, file), "utf8");
  expect(JSON.parse(text)).toMatchObject({ title: "access to service", target: SERVICE, name: "db" });
  expect(text).not.toMatch(/192\.0\.2|reporting/);
});

test("entries that another API key has recorded are refused until the record is discarded", async () => {
  await create(withList(jobs));
  restart({ CLOUDDB_KEY_SECRET: "another-key" });
  const { message } = await failureOf(create(withList(jobs)));
  expect(message).toMatch(
    /^Access to service .* only that key can read which\. .*clouddb-creations discard .*CDB4012\]$/,
  );
  expect(readdirSync(folder)).toHaveLength(1);
});

test("without a journal, entries of a killed creation are shared", async () => {
  restart({ CLOUDDB_JOURNAL: "off" });
  await create(withList(jobs));
  expect((await create(withList(jobs))).outs).toMatchObject({ sharedSources: ["192.0.2.0/28"] });
});

test("a place that cannot be written fails before anything is added", async () => {
  writeFileSync(join(folder, "file"), "not a folder");
  restart({ CLOUDDB_JOURNAL: join(folder, "file", "records") });
  expect((await failureOf(create(withList(jobs)))).message).toMatch(
    /cannot be written: .*Nothing was created or added/,
  );
  expect(await seeded.listOf(SERVICE)).toEqual([office, build]);
});

test("the first entries on a machine that is thrown away warn that the default folder goes with it", async () => {
  restart({ CLOUDDB_JOURNAL: "", PULUMI_HOME: temporaryFolder("home"), CI: "true" });
  await create(withList(jobs));
  expect(handlers.messages).toContainEqual(
    expect.stringMatching(
      /clouddb-creations, which a CI runner or a pod loses .*: entries whose addition is canceled may then count as shared\. .* \[CDB4014\]$/,
    ),
  );
});
