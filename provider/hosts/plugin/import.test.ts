import { z } from "zod";
import { operation } from "../../api/operations";
import { ownField } from "../../core/ids";
import type { Resource } from "../../core/resource";
import { createSession } from "../../core/session";
import { render } from "../../errors";
import { DECLARED, type ListRules, type Properties, uuid } from "../../fields";
import { SECRETS } from "../../names";
import { resources } from "../../resources";
import { asImported, parseImportId, readResource } from "./import";

const [ORGANIZATION, SERVICE, PIPE] = [1, 2, 3].map((digit) => `a1b2c3d4-000${digit}-4a53-9c1e-00000000000a`) as [
  string,
  string,
  string,
];
const { Pipe, Service, ServiceAccess, ServiceScaling, Organization } = resources;

const parse = (resource: { definition: Resource }, text: string, state: Properties = {}) =>
  parseImportId(resource.definition, "Thing", text, state, true);

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
    expect(parseImportId(ServiceAccess.definition, "Thing", `${ORGANIZATION}/${SERVICE}`, {}, false)).toEqual({
      id: SERVICE,
      parents: { organizationId: ORGANIZATION },
    });
  });

  test.each<[string, { definition: Resource }, string, Properties]>([
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

  test.each<[{ definition: Resource }, string, Properties, string]>([
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
  const names = [Pipe, ServiceScaling, Organization, Service].map(({ definition }) => ownField(definition).name);
  expect(names).toEqual(["pipeId", "serviceId", "organizationId", "existingServiceId"]);
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
  const resource: Resource = {
    title: "thing",
    doc: [""],
    id: "thingId",
    updates: {},
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
  const type = (isReadable: boolean) => ({
    ...resource,
    ...(isReadable && { read: operation("GET", "/things/{thingId}", z.object({ id: z.string() })) }),
  });
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

describe("a read", () => {
  const inputs = { organizationId: ORGANIZATION, serviceId: SERVICE };
  const managed = { ...inputs, name: "old", [DECLARED]: ["name"] };
  const reminder = expect.stringMatching(
    /^info: Pulumi does not check whether the stack already has what it imports\./,
  );

  /** A plugin before an API with one response, the requested paths, and the lines that the user sees. */
  function plugin(response: Properties = { id: PIPE, name: "found" }) {
    const output: string[] = [];
    const requested: unknown[] = [];
    const { contextFor } = createSession({
      environment: { CLOUDDB_ORGANIZATION_ID: ORGANIZATION, CLOUDDB_JOURNAL: "off" },
      clock: { now: () => 0, sleep: async () => {} },
      random: () => 1,
      log: (line) => output.push(`info: ${render(line)}`),
      warn: (line) => output.push(`warning: ${render(line)}`),
      canImport: true,
    });
    const call = async (_: unknown, parameters: unknown) => {
      requested.push(parameters);
      return response as never;
    };
    const client = () => ({ call, callUnlessDone: call });
    const read = ({ definition }: { definition: Resource }, id: string, state: Properties, args?: Properties) =>
      readResource(
        definition,
        { ...contextFor("urn:pulumi:dev::test::clouddb:index:Any::one"), client },
        id,
        state,
        args,
      );
    return { output, requested, read };
  }

  test("of a managed object takes id and state unchanged, and returns the declared arguments", async () => {
    const { read, requested } = plugin();
    const current = await read(Pipe, PIPE, managed, { other: 1 });
    expect(requested).toEqual([{ ...inputs, pipeId: PIPE }]);
    expect(current).toMatchObject({ id: PIPE, state: { ...managed, name: "found" }, inputs: { name: "found" } });
  });

  test("of an object that a program only reads returns the program's arguments", async () => {
    const { read, requested, output } = plugin();
    const args = { serviceId: SERVICE };
    const current = await read(Pipe, PIPE.toUpperCase(), args, args);
    expect(requested).toEqual([{ ...inputs, pipeId: PIPE }]);
    expect(current).toMatchObject({ id: PIPE, state: { ...inputs, pipeId: PIPE, name: "found" }, inputs: args });
    expect(output).toEqual([]);
  });

  test("of an import takes the parents from the id before those of the settings", async () => {
    const { read, requested, output } = plugin();
    const current = await read(Pipe, `${PIPE}/${SERVICE}/${PIPE}`, {});
    const declared = { organizationId: PIPE, serviceId: SERVICE, pipeId: PIPE };
    expect(requested).toEqual([declared]);
    const named = { ...declared, name: "found" };
    expect(current).toMatchObject({ id: PIPE, inputs: named, state: { [DECLARED]: Object.keys(named).sort() } });
    expect(output).toEqual([reminder]);
  });

  test("of an imported service does not make it an adopted one", async () => {
    const { read } = plugin({ id: SERVICE, name: "found" });
    const current = await read(Service, SERVICE, {});
    expect(current?.inputs).toEqual({ organizationId: ORGANIZATION, name: "found" });
  });

  test("of an unreadable object imports the id alone, with a warning", async () => {
    const { read, output } = plugin();
    const imported = await read(Organization, ORGANIZATION, {});
    expect(imported).toMatchObject({
      id: ORGANIZATION,
      inputs: { organizationId: ORGANIZATION, privateEndpoints: [] },
    });
    const warning = `warning: The API cannot read organization ${ORGANIZATION}: only the ID was imported; it could not be verified. Declare what the program is to manage; the next \`pulumi up\` sends it. [CDB4007]`;
    expect(output).toEqual([reminder, warning]);
    const args = { name: "us" };
    expect(await read(Organization, ORGANIZATION, args, args)).toMatchObject({ inputs: args });
    expect(output).toHaveLength(2);
  });

  test("keeps the marks of the state, and takes those of the arguments if it has none", async () => {
    const marksOf = async (stored: Properties, args: Properties | undefined) =>
      (await plugin().read(Pipe, PIPE, { ...managed, ...stored }, args))?.state[SECRETS];
    expect(await marksOf({ [SECRETS]: ["name"] }, { [SECRETS]: ["settings"] })).toEqual(["name"]);
    expect(await marksOf({}, { [SECRETS]: ["name"] })).toEqual(["name"]);
    expect(await marksOf({ [SECRETS]: ["name"] }, undefined)).toEqual(["name"]);
    expect(await marksOf({}, {})).toBeUndefined();
  });
});
