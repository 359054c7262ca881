import type { Resource } from "../../provider/core/resource";
import { organization } from "../../provider/resources/organization/organization";
import { pipe } from "../../provider/resources/pipe/pipe";
import { service } from "../../provider/resources/service/service";
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

const withSource = (source: Properties) => ({ ...pipeArgs, source });

test.each<[string, Resource, Properties, string]>([
  ["one entry", service, { ipAccessList: [null] }, "ipAccessList[0]"],
  ["an entry behind another", service, { ipAccessList: [office, null] }, "ipAccessList[1]"],
  ["an entry behind an unknown one", service, { ipAccessList: [UNKNOWN, null] }, "ipAccessList[1]"],
  ["a text", service, { privateEndpointIds: [null] }, "privateEndpointIds[0]"],
  ["an entry of a list that is sent by its changes", service, { endpoints: [null] }, "endpoints[0]"],
  ["an entry among those of others", organization, { privateEndpoints: [null] }, "privateEndpoints[0]"],
  [
    "a column in a group",
    pipe,
    withSource({ postgres: { tableMappings: [{ ...mapping, excludedColumns: ["a", null] }] } }),
    "source.postgres.tableMappings[0].excludedColumns[1]",
  ],
  [
    "a mapping in a group",
    pipe,
    withSource({ postgres: { tableMappings: [null] } }),
    "source.postgres.tableMappings[0]",
  ],
  [
    "an id in a group",
    pipe,
    withSource({ kafka: { reversePrivateEndpointIds: [null] } }),
    "source.kafka.reversePrivateEndpointIds[0]",
  ],
])("an empty entry is refused: %s", async (_, type, args, place) => {
  const { failures } = await createHandlers(type, setup.simulator).check({}, args);
  expect(failures).toEqual([
    { property: "", reason: `${place} is null: leave the entry out, or give it a value. [CDB1005]` },
  ]);
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
