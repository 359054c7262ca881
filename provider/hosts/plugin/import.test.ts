import { z } from "zod";
import { ownFields } from "../../core/owners";
import type { ResourceType } from "../../core/resource-type";
import { DECLARED, type Definition, type ListRules, type Properties } from "../../fields";
import { uuid } from "../../fields/shapes";
import { resources } from "../../resources";
import { asImported, parseImportId } from "./import";

const [ORGANIZATION, SERVICE, PIPE] = [1, 2, 3].map((digit) => `a1b2c3d4-000${digit}-4a53-9c1e-00000000000a`) as [
  string,
  string,
  string,
];
const { Pipe, Service, ServiceAccess, ServiceScaling, Organization } = resources;

const parse = (resource: { type: ResourceType }, text: string, state: Properties = {}) =>
  parseImportId(resource.type, "Thing", text, state, true);

describe("an import id", () => {
  test("of a ServiceAccess names the entries that it owns", () => {
    const network = {
      ipAccessList: [{ source: "192.0.2.0/28" }, { source: "2001:db8::1" }],
      privateEndpointIds: ["vpce-1"],
    };
    const text = `${SERVICE}/192.0.2.0/28, 2001:db8::1,vpce-1`;
    expect(parse(ServiceAccess, text)).toEqual({ id: SERVICE, parents: {}, entries: network });
    expect(parse(ServiceAccess, `${ORGANIZATION}/${text}`)).toMatchObject({
      parents: { organizationId: ORGANIZATION },
    });
    expect(() => parse(ServiceAccess, "192.0.2.0/28")).toThrow(
      "Cannot import Thing: the import ID must be serviceId/ENTRIES or organizationId/serviceId/ENTRIES, each ID a UUID",
    );
  });

  test("of a ServiceAccess may name a single private endpoint whose id is a UUID", () => {
    const owned = { id: SERVICE, entries: { privateEndpointIds: [PIPE] } };
    expect(parse(ServiceAccess, `${SERVICE}/${PIPE}`)).toEqual({ ...owned, parents: {} });
    const parents = { organizationId: ORGANIZATION };
    expect(parse(ServiceAccess, `${ORGANIZATION}/${SERVICE}/${PIPE}`)).toEqual({ ...owned, parents });
  });

  test("of a ServiceAccess that a program only reads has no entries", () => {
    expect(parseImportId(ServiceAccess.type, "Thing", `${ORGANIZATION}/${SERVICE}`, {}, false)).toEqual({
      id: SERVICE,
      parents: { organizationId: ORGANIZATION },
    });
  });

  test.each<[string, { type: ResourceType }, string, Properties]>([
    ["the service's own", Service, SERVICE, {}],
    ["with the organization", Service, `${ORGANIZATION}/${SERVICE}`, { organizationId: ORGANIZATION }],
    ["that of the service to scale", ServiceScaling, SERVICE, {}],
    ["of an organization", Organization, SERVICE, {}],
    ["with the service of a pipe", Pipe, `${ORGANIZATION}/${SERVICE}`, { serviceId: ORGANIZATION }],
  ])("is %s", (_, resource, text, parents) => {
    expect(parse(resource, text)).toEqual({ id: SERVICE, parents });
  });

  test("has all parents of a pipe, in order", () => {
    const parents = { organizationId: ORGANIZATION, serviceId: SERVICE };
    expect(parse(Pipe, `${ORGANIZATION}/${SERVICE}/${PIPE}`)).toEqual({ id: PIPE, parents });
  });

  test("has small letters", () => {
    const text = `${ORGANIZATION}/${SERVICE}/${PIPE}`.toUpperCase();
    expect(parse(Pipe, text)).toEqual({ id: PIPE, parents: { organizationId: ORGANIZATION, serviceId: SERVICE } });
  });

  test("needs no part that the program gives as state", () => {
    expect(parse(Pipe, PIPE, { serviceId: SERVICE })).toEqual({ id: PIPE, parents: {} });
    expect(parse(Pipe, PIPE, { serviceId: SERVICE, organizationId: ORGANIZATION })).toEqual({ id: PIPE, parents: {} });
    const withService = { id: PIPE, parents: { serviceId: SERVICE } };
    expect(parse(Pipe, `${SERVICE}/${PIPE}`, { organizationId: ORGANIZATION })).toEqual(withService);
    const withOrganization = { id: PIPE, parents: { organizationId: ORGANIZATION } };
    expect(parse(Pipe, `${ORGANIZATION}/${PIPE}`, { serviceId: SERVICE })).toEqual(withOrganization);
    expect(parse(Pipe, `${ORGANIZATION}/${SERVICE}/${PIPE}`, { serviceId: "other" }).parents).toEqual({
      organizationId: ORGANIZATION,
      serviceId: SERVICE,
    });
  });

  test.each<[{ type: ResourceType }, string, Properties, string]>([
    [Service, "", {}, "id or organizationId/id"],
    [Service, `${SERVICE}/`, {}, "id or organizationId/id"],
    [Service, `x/${SERVICE}`, {}, "id or organizationId/id"],
    [Service, "db", {}, "id or organizationId/id"],
    [ServiceScaling, `${PIPE}/${ORGANIZATION}/${SERVICE}`, {}, "serviceId or organizationId/serviceId"],
    [ServiceScaling, "db", {}, "serviceId or organizationId/serviceId"],
    [Organization, `${ORGANIZATION}/${SERVICE}`, {}, "organizationId"],
    [Organization, "us", {}, "organizationId"],
    [Pipe, PIPE, {}, "serviceId/pipeId or organizationId/serviceId/pipeId"],
    [Pipe, `${SERVICE}/x`, {}, "serviceId/pipeId or organizationId/serviceId/pipeId"],
    [Pipe, `${SERVICE}/x/${PIPE}`, {}, "serviceId/pipeId or organizationId/serviceId/pipeId"],
    [Pipe, `${SERVICE}/${SERVICE}/${SERVICE}/${PIPE}`, {}, "serviceId/pipeId or organizationId/serviceId/pipeId"],
    [Pipe, "hidden token", { serviceId: SERVICE }, "serviceId/pipeId or organizationId/serviceId/pipeId"],
  ])("of %# is refused in one sentence that does not repeat it", (resource, text, state, forms) => {
    expect(() => parse(resource, text, state)).toThrow(
      new Error(
        `Cannot import Thing: the import ID must be ${forms}, each part a UUID. Nothing was imported. [CDB4006]`,
      ),
    );
  });
});

test("an argument follows from the id, where there is one", () => {
  const names = (resource: { type: ResourceType }) => ownFields(resource.type).map(({ name }) => name);
  expect([Pipe, ServiceScaling, Organization].map(names)).toEqual([["pipeId"], ["serviceId"], ["organizationId"]]);
  expect(names(Service)).toEqual(["existingServiceId"]);
});

describe("what is imported", () => {
  const plain = { schema: z.string(), doc: "", onChange: "update", operations: ["change"] } as const;
  const response = { ...plain, inResponse: true } as const;
  const rules = (unmanaged: ListRules["unmanaged"]): ListRules => ({
    key: String,
    canonical: (entry) => entry,
    send: "addRemove",
    unmanaged,
  });
  const list = { ...response, schema: z.array(z.string()) } as const;
  const definition: Definition = {
    fields: {
      parentId: { ...plain, schema: uuid(), operations: ["path"], onChange: "replace" },
      name: response,
      unseen: plain,
      key: { ...response, secret: true },
      old: { ...response, deprecated: "Use name." },
      ours: { ...list, list: rules("remove") },
      shared: { ...list, list: rules("keep") },
      group: { doc: "", observedAs: "seen", fields: { size: { ...response, schema: z.number() } } },
    },
    outputs: { seen: { schema: z.unknown(), doc: "", apiName: "group" } },
    rules: [],
  };
  const type = (read: boolean) => ({ definition, ...(read && { read: async () => ({}) }) }) as unknown as ResourceType;
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

  test("is all that a program can declare and that responses show", () => {
    const inputs = { parentId: SERVICE, name: "one", ours: ["a"], group: { size: 3 } };
    const current = asImported(type(true), { state, inputs: {} });
    expect(current.inputs).toEqual(inputs);
    expect(current.state).toMatchObject({
      ...inputs,
      extra: 1,
      [DECLARED]: ["group.size", "name", "ours", "parentId"],
    });
    // An undeclared field is no argument, whatever the server shows.
    expect(current.state).not.toHaveProperty("shared");
  });

  test("is nothing that is absent, empty, or that the check would refuse", () => {
    const { inputs } = asImported(type(true), {
      state: { ...state, name: "", ours: [], seen: { size: "large" }, parentId: undefined },
      inputs: {},
    });
    expect(inputs).toEqual({ name: "" });
    expect(asImported(type(true), { state: { name: 5, ours: [1] }, inputs: {} }).inputs).toEqual({});
  });

  test("has no entries yet in a list that is shared, where nothing can be read", () => {
    const current = asImported(type(false), { state: { parentId: SERVICE }, inputs: {} });
    expect(current.inputs).toEqual({ parentId: SERVICE, shared: [] });
    expect(current.state).toMatchObject({ shared: [], [DECLARED]: ["parentId", "shared"] });
    expect(current.state).not.toHaveProperty("ours");
  });
});
