import type { HandlerDependencies, ResourceType } from "../../core/resource-type";
import { createSession } from "../../core/session";
import { type Message, render } from "../../errors";
import { DECLARED, type Properties } from "../../fields";
import { OWNER_CONFLICT, SECRETS } from "../../names";
import { resources } from "../../resources";
import { createOwners } from "../owners";
import * as requests from "./resource-requests";

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const [ID, OTHER, THIRD] = [1, 2, 3].map((digit) => `a1b2c3d4-000${digit}-4a53-9c1e-000000000001`) as [
  string,
  string,
  string,
];
const { Service, ServiceScaling, Organization, Pipe } = resources;

const ACCESS = { CLOUDDB_BASE_URL: "http://127.0.0.1:1", CLOUDDB_KEY_ID: "key", CLOUDDB_KEY_SECRET: "key secret" };

/** One run of a program, with what the user is shown. */
function run(environment: Record<string, string> = { ...ACCESS, CLOUDDB_ORGANIZATION_ID: ORGANIZATION }) {
  const output: string[] = [];
  const session = createSession({
    environment,
    clock: { now: () => 0, sleep: async () => {} },
    random: () => 1,
    log: (line) => output.push(`info: ${render(line)}`),
  });
  const owners = createOwners();
  const log = {
    info: (line: Message) => output.push(`info: ${render(line)}`),
    warn: (line: Message) => output.push(`warning: ${render(line)}`),
  } as unknown as requests.RequestContext["log"];
  const context = (name: string, type: ResourceType): requests.RequestContext => {
    const resource = Object.entries(resources).find(([, item]) => item.type.title === type.title)?.[0];
    const urn = `urn:pulumi:dev::test::clouddb:index:${resource}::${name}`;
    return { session, owners, log, urn, identity: { backend: "", urn }, type };
  };
  return { shown: output, context };
}

const failing = (message: string) => async () => {
  throw new Error(message);
};
const both = (thing: string) =>
  `"one" and "two" both manage ${thing}, and each would undo the other's changes: keep only one of them. [CDB4009]`;

const reasonsOf = (...args: Parameters<typeof requests.check>) => requests.check(...args).reasons.map(render);

const importedTwice = (conflict: string) =>
  `${conflict.replace(" [CDB4009]", "")} If it was imported twice, remove the newer one from the state with \`pulumi state delete --force URN\`: an import brings no password. [CDB4010]`;
const reminder = expect.stringMatching(/^info: Pulumi does not check whether the stack already has what it imports\./);

describe("check", () => {
  const inputs = { serviceId: ID, pipeId: OTHER };

  test("believes the class about another owner, and else finds one itself", () => {
    const { context } = run();
    expect(reasonsOf(context("one", Pipe.type), {}, inputs)).toEqual([]);
    const reasons = reasonsOf(context("two", Pipe.type), {}, { ...inputs, [OWNER_CONFLICT]: "told by the class" });
    expect(reasons).toEqual(["told by the class [CDB4009]"]);
    expect(reasonsOf(context("two", Pipe.type), {}, inputs)).toEqual([both(`pipe ${OTHER}`)]);
  });

  test("sees an organization that the settings name", () => {
    const { context } = run();
    const args = { name: "Renamed" };
    expect(reasonsOf(context("one", Organization.type), {}, args)).toEqual([]);
    expect(reasonsOf(context("two", Organization.type), {}, args)).toEqual([both(`organization ${ORGANIZATION}`)]);
    const other = requests.check(context("three", Organization.type), {}, { ...args, organizationId: OTHER });
    expect(other.reasons).toEqual([]);
  });

  test("warns of what a release does not know, and of what is deprecated", () => {
    const { context, shown: output } = run({
      ...ACCESS,
      CLOUDDB_ORGANIZATION_ID: ORGANIZATION,
      CLOUDDB_ALLOW_UNLISTED: "region",
    });
    requests.check(context("db", Service.type), {}, { region: "moon", tier: "production" });
    expect(output).toEqual([
      expect.stringMatching(/^warning: db: region has a value that this release does not know/),
      expect.stringMatching(/^warning: tier is deprecated\./),
    ]);
    expect(reasonsOf(context("new", Service.type), {}, { name: "x" })).toEqual([]);
    expect(output).toHaveLength(2);
  });

  test("takes no arguments from what stands beside them", () => {
    const { context } = run();
    const internal = { __provider: "x", __resourceName: "y" };
    const checked = requests.check(context("one", Pipe.type), { ...inputs, ...internal }, { ...inputs, ...internal });
    expect(checked).toEqual({ inputs: { ...inputs, organizationId: ORGANIZATION }, reasons: [] });
    // A service without its own name, and old inputs of another engine's, is a new one.
    const service = requests.check(context("db", Service.type), internal, internal);
    expect(service.inputs).toEqual({ name: "db", organizationId: ORGANIZATION });
  });
});

describe("diff", () => {
  const state = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3, [DECLARED]: ["numReplicas"] };
  const inputs = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3 };

  test("refuses what another resource manages", () => {
    const { context } = run();
    expect(requests.diff(context("one", ServiceScaling.type), ID, state, inputs)).toEqual({
      isChanged: false,
      replaces: [],
      places: [],
    });
    expect(() => requests.diff(context("two", ServiceScaling.type), ID, state, inputs)).toThrow(
      new Error(importedTwice(both(`scaling of service ${ID}`))),
    );
  });

  test("claims a created service by its id, which is no argument", () => {
    const { context } = run();
    const created = { organizationId: ORGANIZATION, numReplicas: 3, [DECLARED]: ["numReplicas"] };
    const declared = { organizationId: ORGANIZATION, numReplicas: 3 };
    requests.check(context("one", Service.type), {}, declared);
    requests.diff(context("one", Service.type), ID, created, declared);
    expect(reasonsOf(context("two", ServiceScaling.type), {}, inputs)).toEqual([both(`numReplicas of ${ID}`)]);
  });

  test("lets a refresh before the program claim nothing from it", () => {
    const { context } = run();
    requests.diff(context("old", ServiceScaling.type), ID, state, inputs);
    expect(reasonsOf(context("new", ServiceScaling.type), {}, inputs)).toEqual([]);
    expect(requests.diff(context("new", ServiceScaling.type), ID, state, inputs).isChanged).toBe(false);
  });

  test("claims nothing while it replaces: the object of the state will be released", () => {
    const { context, shown: output } = run();
    const moved = { ...inputs, serviceId: OTHER };
    expect(requests.diff(context("one", ServiceScaling.type), ID, state, moved)).toMatchObject({
      isChanged: true,
      replaces: ["serviceId"],
    });
    expect(output).toEqual([expect.stringMatching(/^warning: Changing serviceId from .* to .* of scaling of service/)]);
    expect(requests.diff(context("two", ServiceScaling.type), ID, state, inputs).isChanged).toBe(false);
    // Nor is it refused for what another one manages.
    expect(requests.diff(context("one", ServiceScaling.type), ID, state, moved).isChanged).toBe(true);
  });

  test("shows no marked id", () => {
    const { context, shown: output } = run();
    const marks = { [SECRETS]: ["serviceId"] };
    const [stored, marked] = [
      { ...state, ...marks },
      { ...inputs, ...marks },
    ];
    requests.diff(context("one", ServiceScaling.type), ID, stored, marked);
    expect(() => requests.diff(context("two", ServiceScaling.type), ID, stored, marked)).toThrow(
      new Error(importedTwice(both("scaling of service [secret]"))),
    );
    expect(output).toEqual([]);
  });

  test("finds a change of a value, of a state that is uncertain, and of a new mark", () => {
    const { context } = run();
    const isChanged = (old: Properties, news: Properties) =>
      requests.diff(context("one", ServiceScaling.type), ID, old, news).isChanged;
    expect(isChanged(state, inputs)).toBe(false);
    expect(isChanged(state, { ...inputs, numReplicas: 4 })).toBe(true);
    expect(isChanged({ ...state, __uncertain: ["numReplicas"] }, inputs)).toBe(true);
    expect(isChanged(state, { ...inputs, [SECRETS]: ["numReplicas"] })).toBe(true);
    expect(isChanged({ ...state, [SECRETS]: ["numReplicas"] }, inputs)).toBe(false);
  });

  test("compares what follows from the id, also where the state does not say it", () => {
    const { context } = run();
    const created = { organizationId: ORGANIZATION, name: "db", [DECLARED]: ["name"] };
    const news = { organizationId: ORGANIZATION, name: "db", existingServiceId: OTHER };
    expect(requests.diff(context("one", Service.type), ID, created, news).places).toEqual([
      // The id is known, so this is another one.
      expect.objectContaining({ place: "existingServiceId", replaces: true }),
    ]);
    const { places } = requests.diff(
      context("one", Service.type),
      ID,
      { ...created, [DECLARED]: ["existingServiceId", "name"] },
      news,
    );
    expect(places).toMatchObject([{ place: "existingServiceId", kind: "UPDATE", replaces: true }]);
  });
});

describe("create", () => {
  const inputs = { organizationId: ORGANIZATION, name: "db", numReplicas: 3, __internal: 1 };
  const creating = (id: string) =>
    ({ ...Service.type, create: async (_: unknown, args: Properties) => ({ id, state: args }) }) as ResourceType;

  test("only plans in a preview", async () => {
    const { context, shown: output } = run();
    const type = { ...Service.type, create: failing("it was created") };
    const planned = await requests.create(context("db", type), inputs, true);
    expect(planned).toMatchObject({ id: "", state: { name: "db", numReplicas: 3 } });
    expect(planned.state).not.toHaveProperty("__internal");
    expect(output).toEqual([]);
  });

  test("warns of the second owner, once the service has an id", async () => {
    const { context, shown: output } = run();
    const scaling = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3 };
    expect(reasonsOf(context("one", ServiceScaling.type), {}, scaling)).toEqual([]);
    for (const name of ["two", "three"]) requests.check(context(name, Service.type), {}, inputs);
    const created = await requests.create(context("two", creating(ID)), inputs, false);
    const state = { organizationId: ORGANIZATION, name: "db", numReplicas: 3, password: null };
    expect(created).toEqual({ id: ID, state });
    expect(output).toEqual([`warning: ${both(`numReplicas of ${ID}`)}`]);
    await requests.create(context("three", creating(OTHER)), inputs, false);
    expect(output).toHaveLength(1);
    // From now on it is the owner itself.
    const third = { ...scaling, serviceId: OTHER };
    expect(reasonsOf(context("four", ServiceScaling.type), {}, third)).toHaveLength(1);
  });

  test("shows no marked id in that warning", async () => {
    const { context, shown: output } = run();
    const scaling = { organizationId: ORGANIZATION, serviceId: ID, numReplicas: 3, [SECRETS]: ["serviceId"] };
    requests.check(context("one", ServiceScaling.type), {}, scaling);
    requests.check(context("two", Service.type), {}, inputs);
    await requests.create(context("two", creating(ID)), inputs, false);
    expect(output).toEqual([`warning: ${both("numReplicas of [secret]")}`]);
  });

  test("shows no secret in an error", async () => {
    const { context } = run();
    const type = { ...Service.type, create: failing("the key hush-hush of db-name") };
    const secrets = { ...inputs, encryptionKey: "hush-hush", name: "db-name", [SECRETS]: ["name"] };
    await expect(requests.create(context("db", type), secrets, false)).rejects.toThrow("the key [secret] of [secret]");
  });
});

describe("update and delete", () => {
  const state = { encryptionKey: "old-secret", [DECLARED]: [] };
  const inputs = { encryptionKey: "new-secret", name: "db", __internal: 1 };
  const type = {
    ...Service.type,
    update: failing("old-secret, new-secret"),
    delete: failing("the key old-secret"),
  } as unknown as ResourceType;

  test("only plan in a preview", async () => {
    const planned = await requests.update(run().context("db", type), ID, state, inputs, true);
    expect(planned).toMatchObject({ name: "db", encryptionKey: "new-secret" });
    expect(planned).not.toHaveProperty("__internal");
  });

  test("show no secret of the state or the arguments in an error", async () => {
    const { context } = run();
    const updating = requests.update(context("db", type), ID, state, inputs, false);
    await expect(updating).rejects.toThrow(new Error("unexpected error: Error: [secret], [secret] [CDB9004]"));
    const deleting = requests.deleteResource(run().context("db", type), ID, state);
    await expect(deleting).rejects.toThrow(new Error("unexpected error: Error: the key [secret] [CDB9004]"));
  });

  test("get the id, the state, the arguments and the identity", async () => {
    const calls: unknown[] = [];
    const record = async (_: HandlerDependencies, ...values: unknown[]) => {
      calls.push(values);
      return values[1] as Properties;
    };
    const recording = { ...Service.type, update: record, delete: record } as unknown as ResourceType;
    await requests.update(run().context("db", recording), ID, state, inputs, false);
    await requests.deleteResource(run().context("db", recording), ID, state);
    const { identity } = run().context("db", recording);
    expect(calls).toEqual([
      [ID, state, { encryptionKey: "new-secret", name: "db" }, identity],
      [ID, state, identity],
    ]);
  });
});

describe("read", () => {
  /** The arguments of the lifecycle, which answers with the state and more. */
  function reading(type: ResourceType, current: Properties | undefined = { name: "found" }) {
    const values: [id: string, state: Properties][] = [];
    const read = async (_: HandlerDependencies, id: string, state: Properties) => {
      values.push([id, state]);
      return current && { ...state, ...current };
    };
    return { given: values, type: { ...type, read } as ResourceType };
  }
  const managed = { organizationId: ORGANIZATION, serviceId: ID, name: "old", [DECLARED]: ["name"] };

  test("of what is managed takes id and state as they are, and gives what a program would declare", async () => {
    const { given: values, type } = reading(Pipe.type);
    const current = await requests.read(run({}).context("p", type), "an id", managed, { other: 1 });
    expect(values).toEqual([["an id", managed]]);
    expect(current).toEqual({ id: "an id", state: { ...managed, name: "found" }, inputs: { name: "found" } });
  });

  test("of what is only read declares what the program has given, and completes it", async () => {
    const { given: values, type } = reading(Pipe.type);
    const args = { serviceId: ID };
    const current = await requests.read(run().context("p", type), OTHER.toUpperCase(), { ...args, more: 1 }, args);
    const known = { serviceId: ID, more: 1, pipeId: OTHER, organizationId: ORGANIZATION };
    expect(values).toEqual([[OTHER, known]]);
    expect(current).toEqual({ id: OTHER, state: { ...known, name: "found" }, inputs: args });
  });

  test("for an import takes the parents from the id, before those of the settings", async () => {
    const { given: values, type } = reading(Pipe.type);
    const { context, shown: output } = run();
    const current = await requests.read(context("p", type), `${THIRD}/${ID}/${OTHER}`, {}, undefined);
    expect(values).toEqual([[OTHER, { organizationId: THIRD, serviceId: ID, pipeId: OTHER }]]);
    const inputs = { organizationId: THIRD, serviceId: ID, pipeId: OTHER, name: "found" };
    expect(current).toMatchObject({ id: OTHER, inputs, state: { [DECLARED]: Object.keys(inputs).sort() } });
    expect(output).toEqual([reminder]);
  });

  test("makes no adopted service of an imported one", async () => {
    const { given: values, type } = reading(Service.type);
    const current = await requests.read(run().context("db", type), ID, {}, undefined);
    expect(values).toEqual([[ID, { organizationId: ORGANIZATION }]]);
    expect(current?.inputs).toEqual({ organizationId: ORGANIZATION, name: "found" });
  });

  test("finds nothing where the object is gone", async () => {
    const { type } = reading(Pipe.type, undefined);
    const missing = { ...type, read: async () => undefined };
    expect(await requests.read(run().context("p", missing), OTHER, managed, {})).toBeUndefined();
    expect(await requests.read(run().context("p", missing), OTHER, { serviceId: ID }, undefined)).toBeUndefined();
  });

  test("of what the API cannot show imports the id alone, and says so", async () => {
    const { context, shown: output } = run();
    const current = await requests.read(context("us", Organization.type), OTHER, {}, undefined);
    expect(current).toMatchObject({ id: OTHER, inputs: { organizationId: OTHER, privateEndpoints: [] } });
    expect(output).toEqual([
      reminder,
      `warning: The API cannot read organization ${OTHER}: only the ID was imported; it could not be verified. Declare what the program is to manage; the next \`pulumi up\` sends it. [CDB4007]`,
    ]);
    const args = { name: "us" };
    expect(await requests.read(context("us", Organization.type), OTHER, args, args)).toMatchObject({ inputs: args });
    expect(output).toHaveLength(2);
  });

  test("marks what the state says, and what the arguments say where it says nothing", async () => {
    const { type } = reading(Pipe.type);
    const marksOf = async (stored: Properties, args: Properties | undefined) =>
      (await requests.read(run().context("p", type), OTHER, { ...managed, ...stored }, args))?.state[SECRETS];
    expect(await marksOf({ [SECRETS]: ["name"] }, { [SECRETS]: ["settings"] })).toEqual(["name"]);
    expect(await marksOf({}, { [SECRETS]: ["name"] })).toEqual(["name"]);
    expect(await marksOf({ [SECRETS]: ["name"] }, undefined)).toEqual(["name"]);
    expect(await marksOf({}, {})).toBeUndefined();
  });

  test("shows no secret in an error", async () => {
    const type = { ...Service.type, read: failing("the key hush-hush") } as ResourceType;
    const reads = requests.read(run().context("db", type), ID, { ...managed, encryptionKey: "hush-hush" }, {});
    await expect(reads).rejects.toThrow(new Error("unexpected error: Error: the key [secret] [CDB9004]"));
  });
});
