import { z } from "zod";
import { ownField } from "../../core/object/ids";
import type { Resource } from "../../core/object/resource";
import { createSession } from "../../core/session/session";
import { DECLARED, type ListRules, type Properties, uuid } from "../../fields";
import { SECRETS } from "../../names";
import { resources } from "../../resources";
import { asImported, parseImportId, readResource } from "./import";

const [ORGANIZATION, SERVICE, PIPE] = [1, 2, 3].map(
  (digit) => `a1b2c3d4-000${digit}-4a53-9c1e-00000000000a`,
) as [string, string, string];
const { Pipe, Service, ServiceAccess, ServiceScaling, Organization } = resources;

const parse = (resource: { definition: Resource }, text: string, state: Properties = {}) =>
  parseImportId(resource.definition, "Thing", text, state, true);

const NETWORK = "192.0.2.0/28, 2001:db8::1,vpce-1";
const [inOrganization, ofService] = [{ organizationId: ORGANIZATION }, { serviceId: SERVICE }];
const inBoth = { ...inOrganization, ...ofService };

// tests/contract/plugin/import.test.ts has the imports of an engine.
test.each<[string, Properties, id: string, parents: Properties]>([
  [PIPE, ofService, PIPE, {}],
  [PIPE, inBoth, PIPE, {}],
  [`${SERVICE}/${PIPE}`, inOrganization, PIPE, ofService],
  [`${ORGANIZATION}/${PIPE}`, ofService, PIPE, inOrganization],
  [`${ORGANIZATION}/${SERVICE}/${PIPE}`, { serviceId: "other" }, PIPE, inBoth],
  [`${ORGANIZATION}/${SERVICE}/${PIPE}`.toUpperCase(), {}, PIPE, inBoth],
])("the import id %s of a pipe is parsed with the state %j", (text, state, id, parents) => {
  expect(parse(Pipe, text, state)).toEqual({ id, parents });
});

// Some clouds name private endpoints by UUIDs.
test.each([NETWORK, PIPE])("the import id of a ServiceAccess names the entries %s", (part) => {
  expect(parse(ServiceAccess, `${SERVICE}/${part}`)).toEqual({ id: SERVICE, parents: {}, part });
  const withOrganization = parse(ServiceAccess, `${ORGANIZATION}/${SERVICE}/${part}`);
  expect(withOrganization).toEqual({ id: SERVICE, parents: inOrganization, part });
});

test("the id of a ServiceAccess that a program only reads has no entries", () => {
  const text = `${ORGANIZATION}/${SERVICE}`;
  expect(parseImportId(ServiceAccess.definition, "Thing", text, {}, false)).toEqual({
    id: SERVICE,
    parents: inOrganization,
  });
});

const OF_PIPE = "serviceId/pipeId or organizationId/serviceId/pipeId, each part a UUID";
test.each<[{ definition: Resource }, string, Properties, string]>([
  [Service, "", {}, "id or organizationId/id, each part a UUID"],
  [Service, `${SERVICE}/`, {}, "id or organizationId/id, each part a UUID"],
  [Service, `x/${SERVICE}`, {}, "id or organizationId/id, each part a UUID"],
  [Organization, `${ORGANIZATION}/${SERVICE}`, {}, "organizationId, each part a UUID"],
  [Pipe, `${SERVICE}/x`, {}, OF_PIPE],
  [Pipe, `${SERVICE}/x/${PIPE}`, {}, OF_PIPE],
  [Pipe, `${SERVICE}/${SERVICE}/${SERVICE}/${PIPE}`, {}, OF_PIPE],
  [Pipe, "hidden token", ofService, OF_PIPE],
  [
    ServiceAccess,
    "192.0.2.0/28",
    {},
    "serviceId/ENTRIES or organizationId/serviceId/ENTRIES, each ID a UUID, and ENTRIES the networks and private endpoint IDs that this stack has added, separated by commas",
  ],
])(
  "the invalid import id %# is refused in one sentence that does not repeat it",
  (resource, text, state, forms) => {
    const sentence = `Cannot import Thing: the import ID must be ${forms}. Nothing was imported. [CDB4006]`;
    expect(() => parse(resource, text, state)).toThrow(new Error(sentence));
  },
);

test("the id of each adoptable resource belongs to one argument", () => {
  const names = [Pipe, ServiceScaling, Organization, Service].map(
    ({ definition }) => ownField(definition).name,
  );
  expect(names).toEqual(["pipeId", "serviceId", "organizationId", "existingServiceId"]);
});

describe("imported resources", () => {
  const plain = {
    schema: z.string(),
    description: "",
    onChange: "update",
    sentWith: ["change"],
  } as const;
  const response = { ...plain, inResponse: true } as const;
  const rules = (unmanaged: ListRules["unmanaged"]): ListRules => ({
    key: String,
    canonical: (entry) => entry,
    send: "addRemove",
    unmanaged,
  });
  const list = { ...response, schema: z.array(z.string()) } as const;
  const resource: Resource = {
    title: "thing",
    description: [""],
    id: "thingId",
    read: "getService",
    updates: [],
    fields: {
      parentId: { ...plain, schema: uuid(), sentWith: [], inPath: true, onChange: "replace" },
      name: response,
      unseen: plain,
      key: { ...response, secret: true },
      old: { ...response, deprecated: "Use name." },
      ours: { ...list, list: rules("remove") },
      shared: { ...list, list: rules("keep") },
      group: {
        description: "",
        observedAs: "seen",
        fields: { size: { ...response, schema: z.number() } },
      },
    },
    outputs: { seen: { schema: z.unknown(), description: "", apiName: "group" } },
    rules: [],
  };
  const state: Properties = {
    parentId: SERVICE,
    name: "one",
    unseen: "x",
    key: "k",
    old: "o",
    ours: ["a"],
    shared: ["b"],
    seen: { size: 3, more: 4 },
    extra: 1,
  };

  test("an import yields each declarable argument that the response shows", () => {
    const inputs = { parentId: SERVICE, name: "one", ours: ["a"], group: { size: 3 } };
    const current = asImported(resource, { state, inputs: {} });
    expect(current.inputs).toEqual(inputs);
    expect(current.state).toMatchObject({
      ...inputs,
      extra: 1,
      [DECLARED]: ["group.size", "name", "ours", "parentId"],
    });
    // An undeclared field is no argument, whatever the server shows.
    expect(current.state).not.toHaveProperty("shared");
  });

  test("an import omits a value that is absent, empty, or refused by the check", () => {
    const { inputs } = asImported(resource, {
      state: { ...state, name: "", ours: [], seen: { size: "large" }, parentId: undefined },
      inputs: {},
    });
    expect(inputs).toEqual({ name: "" });
    expect(asImported(resource, { state: { name: 5, ours: [1] }, inputs: {} }).inputs).toEqual({});
  });
});

describe("a read", () => {
  /** Reads a pipe from an API with one response; also returns the parameters of the requests. */
  async function read(id: string, state: Properties, args?: Properties) {
    const requested: unknown[] = [];
    const { contextFor } = createSession({
      environment: { CLOUDDB_ORGANIZATION_ID: ORGANIZATION, CLOUDDB_JOURNAL: "off" },
      clock: { now: () => 0, sleep: async () => {} },
      random: () => 1,
      log: () => {},
      warn: () => {},
      canImport: true,
    });
    const call = async (_: unknown, parameters: unknown) => {
      requested.push(parameters);
      return { id: PIPE, name: "found" } as never;
    };
    const client = () => ({ call, callUnlessDone: call });
    const context = { ...contextFor("urn:pulumi:dev::test::clouddb:index:Any::one"), client };
    return {
      requested,
      current: await readResource(Pipe.definition, context, { id, state }, args),
    };
  }

  test("a read for an import takes parents from the id before those of the settings", async () => {
    const { requested, current } = await read(`${PIPE}/${SERVICE}/${PIPE}`, {});
    const declared = { organizationId: PIPE, serviceId: SERVICE, pipeId: PIPE };
    expect(requested).toEqual([declared]);
    const named = { ...declared, name: "found" };
    expect(current).toMatchObject({
      id: PIPE,
      inputs: named,
      state: { [DECLARED]: Object.keys(named).sort() },
    });
  });

  test.each<[Properties, Properties | undefined, string[] | undefined]>([
    [{ [SECRETS]: ["name"] }, { [SECRETS]: ["settings"] }, ["name"]],
    [{}, { [SECRETS]: ["name"] }, ["name"]],
    [{ [SECRETS]: ["name"] }, undefined, ["name"]],
    [{}, {}, undefined],
  ])(
    "a read keeps the marks of the state %j, or else of the arguments %j",
    async (stored, args, marks) => {
      const managed = { ...inBoth, name: "old", [DECLARED]: ["name"] };
      const { current } = await read(PIPE, { ...managed, ...stored }, args);
      expect(current?.state[SECRETS]).toEqual(marks);
    },
  );
});
