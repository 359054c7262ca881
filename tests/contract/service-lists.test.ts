import { UNKNOWN } from "../support/adapters/values";
import { EXAMPLE, table } from "../support/example";
import { ci, office, useSeededSimulator, useServices } from "./simulators";
import { createHandlers, type Properties, type ResourceType } from "./support";

/**
 * Complete lists: entries that others have added, lists that are declared for the first time, and
 * empty entries.
 */

const setup = useServices();
const own = (source: string) => ({ source, description: "another team" });
const PATCH = "PATCH /services/{id}";
const GET = "GET /services/{id}";
const [ENDPOINT, OTHER_ENDPOINT] = ["vpce-0a1b2c3d4e5f60001", "vpce-0a1b2c3d4e5f60002"];
const undeclared = (list: string, name: string, entries: string) =>
  `${list} of ${name} has ${entries} that the program does not declare. The update did not change this: \`pulumi up --refresh\` removes what the program does not declare. [CDB5008]`;

/** Changes the service outside of the stack. */
async function changeOutside(id: string, body: Properties) {
  await setup.api.change("PATCH", `/${id}`, body);
  setup.messages.length = 0;
}

describe("entries added outside of the program", () => {
  test("an entry from outside stays, and an update whose response shows it warns", async () => {
    const db = await setup.createService({ ipAccessList: [office] });
    await changeOutside(db.id, { ipAccessList: { add: [own("0.0.0.0/0")] } });
    const updated = await db.update({ ipAccessList: [office, ci] });
    const warning = undeclared("ipAccessList", `service ${db.id} ("db")`, "1 entry (0.0.0.0/0)");
    expect(setup.messages).toEqual([warning]);
    expect(updated.outs.ipAccessList).toEqual([office, ci]);
    // After a refresh, it is drift, and an update removes it without a warning.
    const refreshed = await updated.refresh();
    await setup.sent();
    await refreshed.update({ ipAccessList: [office, ci] });
    expect(await setup.sent()).toEqual([[PATCH, { ipAccessList: { remove: [own("0.0.0.0/0")] } }]]);
    expect(setup.messages).toEqual([warning]);
  });

  test("entries from outside are counted once for each list, for any number of requests", async () => {
    const db = await setup.createService({ ipAccessList: [office], privateEndpointIds: [] });
    const sources = [...Array(13).keys()].map((index) => `10.${index}.0.0/16`);
    await changeOutside(db.id, {
      ipAccessList: { add: [...sources, "0.0.0.0/0"].map(own) },
      privateEndpointIds: { add: [ENDPOINT] },
    });
    const ipAccessList = [office, ci];
    await db.update({
      ipAccessList,
      privateEndpointIds: [],
      releaseChannel: "fast",
      numReplicas: 4,
    });
    expect(await setup.sent()).toHaveLength(2);
    expect(setup.messages.map((line) => line.split(" that ")[0])).toEqual([
      `ipAccessList of service ${db.id} ("db") has 14 entries (${sources.slice(0, 10).join(", ")} and 4 more)`,
      `privateEndpointIds of service ${db.id} ("db") has 1 entry (${ENDPOINT})`,
    ]);
  });

  test("an entry from outside causes no warning in an undeclared list", async () => {
    const db = await setup.createService({});
    await changeOutside(db.id, { ipAccessList: { add: [own("0.0.0.0/0")] } });
    await db.update({ numReplicas: 4 });
    expect(setup.messages).toEqual([]);
  });
});

describe("the first declaration of a complete list", () => {
  /** An adopted service without a declared list, which has these networks in its state. */
  async function adopted(...networks: string[]) {
    const { id } = await setup.createService({ ipAccessList: networks.map(own), numReplicas: 2 });
    const args = { existingServiceId: id };
    const db = await setup.createService(args);
    setup.messages.length = 0;
    return { db, args };
  }
  const removes = (id: string, list: string, entries: string) =>
    `The program declares ${list} of service ${id} for the first time, as the complete list: \`pulumi up\` removes ${entries}. [CDB5016]`;

  test("the first declaration of a list removes the entries that the preview names", async () => {
    const { db, args } = await adopted("192.0.2.5", office.source);
    const program = { ...args, ipAccessList: [office] };
    expect((await db.diff(program)).changes).not.toBe(false);
    expect(setup.messages).toEqual([removes(db.id, "ipAccessList", "1 entry (192.0.2.5/32)")]);
    const updated = await db.update(program);
    const remove = [own("192.0.2.5"), own(office.source)];
    expect(await setup.sent()).toEqual([GET, [PATCH, { ipAccessList: { add: [office], remove } }]]);
    expect(updated.outs.ipAccessList).toEqual([office]);
    expect(await updated.diff(program)).toMatchObject({ changes: false });
  });

  test("the first declaration of a list removes private endpoints", async () => {
    const db = await setup.createService({});
    await changeOutside(db.id, { privateEndpointIds: { add: [ENDPOINT] } });
    await (await db.refresh()).diff({ privateEndpointIds: [] });
    expect(setup.messages).toEqual([removes(db.id, "privateEndpointIds", `1 entry (${ENDPOINT})`)]);
  });

  test("the first declaration keeps and names entries that only a later read shows, until a refresh", async () => {
    const { db, args } = await adopted("192.0.2.5");
    await changeOutside(db.id, {
      ipAccessList: { add: [own("192.0.2.6")], remove: [own("192.0.2.5")] },
    });
    const program = { ...args, ipAccessList: [office, ci] };
    const updated = await db.update(program);
    expect(await setup.sent()).toEqual([GET, [PATCH, { ipAccessList: { add: [office, ci] } }]]);
    expect(setup.messages).toEqual([
      removes(db.id, "ipAccessList", "1 entry (192.0.2.5/32)"),
      undeclared("ipAccessList", `service ${db.id}`, "1 entry (192.0.2.6/32)"),
    ]);
    expect(updated.outs.ipAccessList).toMatchObject([
      { source: office.source },
      { source: ci.source },
    ]);
    const refreshed = await updated.refresh();
    await setup.sent();
    expect((await refreshed.update(program)).outs.ipAccessList).toEqual([office, ci]);
    expect(await setup.sent()).toEqual([[PATCH, { ipAccessList: { remove: [own("192.0.2.6")] } }]]);
  });

  test("the first declaration names an entry that only a later read shows, even without a request", async () => {
    const { db, args } = await adopted("192.0.2.5");
    await changeOutside(db.id, { ipAccessList: { add: [own("192.0.2.6")] } });
    await db.up({ ...args, ipAccessList: [own("192.0.2.5")] });
    expect(await setup.sent()).toEqual([GET]);
    expect(setup.messages).toEqual([
      undeclared("ipAccessList", `service ${db.id}`, "1 entry (192.0.2.6/32)"),
    ]);
  });

  test("the first declaration leaves other drift to a refresh", async () => {
    const db = await setup.createService({ numReplicas: 2, privateEndpointIds: [ENDPOINT] });
    await setup.api.change("PATCH", `/${db.id}/replicaScaling`, { numReplicas: 4 });
    const privateEndpointIds = { add: [OTHER_ENDPOINT] };
    await changeOutside(db.id, { ipAccessList: { add: [own("192.0.2.6")] }, privateEndpointIds });
    // The process that has created the service knows its list.
    setup.restartWith({});
    const { outs } = await db.in(setup.handlers).update({ ...db.inputs, ipAccessList: [office] });
    expect(await setup.sent()).toEqual([GET, [PATCH, { ipAccessList: { add: [office] } }]]);
    expect(outs).toMatchObject({ numReplicas: 4, privateEndpointIds: [ENDPOINT] });
    const codes = setup.handlers.messages.map((line) => line.replace(/.* \[/, "["));
    expect(codes).toEqual(["[CDB5015]", "[CDB5008]", "[CDB5008]"]);
  });

  test.each<[string, Properties]>([
    ["the stored list", { ipAccessList: [own("192.0.2.5")] }],
    ["another list", { privateEndpointIds: [] }],
    [
      "the stored entry with another description",
      { ipAccessList: [{ source: "192.0.2.5", description: "ours" }] },
    ],
  ])("the first declaration of %s removes nothing", async (_, change) => {
    const { db, args } = await adopted("192.0.2.5");
    await db.diff({ ...args, ...change });
    expect(setup.messages).toEqual([]);
  });

  describe("of a pipe", () => {
    const seeded = useSeededSimulator();

    test("the first declaration of a pipe's tables removes the mappings that the preview names", async () => {
      const handlers = createHandlers("Pipe", seeded.api);
      const args = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.postgres };
      const adopted = await seeded.adopt(handlers, args);
      handlers.messages.length = 0;
      await adopted.up({ ...args, source: { postgres: { tableMappings: [] } } });
      expect(handlers.messages).toEqual([
        expect.stringContaining("source.postgres.tableMappings of pipe"),
      ]);
      const [, patch] = await seeded.sent();
      expect(patch?.[1]).toEqual({
        source: { postgres: { tableMappingsToRemove: expect.anything() } },
      });
    });
  });
});

/** Programs make empty entries of values that they do not have. */
describe("empty entries", () => {
  const pipeWith = (source: Properties) => ({
    serviceId: EXAMPLE.service,
    pipeId: EXAMPLE.pipes.kafka,
    source,
  });
  const withoutColumn = table("orders", { excludedColumns: ["a", null] });

  test.each<[place: string, ResourceType, Properties]>([
    ["ipAccessList[0]", "Service", { ipAccessList: [null] }],
    ["ipAccessList[1]", "Service", { ipAccessList: [office, null] }],
    ["ipAccessList[1]", "Service", { ipAccessList: [UNKNOWN, null] }],
    ["privateEndpointIds[0]", "Service", { privateEndpointIds: [null] }],
    ["endpoints[0]", "Service", { endpoints: [null] }],
    ["privateEndpoints[0]", "Organization", { privateEndpoints: [null] }],
    ["source.postgres.tableMappings[0]", "Pipe", pipeWith({ postgres: { tableMappings: [null] } })],
    [
      "source.postgres.tableMappings[0].excludedColumns[1]",
      "Pipe",
      pipeWith({ postgres: { tableMappings: [withoutColumn] } }),
    ],
    [
      "source.kafka.reversePrivateEndpointIds[0]",
      "Pipe",
      pipeWith({ kafka: { reversePrivateEndpointIds: [null] } }),
    ],
  ])("an empty entry is refused: %s", async (place, type, args) => {
    const { failures } = await createHandlers(type, setup.api).check({}, args);
    const reason = `${place} is null: leave the entry out, or give it a value. [CDB1005]`;
    expect(failures).toEqual([{ property: "", reason }]);
  });

  test("an absent member of an entry or an unknown entry is not an empty entry", async () => {
    const ipAccessList = [{ ...office, description: null }, UNKNOWN];
    const inputs = await setup.checkArgs({ ipAccessList, endpoints: null });
    expect(inputs.ipAccessList).toEqual([{ source: office.source }, UNKNOWN]);
  });
});
