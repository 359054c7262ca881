import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { temporaryFolder } from "../../tests/support/temporary-folder";
import * as dynamic from "../index";
import * as native from "../native";
import { type Adapter, dynamicAdapter, nativeAdapter } from "./adapters";
import { registeredOptions } from "./custom-resource";
import { classTables } from "./generated/tables";
import { RELEASE } from "./provider";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";

/** Programs of this process, whose resources have one id and this state. */
const mock = (state: object = {}, isPreview = false) =>
  pulumi.runtime.setMocks(
    { call: () => ({}), newResource: () => ({ id: ID, state }) },
    "test",
    "dev",
    isPreview,
  );
beforeEach(() => mock());
afterEach(() => jest.restoreAllMocks());

/** The members of a request to the SDK's monitor that mocks do not receive. */
interface Registration {
  readonly getVersion: () => string;
  readonly getPlugindownloadurl: () => string;
  readonly getProtect: () => boolean | undefined;
  readonly getDeletebeforereplace: () => boolean | undefined;
  readonly getSourceposition: () => { readonly getUri: () => string } | undefined;
}

/** The requests in which a program's resources are registered or read. */
async function registrationsOf(program: () => pulumi.Resource): Promise<Registration[]> {
  await mock();
  const monitor = pulumi.runtime.getMonitor() as unknown as Record<
    string,
    (request: Registration) => unknown
  >;
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

/** Options that count as omitted. */
const NOTHING = { protect: null, deleteBeforeReplace: null, provider: null, import: null } as never;

const entries: [string, typeof dynamic][] = [
  ["pulumi-clouddb", dynamic],
  ["pulumi-clouddb/native", native],
];

describe.each(entries)("%s", (_, clouddb) => {
  const programs: Readonly<Record<string, () => pulumi.CustomResource>> = {
    Service: () => new clouddb.Service("one", { region: "us-east-1" }),
    ServiceScaling: () => new clouddb.ServiceScaling("one", { serviceId: ID, numReplicas: 3 }),
    Organization: () => new clouddb.Organization("one", { organizationId: ID, name: "one" }),
    Pipe: () => new clouddb.Pipe("one", { serviceId: ID, pipeId: ID }),
  };

  const isProtected = async (program: () => pulumi.Resource) =>
    (await registrationsOf(program)).map((item) => item.getProtect?.() ?? false);

  test("only a Service is protected by default, unless it is only read", async () => {
    for (const [name, program] of Object.entries(programs)) {
      expect([name, await isProtected(program)]).toEqual([name, [name === "Service"]]);
    }
    expect(await isProtected(() => clouddb.Service.get("one", ID))).toEqual([false]);
    expect(await isProtected(() => clouddb.Service.get("one", ID, {}, NOTHING))).toEqual([false]);
  });

  const box = (opts: object) => new pulumi.ComponentResource("test:index:Box", "box", {}, opts);
  test.each<[string, () => object, isProtected: boolean, deletesFirst: boolean]>([
    ["without options", () => ({}), true, true],
    ["that is not protected", () => ({ protect: false }), false, true],
    ["that is replaced before it is deleted", () => ({ deleteBeforeReplace: false }), true, false],
    ["that is retained", () => ({ retainOnDelete: true }), false, false],
    ["with options that are null", () => NOTHING, true, true],
    ["in a component with such options", () => ({ parent: box({ protect: null }) }), true, true],
    ["in an unprotected component", () => ({ parent: box({ protect: false }) }), false, true],
  ])(
    "a Service %s has the expected protection and order of replacement",
    async (_, optionsOf, protects, deletesFirst) => {
      const registrations = await registrationsOf(
        () => new clouddb.Service("one", {}, optionsOf()),
      );
      const registration = registrations.at(-1);
      expect([registration?.getProtect(), registration?.getDeletebeforereplace()]).toEqual([
        protects,
        deletesFirst,
      ]);
    },
  );

  test.each<[string, unknown, string | undefined]>([
    ["an Output without a value", pulumi.output(undefined), "existingServiceId"],
    ["a Promise of null", Promise.resolve(null), "existingServiceId"],
    ["an Output with a value", pulumi.output(ID), undefined],
    ["no argument", undefined, undefined],
  ])("check is told whether existingServiceId is empty: %s", async (_, existingServiceId, name) => {
    const inputs: Record<string, unknown>[] = [];
    await pulumi.runtime.setMocks({
      call: () => ({}),
      newResource: (resource) => {
        inputs.push(resource.inputs);
        return { id: ID, state: {} };
      },
    });
    const { urn } = new clouddb.Service("one", { existingServiceId } as never);
    await new Promise((resolve) => urn.apply(resolve));
    expect(inputs[0]?.__empty).toBe(name);
  });

  describe("transformations", () => {
    const leaving =
      (left: object): pulumi.ResourceTransformation =>
      ({ props }) => ({ props, opts: left });
    const declare = (left: object, opts: object = {}, box: object = {}) => {
      const parent = new pulumi.ComponentResource(
        "test:index:Box",
        "box",
        {},
        { ...box, transformations: [leaving(left)] },
      );
      // Transformations may not change the parent.
      (left as { parent?: unknown }).parent = parent;
      return new clouddb.Service("one", {}, { ...opts, parent });
    };

    test("a transformation that drops protection or the provider is refused before the registration", () => {
      expect(() => declare({})).toThrow(
        /^A transformation drops the option protect of Service "one": .*set `protect` or `retainOnDelete`\. \[CDB2013\]$/,
      );
      expect(() => declare({}, { retainOnDelete: true })).toThrow(
        /^A transformation drops the option retainOnDelete of Service "one"/,
      );
      expect(() => declare({}, { protect: true }, { protect: false })).toThrow(
        /drops the option protect/,
      );
      const provider = new clouddb.Provider("eu");
      expect(() => declare({ protect: true }, { provider })).toThrow(
        /^A transformation drops the option provider of Service "one": .*set another provider\. \[CDB2013\]$/,
      );
    });

    test("a transformation that sets protection or another provider takes effect", async () => {
      const [eu, us] = ["eu", "us"].map((name) => new clouddb.Provider(name));
      for (const left of [{ protect: false }, { retainOnDelete: true }, { protect: true }])
        expect(await isProtected(() => declare(left))).toContain("protect" in left && left.protect);
      declare({ protect: true, provider: us }, { provider: eu });
    });

    test("a transformation of a resource runs once for each child", async () => {
      const seen: string[] = [];
      const note: pulumi.ResourceTransformation = ({ name }) => {
        seen.push(name);
        return undefined;
      };
      const parent = new clouddb.Service("one", {}, { transformations: [note] });
      new clouddb.ServiceScaling("size", { serviceId: ID }, { parent });
      expect(seen).toEqual(["one", "size"]);
    });
  });

  test("a preview warns that deleting an unprotected service would fail in the update", async () => {
    const info = jest.spyOn(pulumi.log, "info").mockResolvedValue();
    await mock({}, true);
    new clouddb.Service("safe", {});
    new clouddb.Service("kept", {}, { protect: false, retainOnDelete: true });
    new clouddb.Service("adopted", { existingServiceId: ID }, { protect: false });
    clouddb.Service.get("read", ID);
    expect(info.mock.calls).toEqual([]);
    new clouddb.Service("open", {}, { protect: false });
    expect(info.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(
        /^Service "open" is not protected: .* then fail.*retainOnDelete.*\[CDB5001\]$/,
      ),
    ]);
  });

  test("the password is secret with mocks", async () => {
    await mock({ password: "from the mock" });
    const { password, engineVersion } = new clouddb.Service("one", {});
    expect(await Promise.all([password, engineVersion].map(pulumi.isSecret))).toEqual([
      true,
      false,
    ]);
  });

  test("a secret that an adopted service lacks is undefined, although its state has null", async () => {
    await mock({ password: null });
    const { password } = new clouddb.Service("one", { existingServiceId: ID });
    expect(await new Promise((resolve) => password.apply(resolve))).toBeUndefined();
  });

  test("instanceof works for each class, and each class has its name", async () => {
    const classes = [clouddb.Service, clouddb.ServiceScaling, clouddb.Organization, clouddb.Pipe];
    const made = Object.values(programs).map((program) => program());
    expect(
      classes.map(({ isInstance }) => made.map((item) => isInstance(item)).indexOf(true)),
    ).toEqual([0, 1, 2, 3]);
    expect(classes.map(({ isInstance }) => made.filter(isInstance).length)).toEqual([1, 1, 1, 1]);
    expect(made.map((item) => item.constructor.name)).toEqual(Object.keys(programs));
    expect(made.every((item) => item instanceof pulumi.CustomResource)).toBe(true);
    class Mine extends clouddb.Service {}
    expect(clouddb.Service.isInstance(new Mine("mine"))).toBe(true);
  });

  test("each resource has its place in the program", async () => {
    for (const [name, program] of Object.entries(programs)) {
      const [registration] = await registrationsOf(program);
      const place = registration?.getSourceposition()?.getUri();
      expect([name, place]).toEqual([name, expect.stringMatching(/custom-resource\.test\.ts$/)]);
    }
  });

  test("an error of a registration has its place in the program, as do later errors", () => {
    function fail(): never {
      throw new Error("from a transformation");
    }
    const stack = expect.stringContaining("custom-resource.test");
    expect(() => new clouddb.Service("one", {}, { transformations: [fail] })).toThrow(
      expect.objectContaining({ message: "from a transformation", stack }),
    );
    expect(new Error("later")).toMatchObject({ stack });
  });

  test("an error before a registration leaves later errors their places", () => {
    const noList = (() => undefined) as never;
    expect(() => new clouddb.Service("one", {}, { transformations: noList })).toThrow(TypeError);
    const stack = expect.stringContaining("custom-resource.test");
    expect(new Error("later")).toMatchObject({ stack });
  });

  test("two services in a component do not wait for each other", async () => {
    const parent = new pulumi.ComponentResource("test:index:Box", "box");
    const services = ["one", "two"].map(
      (name) => new clouddb.Service(name, { region: "us-east-1" }, { parent }),
    );
    const urns = services.map(({ urn }) => new Promise((resolve) => urn.apply(resolve)));
    expect(await Promise.all(urns)).toHaveLength(2);
  });
});

test("an explicit provider of the native entry names the plugin's release", async () => {
  const [registration] = await registrationsOf(() => new native.Provider("own"));
  expect([registration?.getVersion(), registration?.getPlugindownloadurl()]).toEqual(
    Object.values(RELEASE),
  );
});

test.each([
  [dynamic, 1],
  [native, 0],
])("a deprecated argument causes a warning, unless the plugin warns", async (clouddb, count) => {
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
  await registrationsOf(() => new clouddb.Service("one", { tier: "production" }));
  await registrationsOf(() => new clouddb.Service("two", { numReplicas: 3 }));
  expect(warn.mock.calls.map(([text]) => text)).toEqual(
    Array(count).fill(expect.stringContaining("tier is deprecated")),
  );
});

test("an alias leads to the type of the other entry, even from former names", () => {
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

/** The process of a packaged component, which programs in other languages use: it has no stack. */
const folder = temporaryFolder("component");

/**
 * The message of a dynamic resource that is declared in a working directory; empty if it can be.
 */
function declareFrom(cwd: string): string {
  const adapters = require.resolve("../dist/sdk/adapters");
  const program = `require(${JSON.stringify(adapters)}).dynamicAdapter.propertiesOf("Service", "db", {})`;
  const { stdout } = spawnSync(
    process.execPath,
    ["-e", `try { ${program} } catch ({ stack }) { console.log(stack) }`],
    {
      cwd,
      encoding: "utf8",
    },
  );
  return stdout.trim();
}

function install(): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(__dirname, ".."), join(folder, "node_modules", "pulumi-clouddb"));
}

const SENTENCE =
  "The program that uses a packaged component cannot run its dynamic resources: import the classes of the component from pulumi-clouddb/native. [CDB2006]";

test("a packaged component with dynamic resources is refused if the program lacks the package", () => {
  expect(declareFrom(folder)).toBe(SENTENCE);
  install();
  expect(declareFrom(folder)).toBe("");
  // The component's own folder: the engine looks in the program's.
  writeFileSync(join(folder, "PulumiPlugin.yaml"), "runtime: nodejs");
  expect(declareFrom(folder)).toBe(SENTENCE);
});

test("a function that fails without a request fails after the engine attached its handlers", () => {
  const index = require.resolve("../dist/index");
  const program = `
    process.on("unhandledRejection", ({ message }) => console.log(message));
    require(${JSON.stringify(index)}).getServiceOutput({ serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" });
    setImmediate(() => console.log("looked at"));`;
  const environment = { PATH: process.env.PATH };
  const { stdout } = spawnSync(process.execPath, ["-e", program], {
    encoding: "utf8",
    env: environment,
  });
  expect(stdout).toMatch(/^looked at\norganizationId is missing: .*\[CDB1002\]$/m);
});
