import { pipe as pipeType } from "../../provider/resources/pipe/pipe";
import { EXAMPLE } from "../support/example";
import { useSeededSimulator } from "./seeded";
import { ci, office, useServices } from "./service-setup";
import { checkInputs, createHandlers, type Properties } from "./support";

/** Complete lists that a program declares for the first time, although the object has other entries. */

const setup = useServices();
const own = (source: string) => ({ source, description: "another team" });
const sources = (list: unknown) => (list as { source: string }[]).map(({ source }) => source);
const bodies = async () => (await setup.api.requests()).map(({ request, body }) => body ?? request.split(" ")[0]);

/** A service without a declared list that has these networks, as a stored response shows. */
async function adopted(...networks: string[]) {
  const { id } = await setup.createService({ ipAccessList: networks.map(own), numReplicas: 2 });
  const args = { existingServiceId: id };
  const inputs = await setup.checkArgs(args);
  const { outs } = await setup.handlers.create(inputs);
  await setup.api.requests();
  setup.messages.length = 0;
  const declare = (change: Properties) => setup.checkArgs({ ...args, ...change }, inputs);
  return { id, outs, declare };
}
const removes = (id: string, list: string, entries: string) =>
  `The program declares ${list} of service ${id} for the first time, as the complete list: \`pulumi up\` removes ${entries}. [CDB5016]`;

test("a preview names the entries that leave, and the update removes them", async () => {
  const { id, outs, declare } = await adopted("192.0.2.5", office.source);
  const wanted = await declare({ ipAccessList: [office] });
  expect((await setup.handlers.diff(id, outs, wanted)).changes).not.toBe(false);
  expect(setup.messages).toEqual([removes(id, "ipAccessList", "1 entry (192.0.2.5/32)")]);
  const { outs: after } = await setup.handlers.update(id, outs, wanted);
  const remove = [own("192.0.2.5"), own(office.source)];
  expect(await bodies()).toEqual(["GET", { ipAccessList: { add: [office], remove } }]);
  expect(after.ipAccessList).toEqual([office]);
  expect(await setup.handlers.diff(id, after, wanted)).toMatchObject({ changes: false });
});

test("an empty list that is declared for the first time removes what the preview names", async () => {
  const { id, outs, declare } = await adopted("192.0.2.5", "192.0.2.6", "192.0.2.7", "192.0.2.8");
  const wanted = await declare({ ipAccessList: [] });
  await setup.handlers.diff(id, outs, wanted);
  const named = "4 entries (192.0.2.5/32, 192.0.2.6/32, 192.0.2.7/32 and 1 more)";
  expect(setup.messages).toEqual([removes(id, "ipAccessList", named)]);
  const { outs: after } = await setup.handlers.update(id, outs, wanted);
  expect(after.ipAccessList).toEqual([]);
});

test("entries that only the read before the update shows stay, are named, and wait for a refresh", async () => {
  const { id, outs, declare } = await adopted("192.0.2.5");
  await setup.api.change("PATCH", `/${id}`, { ipAccessList: { add: [own("192.0.2.6")], remove: [own("192.0.2.5")] } });
  await setup.api.change("PATCH", `/${id}/replicaScaling`, { numReplicas: 4 });
  await setup.api.requests();
  const wanted = await declare({ ipAccessList: [office, ci] });
  const { outs: after } = await setup.handlers.update(id, outs, wanted);
  expect(await bodies()).toEqual(["GET", { ipAccessList: { add: [office, ci] } }]);
  expect(setup.messages).toEqual([
    `ipAccessList of service ${id} has 1 entry (192.0.2.6/32) that the program does not declare. The update did not change this: \`pulumi up --refresh\` removes what the program does not declare. [CDB5008]`,
  ]);
  expect(sources(after.ipAccessList)).toEqual([office.source, ci.source]);
  const { props } = await setup.handlers.read(id, after);
  await setup.api.requests();
  expect((await setup.handlers.update(id, props as Properties, wanted)).outs.ipAccessList).toEqual([office, ci]);
  expect(await bodies()).toEqual([{ ipAccessList: { remove: [own("192.0.2.6")] } }]);
});

test("an entry that only the read shows is named, even if nothing has to be sent", async () => {
  const { id, outs, declare } = await adopted("192.0.2.5");
  await setup.api.change("PATCH", `/${id}`, { ipAccessList: { add: [own("192.0.2.6")] } });
  await setup.api.requests();
  const wanted = await declare({ ipAccessList: [own("192.0.2.5")] });
  await setup.handlers.diff(id, outs, wanted);
  await setup.handlers.update(id, outs, wanted);
  expect(await bodies()).toEqual(["GET"]);
  expect(setup.messages).toEqual([
    expect.stringContaining("has 1 entry (192.0.2.6/32) that the program does not declare"),
  ]);
});

test("the read for a new list leaves other drift to a refresh", async () => {
  const { id, outs, inputs } = await setup.createService({
    numReplicas: 2,
    privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"],
  });
  await setup.api.change("PATCH", `/${id}`, {
    ipAccessList: { add: [own("192.0.2.6")] },
    privateEndpointIds: { add: ["vpce-0a1b2c3d4e5f60002"] },
  });
  await setup.api.change("PATCH", `/${id}/replicaScaling`, { numReplicas: 4 });
  await setup.api.requests();
  setup.restartWith({});
  const wanted = await setup.checkArgs({ ...inputs, ipAccessList: [office] }, inputs);
  const { outs: after } = await setup.handlers.update(id, outs, wanted);
  expect(await bodies()).toEqual(["GET", { ipAccessList: { add: [office] } }]);
  expect(after).toMatchObject({ numReplicas: 4, privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] });
  expect(setup.handlers.messages.map((line) => line.replace(/.* \[/, "["))).toEqual([
    "[CDB5015]",
    "[CDB5008]",
    "[CDB5008]",
  ]);
});

test("private endpoints that leave are named", async () => {
  const { id, outs, inputs } = await setup.createService({});
  await setup.api.change("PATCH", `/${id}`, { privateEndpointIds: { add: ["vpce-0a1b2c3d4e5f60001"] } });
  const { props = {} } = await setup.handlers.read(id, outs);
  setup.messages.length = 0;
  const wanted = await setup.checkArgs({ ...inputs, privateEndpointIds: [] }, inputs);
  await setup.handlers.diff(id, props, wanted);
  expect(setup.messages).toEqual([removes(id, "privateEndpointIds", "1 entry (vpce-0a1b2c3d4e5f60001)")]);
});

test.each<[string, Properties]>([
  ["an equal list", { ipAccessList: [own("192.0.2.5")] }],
  ["another list", { privateEndpointIds: [] }],
  ["one entry described anew", { ipAccessList: [{ source: "192.0.2.5", description: "ours" }] }],
])("%s that is declared for the first time removes nothing", async (_, change) => {
  const { id, outs, declare } = await adopted("192.0.2.5");
  await setup.handlers.diff(id, outs, await declare(change));
  expect(setup.messages).toEqual([]);
});

describe("of a pipe", () => {
  const seeded = useSeededSimulator();

  test("table mappings that leave are named and removed", async () => {
    const handlers = createHandlers(pipeType, seeded.simulator);
    const program = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.postgres };
    const inputs = await checkInputs(handlers, program);
    const { id, outs } = await handlers.create(inputs);
    await seeded.api.requests();
    handlers.messages.length = 0;
    const wanted = await checkInputs(handlers, { ...program, source: { postgres: { tableMappings: [] } } }, inputs);
    await handlers.diff(id, outs, wanted);
    expect(handlers.messages).toEqual([expect.stringContaining("source.postgres.tableMappings of pipe")]);
    await handlers.update(id, outs, wanted);
    const [, patch] = await seeded.api.requests();
    expect(patch?.body).toEqual({ source: { postgres: { tableMappingsToRemove: expect.anything() } } });
  });
});
