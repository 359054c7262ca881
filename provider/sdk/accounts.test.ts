import { spawnSync } from "node:child_process";
import * as pulumi from "@pulumi/pulumi";
import * as stack from "@pulumi/pulumi/runtime/stack";
import * as dynamic from "../index";
import * as native from "../native";

/** The account that resources and functions of a program have. */

const entries: [string, typeof dynamic, typeof dynamic][] = [
  ["pulumi-clouddb", dynamic, native],
  ["pulumi-clouddb/native", native, dynamic],
];
const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const OTHER = "22222222-2222-4222-8222-222222222222";

interface Mocked {
  readonly name?: string;
  readonly token?: string;
  readonly provider?: string;
  readonly inputs: Record<string, unknown>;
}

const mocked: Mocked[] = [];
const warnings: string[] = [];
beforeEach(async () => {
  mocked.length = 0;
  warnings.length = 0;
  jest.spyOn(pulumi.log, "warn").mockImplementation(async (text) => void warnings.push(text));
  pulumi.runtime.setAllConfig({});
  await mock();
});

/**
 * A deployment whose resources and calls are recorded; in a preview, new resources have no id yet.
 */
function mock({ project = "shop", isPreview = false } = {}): Promise<void> {
  const newResource = (args: pulumi.runtime.MockResourceArgs) => {
    mocked.push(args);
    return { id: isPreview ? "" : `${args.name}-id`, state: args.inputs };
  };
  const call = (args: pulumi.runtime.MockCallArgs) => {
    mocked.push(args);
    return {};
  };
  return pulumi.runtime.setMocks({ newResource, call }, project, "dev", isPreview);
}

const settled = <Value>(output: pulumi.Output<Value>) =>
  new Promise<Value>((resolve) => output.apply(resolve));
const providersOf = () =>
  mocked.map(({ name, token, provider = "" }) => [
    token ?? name,
    provider.split("::").at(-2) ?? "",
  ]);

describe.each(entries)("%s", (entry, clouddb, other) => {
  /** A component with a resource and a function. */
  class Box extends pulumi.ComponentResource {
    readonly size: pulumi.Output<string>;
    readonly boards: pulumi.Output<object>;
    constructor(opts?: pulumi.ComponentResourceOptions) {
      super("test:index:Box", "box", {}, opts);
      this.size = new clouddb.ServiceScaling(
        "size:1",
        { serviceId: ID, numReplicas: 3 },
        { parent: this },
      ).urn;
      this.boards = clouddb.getDashboardsOutput({ parent: this });
    }
  }

  describe("components", () => {
    test.each<[string, (eu: pulumi.ProviderResource) => pulumi.ComponentResourceOptions]>([
      ["provider", (eu) => ({ provider: eu })],
      ["providers as a list", (eu) => ({ providers: [eu] })],
      ["providers as a map", (eu) => ({ providers: { clouddb: eu } })],
      ["providers with Pulumi's key", (eu) => ({ providers: { "pulumi-nodejs": eu } })],
      [
        "a parent with such a map",
        (eu) => ({
          parent: new pulumi.ComponentResource(
            "test:index:Outer",
            "outer",
            {},
            { providers: { clouddb: eu } },
          ),
        }),
      ],
    ])(
      "a component with %s passes the provider to resources and functions",
      async (_, optionsOf) => {
        const box = new Box(optionsOf(new clouddb.Provider("eu")));
        await Promise.all([settled(box.size), settled(box.boards)]);
        expect(providersOf()).toEqual(
          expect.arrayContaining([
            ["size:1", "eu"],
            ["clouddb:index:getDashboards", "eu"],
          ]),
        );
      },
    );

    test("a component without a provider has the default provider", async () => {
      const box = new Box();
      await Promise.all([settled(box.size), settled(box.boards)]);
      expect(providersOf().map(([, provider]) => provider)).toEqual(["", "", ""]);
    });

    test("a component whose provider is from the other entry is refused", () => {
      expect(() => new Box({ providers: { clouddb: new other.Provider("eu") } })).toThrow(
        `The provider of ServiceScaling "size:1" must be a Provider imported from "${entry}", like ServiceScaling "size:1" itself.`,
      );
    });
  });

  test("the Output form of a function waits for dependsOn, and is unknown while dependencies are new", async () => {
    const size = new clouddb.ServiceScaling("size", { serviceId: ID, numReplicas: 3 });
    await settled(clouddb.getDashboardsOutput({ dependsOn: [size] }));
    expect(providersOf().map(([name]) => name)).toEqual(["size", "clouddb:index:getDashboards"]);
    mocked.length = 0;
    await mock({ isPreview: true });
    const outer = new pulumi.ComponentResource("test:index:Outer", "outer");
    new clouddb.ServiceScaling("inner", { serviceId: ID }, { parent: outer });
    const boards = clouddb.getDashboardsOutput({ dependsOn: outer });
    expect(await (boards as unknown as { isKnown: Promise<boolean> }).isKnown).toBe(false);
    expect(providersOf().map(([name]) => name)).toEqual(["outer", "inner"]);
  });

  describe("pulumi:disable-default-providers", () => {
    const use = (opts: { provider?: pulumi.ProviderResource }) => [
      () => clouddb.getDashboardsOutput(opts),
    ];

    test.each(['["clouddb"]', '["aws", "*"]', '[" clouddb "]'])(
      "the disabled default providers %s make functions fail, but leave resources to transformations",
      async (list) => {
        pulumi.runtime.setConfig("pulumi:disable-default-providers", list);
        for (const call of use({})) {
          expect(call).toThrow(
            /^getDashboards has no provider, and pulumi:disable-default-providers excludes the default one: pass a clouddb\.Provider to it or to its parent\. \[CDB2010\]$/,
          );
        }
        await expect(clouddb.getDashboards()).rejects.toThrow("CDB2010");
        const provider = new clouddb.Provider("eu");
        const transformations: pulumi.ResourceTransformation[] = [
          ({ props, opts }) => ({ props, opts: pulumi.mergeOptions(opts, { provider }) }),
        ];
        const { urn } = new clouddb.ServiceScaling("size", { serviceId: ID }, { transformations });
        await settled(urn);
        expect(providersOf().find(([name]) => name === "size")?.[1]).toBe("eu");
        for (const call of use({ provider: new clouddb.Provider("eu") })) call();
      },
    );

    test.each(["", "[]", '["aws"]'])(
      "the disabled default providers %j exclude nothing",
      (list) => {
        pulumi.runtime.setConfig("pulumi:disable-default-providers", list);
        for (const call of use({})) call();
      },
    );
  });

  test("unknown arguments of a provider or function are refused, with suggestions", async () => {
    const args = {
      baseURL: "https://x",
      keyID: "id",
      keysecret: "s",
      maxRetries: 1,
      paid: undefined,
      other: null,
    };
    expect(() => new clouddb.Provider("staging", args as never)).toThrow(
      'Provider "staging" has no argument baseURL: did you mean baseUrl? Provider "staging" has no argument keyID: did you mean keyId? Provider "staging" has no argument keysecret: did you mean keySecret? [CDB1001]',
    );
    const wrong = { serviceID: ID } as never;
    const message = "getService has no argument serviceID: did you mean serviceId? [CDB1001]";
    await expect(clouddb.getService(wrong)).rejects.toThrow(message);
    expect(() => clouddb.getServiceOutput(wrong)).toThrow(message);
    expect(mocked).toEqual([]);
  });

  test("unknown configuration keys cause one warning each, except in a project named clouddb", async () => {
    const config = {
      "clouddb:organisationId": ORGANIZATION,
      "clouddb:version": "1",
      "clouddb:keyId": "id",
      "aws:x": "y",
    };
    const run = async (project: string, hasDefault: boolean) => {
      warnings.length = 0;
      await mock({ project });
      pulumi.runtime.setAllConfig(config);
      jest.spyOn(stack, "getStackResource").mockReturnValue({} as never);
      const providers = [new clouddb.Provider("eu"), new clouddb.Provider("us")];
      if (hasDefault) new clouddb.ServiceScaling("size", { serviceId: ID });
      new clouddb.ServiceScaling(
        "other",
        { serviceId: ID },
        { provider: providers[0] as pulumi.ProviderResource },
      );
      await Promise.all(providers.map(({ urn }) => settled(urn)));
      jest.mocked(stack.getStackResource).mockRestore();
      return warnings;
    };
    const warning =
      "clouddb:organisationId is no setting of the provider: did you mean organizationId? [CDB2008]";
    expect(await run("shop", false)).toEqual([warning]);
    // The native plugin warns by itself, as the provider by default.
    expect(await run("shop", true)).toEqual(clouddb === native ? [] : [warning]);
    expect(await run("clouddb", false)).toEqual([]);
  });

  describe("secret organizations", () => {
    const problem =
      /^clouddb:organizationId \(CLOUDDB_ORGANIZATION_ID\) must not be a secret: .* \[CDB2009\]$/;

    test("a secret organization is refused as an argument, without a stack trace", () => {
      // In a process of its own, which the error ends.
      const program = `const pulumi = require("@pulumi/pulumi");
        const { Provider } = require("${entry}");
        process.on("unhandledRejection", (error) => { console.log(error.stack); process.exit(1); });
        pulumi.runtime.setMocks({ newResource: () => ({ id: "id", state: {} }), call: () => ({}) }).then(() => {
          new Provider("plain", { organizationId: pulumi.output("${ORGANIZATION}") });
          new Provider("eu", { organizationId: pulumi.secret("${ORGANIZATION}") });
        });`;
      const { status, stdout } = spawnSync(process.execPath, ["-e", program], {
        cwd: __dirname,
        encoding: "utf8",
      });
      expect([status, stdout.trim()]).toEqual([1, expect.stringMatching(problem)]);
    });

    test("a secret organization is refused in the stack's configuration", () => {
      pulumi.runtime.setAllConfig({ "clouddb:organizationId": ORGANIZATION }, [
        "clouddb:organizationId",
      ]);
      expect(() => new clouddb.Provider("eu")).toThrow(problem);
      expect(() => new clouddb.ServiceScaling("size", { serviceId: ID })).toThrow(problem);
    });

    test("a plain organization in the stack's configuration is accepted", async () => {
      pulumi.runtime.setAllConfig({ "clouddb:organizationId": ORGANIZATION });
      const provider = new clouddb.Provider("eu");
      expect(await settled(provider.configuration)).toEqual({
        "clouddb:organizationId": ORGANIZATION,
      });
      // The plugin refuses a secret.
      if (clouddb === native) expect(mocked[0]?.inputs).toEqual({ organizationId: ORGANIZATION });
    });
  });

  test("a provider stores the names of envVarMappings, which override the stack's configuration", async () => {
    pulumi.runtime.setAllConfig({
      "clouddb:keyId": "configured",
      "clouddb:baseUrl": "https://stack.example.com",
    });
    const envVarMappings = { EU_KEY_ID: "CLOUDDB_KEY_ID", EU_SECRET: "CLOUDDB_KEY_SECRET" };
    const { configuration } = new clouddb.Provider(
      "eu",
      { keySecret: "argument" },
      { envVarMappings },
    );
    expect(await settled(configuration)).toEqual({
      "clouddb:baseUrl": "https://stack.example.com",
      "clouddb:keySecret": "argument",
      "clouddb:envVarMappings": JSON.stringify(envVarMappings),
    });
  });

  test.each<[string, string | undefined]>([
    ["an argument", OTHER],
    ["no argument", undefined],
    ["an empty text", ""],
  ])(
    "a provider with %s as organization uses it, or else the stack's configuration",
    async (_, argument) => {
      pulumi.runtime.setAllConfig({ "clouddb:organizationId": ORGANIZATION });
      for (const organizationId of [argument, pulumi.output(argument), Promise.resolve(argument)]) {
        const { configuration } = new clouddb.Provider("eu", { organizationId } as never);
        expect((await settled(configuration))["clouddb:organizationId"]).toBe(
          argument || ORGANIZATION,
        );
      }
    },
  );
});
