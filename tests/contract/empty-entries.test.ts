import { organization } from "../../provider/resources/organization/organization";
import { pipe } from "../../provider/resources/pipe/pipe";
import { UNKNOWN } from "../support/adapters/values";
import { office, useServices } from "./service-setup";
import { createHandlers, type Properties } from "./support";

/** Empty entries of lists, which programs make of values that they do not have. */

const setup = useServices();

const mapping = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
const pipeArgs = {
  serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  pipeId: "9d2f6b1e-7c58-4f0a-b3e2-000000000001",
};

test.each<[string, Properties, string]>([
  ["one entry", { ipAccessList: [null] }, "ipAccessList[0]"],
  ["an entry behind another", { ipAccessList: [office, null] }, "ipAccessList[1]"],
  ["an entry behind an unknown one", { ipAccessList: [UNKNOWN, null] }, "ipAccessList[1]"],
  ["a text", { privateEndpointIds: [null] }, "privateEndpointIds[0]"],
  ["an entry of a list that is sent by its changes", { endpoints: [null] }, "endpoints[0]"],
])("an empty entry is refused: %s", async (_, args, place) => {
  const { failures } = await setup.handlers.check({}, args);
  expect(failures).toEqual([
    { property: "", reason: `${place} is null: leave the entry out, or give it a value. [CDB1005]` },
  ]);
});

test.each<[string, Properties, string]>([
  [
    "a column",
    { source: { postgres: { tableMappings: [{ ...mapping, excludedColumns: ["a", null] }] } } },
    "source.postgres.tableMappings[0].excludedColumns[1]",
  ],
  ["a mapping", { source: { postgres: { tableMappings: [null] } } }, "source.postgres.tableMappings[0]"],
  ["an id", { source: { kafka: { reversePrivateEndpointIds: [null] } } }, "source.kafka.reversePrivateEndpointIds[0]"],
])("an empty entry inside a group is refused: %s", async (_, args, place) => {
  const { failures } = await createHandlers(pipe, setup.simulator).check({}, { ...pipeArgs, ...args });
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining(`${place} is null`) }]);
});

test("an empty entry is refused among the entries of others", async () => {
  const { failures } = await createHandlers(organization, setup.simulator).check({}, { privateEndpoints: [null] });
  expect(failures).toEqual([{ property: "", reason: expect.stringContaining("privateEndpoints[0] is null") }]);
});

test("many empty entries are one list of problems", async () => {
  const { failures } = await setup.handlers.check({}, { ipAccessList: Array(50).fill(null) });
  expect(failures).toHaveLength(11);
});

test("an absent member of an entry and an unknown entry are accepted", async () => {
  const list = [{ ...office, description: null }, UNKNOWN];
  expect((await setup.checkArgs({ ipAccessList: list, endpoints: null })).ipAccessList).toEqual([
    { source: office.source },
    UNKNOWN,
  ]);
});
