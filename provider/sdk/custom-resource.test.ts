import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../index";
import * as native from "../native";
import { type Adapter, dynamicAdapter, nativeAdapter } from "./adapters";
import { registeredOptions } from "./custom-resource";
import { classTables } from "./generated/tables";
import { RELEASE } from "./provider";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";

/** The members of a request to the SDK's monitor that mocks do not receive. */
interface Registration {
  readonly getVersion: () => string;
  readonly getPlugindownloadurl: () => string;
  readonly getProtect: () => boolean | undefined;
  readonly getDeletebeforereplace: () => boolean | undefined;
}

/** The requests in which a program's resources are registered or read. */
async function registrationsOf(program: () => pulumi.Resource): Promise<Registration[]> {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: ID, state: {} }) });
  const monitor = pulumi.runtime.getMonitor() as unknown as Record<string, (request: Registration) => unknown>;
  const requests: Registration[] = [];
  for (const method of ["registerResource", "readResource"]) {
    const original = monitor[method] as (...args: unknown[]) => unknown;
    monitor[method] = (...args) => {
      requests.push(args[0]);
      return original.apply(monitor, args);
    };
  }
  const { urn } = program();
  await new Promise((resolve) => urn.apply(resolve));
  return requests;
}

const entries: [string, typeof dynamic][] = [
  ["pulumi-clouddb", dynamic],
  ["pulumi-clouddb/native", native],
];

describe.each(entries)("%s", (entry, clouddb) => {
  const programs: Readonly<Record<string, () => pulumi.CustomResource>> = {
    Service: () => new clouddb.Service("one", { region: "us-east-1" }),
    ServiceScaling: () => new clouddb.ServiceScaling("one", { serviceId: ID, numReplicas: 3 }),
    Organization: () => new clouddb.Organization("one", { organizationId: ID, name: "one" }),
    Pipe: () => new clouddb.Pipe("one", { serviceId: ID, pipeId: ID }),
  };

  test("only a Service is protected by default, and one that is only read is not", async () => {
    const isProtected = async (program: () => pulumi.CustomResource) =>
      (await registrationsOf(program)).map((item) => item.getProtect?.() ?? false);
    for (const [name, program] of Object.entries(programs)) {
      expect([name, await isProtected(program)]).toEqual([name, [name === "Service"]]);
    }
    expect(await isProtected(() => new clouddb.Service("one", {}, { protect: false }))).toEqual([false]);
    expect(await isProtected(() => clouddb.Service.get("one", ID))).toEqual([false]);
  });

  test("the preview of a service that nothing protects says that its end would fail in the update", async () => {
    const info = jest.spyOn(pulumi.log, "info").mockResolvedValue();
    await pulumi.runtime.setMocks(
      { call: () => ({}), newResource: () => ({ id: ID, state: {} }) },
      "test",
      "dev",
      true,
    );
    new clouddb.Service("safe", {});
    new clouddb.Service("kept", {}, { protect: false, retainOnDelete: true });
    new clouddb.Service("adopted", { existingServiceId: ID }, { protect: false });
    clouddb.Service.get("read", ID);
    expect(info.mock.calls).toEqual([]);
    new clouddb.Service("open", {}, { protect: false });
    expect(info.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/^Service "open" is not protected: .* then fail.*retainOnDelete.*\[CDB5001\]$/),
    ]);
    info.mockRestore();
  });

  test("the password is a secret also with mocks", async () => {
    const newResource = () => ({ id: ID, state: { password: "from the mock" } });
    await pulumi.runtime.setMocks({ call: () => ({}), newResource });
    const { password, engineVersion } = new clouddb.Service("one", {});
    expect(await Promise.all([password, engineVersion].map(pulumi.isSecret))).toEqual([true, false]);
  });

  test("an option that is null counts as omitted, also that of a component", async () => {
    const nothing = { protect: null, deleteBeforeReplace: null, provider: null, import: null } as never;
    const parent = () => new pulumi.ComponentResource("test:index:Box", "box", {}, { protect: null } as never);
    for (const optionsOf of [() => nothing, () => ({ parent: parent() })]) {
      const registrations = await registrationsOf(() => new clouddb.Service("one", {}, optionsOf()));
      const registration = registrations.at(-1);
      expect([registration?.getProtect(), registration?.getDeletebeforereplace()]).toEqual([true, true]);
    }
    const [read] = await registrationsOf(() => clouddb.Service.get("one", ID, {}, nothing));
    expect(read?.getProtect?.() ?? false).toBe(false);
  });

  test.each<[pulumi.CustomResourceOptions, boolean]>([
    [{}, true],
    [{ protect: false }, true],
    [{ deleteBeforeReplace: false }, false],
    [{ retainOnDelete: true }, false],
  ])("a Service with %j: deleteBeforeReplace is %s", async (opts, expected) => {
    const [registration] = await registrationsOf(() => new clouddb.Service("one", {}, opts));
    expect(registration?.getDeletebeforereplace()).toBe(expected);
  });

  test("a secret that an adopted service lacks is undefined, although its state has null", async () => {
    await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: ID, state: { password: null } }) });
    const { password } = new clouddb.Service("one", { existingServiceId: ID });
    expect(await new Promise((resolve) => password.apply(resolve))).toBeUndefined();
  });

  test("instanceof works for each class, and classes have their names", async () => {
    await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: ID, state: {} }) });
    const classes = [clouddb.Service, clouddb.ServiceScaling, clouddb.Organization, clouddb.Pipe];
    const made = Object.values(programs).map((program) => program());
    expect(classes.map(({ isInstance }) => made.map((item) => isInstance(item)).indexOf(true))).toEqual([0, 1, 2, 3]);
    expect(classes.map(({ isInstance }) => made.filter(isInstance).length)).toEqual([1, 1, 1, 1]);
    expect(made.map((item) => item.constructor.name)).toEqual(Object.keys(programs));
    expect(made.every((item) => item instanceof pulumi.CustomResource)).toBe(true);
    class Mine extends clouddb.Service {}
    expect(clouddb.Service.isInstance(new Mine("mine"))).toBe(true);
  });

  test("a provider of the other entry is refused in one sentence", async () => {
    await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: ID, state: {} }) });
    const [own, other] = entry === "pulumi-clouddb" ? [dynamic, native] : [native, dynamic];
    const args = { serviceId: ID, numReplicas: 3 };
    new clouddb.ServiceScaling("size", args, { provider: new own.Provider("own") });
    expect(() => new clouddb.ServiceScaling("size", args, { provider: new other.Provider("other") })).toThrow(
      `The provider of ServiceScaling "size" must be a Provider imported from "${entry}", like ServiceScaling "size" itself.`,
    );
  });
});

test("an explicit provider of the native entry names the plugin of its release", async () => {
  const [registration] = await registrationsOf(() => new native.Provider("own"));
  expect([registration?.getVersion(), registration?.getPlugindownloadurl()]).toEqual(Object.values(RELEASE));
});

test.each([
  [dynamic, 1],
  [native, 0],
])("a declared argument that is deprecated causes a warning, unless the plugin warns", async (clouddb, count) => {
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
  await registrationsOf(() => new clouddb.Service("one", { tier: "production" }));
  await registrationsOf(() => new clouddb.Service("two", { numReplicas: 3 }));
  expect(warn.mock.calls.map(([text]) => text)).toEqual(
    Array(count).fill(expect.stringContaining("tier is deprecated")),
  );
  warn.mockRestore();
});

test.each(entries)("%s: two services of a component do not wait for each other", async (_, clouddb) => {
  await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: ID, state: {} }) });
  const parent = new pulumi.ComponentResource("test:index:Box", "box");
  const services = ["one", "two"].map((name) => new clouddb.Service(name, { region: "us-east-1" }, { parent }));
  const urns = services.map(({ urn }) => new Promise((resolve) => urn.apply(resolve)));
  expect(await Promise.all(urns)).toHaveLength(2);
});

test("an alias leads to the type of the other entry, also from names that the program has given up", () => {
  const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/clouddb:Pipe::older";
  const values = [{ name: "old" }, urn, { name: "other", type: "other:index:Type" }];
  const optionsOf = (adapter: Adapter, aliases?: pulumi.CustomResourceOptions["aliases"]) =>
    registeredOptions(adapter, classTables.Pipe, aliases ? { aliases } : {}).aliases;
  const dynamicType = "pulumi-nodejs:dynamic/clouddb:Pipe";
  expect(optionsOf(dynamicAdapter)).toEqual([{ type: "clouddb:index:Pipe" }]);
  expect(optionsOf(nativeAdapter)).toEqual([{ type: dynamicType }]);
  expect(optionsOf(nativeAdapter, values)).toEqual([
    ...values,
    { name: "old", type: dynamicType },
    { type: dynamicType },
  ]);
});
