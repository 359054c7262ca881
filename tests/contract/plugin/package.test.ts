import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { secret, UNKNOWN } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { failureOf } from "../support";
import { useEngine } from "./support";

const engine = useEngine();

test("the preview refuses an invalid configuration with all its errors", async () => {
  const { failures } = await engine.checkConfig({
    maxRetries: "900",
    baseUrl: "http://example.com",
  });
  expect(failures).toEqual([
    {
      property: "",
      reason: expect.stringContaining("clouddb:maxRetries (CLOUDDB_MAX_RETRIES) 900 is invalid"),
    },
    { property: "", reason: expect.stringContaining("sends the credentials unencrypted") },
  ]);
});

test("a key in plain text becomes secret, and unknown values stay unknown in the configuration", async () => {
  const { inputs, failures } = await engine.checkConfig({
    keySecret: "canary",
    baseUrl: UNKNOWN,
    maxRetries: "3",
  });
  expect(failures).toEqual([]);
  expect(inputs).toEqual({ keySecret: secret("canary"), baseUrl: UNKNOWN, maxRetries: "3" });
});

const UNKNOWN_KEYS = {
  organisationId: "id",
  costCenter: "shop",
  version: "0.1.0",
  pluginDownloadURL: "https://x",
};
const SETTINGS = [
  "clouddb:costCenter is no setting of the provider; remove it. [CDB2008]",
  "clouddb:organisationId is no setting of the provider: did you mean organizationId? [CDB2008]",
];
const ARGUMENTS = [
  'Provider "staging" has no argument costCenter; remove it. [CDB1001]',
  'Provider "staging" has no argument organisationId: did you mean organizationId? [CDB1001]',
];

test.each([
  ["the default provider", "default", "shop", [], SETTINGS],
  ["the default provider of a version", "default_0_1_0", "shop", [], SETTINGS],
  ["a project named clouddb, which may have keys of its own", "default_0_1_0", "clouddb", [], []],
  ["an explicit provider", "staging", "clouddb", ARGUMENTS, []],
])("unknown keys in the configuration of %s are refused, warned of, or ignored", async (...row) => {
  const [, name, project, reasons, warnings] = row;
  const { failures } = await engine.checkConfig(
    { ...UNKNOWN_KEYS, envVarMappings: "{}" },
    name,
    project,
  );
  expect(failures.map(({ reason }) => reason)).toEqual(reasons);
  expect(engine.messages.map(({ text }) => text)).toEqual(warnings);
});

describe("with a secret organizationId", () => {
  const organizationId = secret("5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01");
  const problem = expect.stringMatching(
    /^clouddb:organizationId \(\w+\) must not be a secret: .* \[CDB2009\]$/,
  );
  const failures = async () =>
    (await engine.check("ServiceScaling", "size", { serviceId: EXAMPLE.service })).failures;

  test.each(["default_0_1_0", "staging"])(
    "the new provider %s refuses a secret organizationId",
    async (name) => {
      await engine.checkConfig({}, name);
      await engine.configure({ organizationId }, name);
      expect(await failures()).toEqual([{ property: "", reason: problem }]);
      const state = { serviceId: EXAMPLE.service, numReplicas: 3 };
      expect((await engine.read("ServiceScaling", "size", EXAMPLE.service, state)).id).toBe(
        EXAMPLE.service,
      );
    },
  );

  test.each([
    ["default_0_1_0", [problem]],
    ["staging", []],
  ])(
    "provider %s with a secret organizationId in its state continues until the next up",
    async (name, warnings) => {
      await engine.checkConfig({}, name, "test", { version: "0.1.0" });
      await engine.configure({ organizationId }, name);
      expect(await failures()).toEqual([]);
      const lines = engine.messages.filter(({ severity }) => severity > 1);
      expect(lines.map(({ text }) => text)).toEqual(warnings);
    },
  );
});

test("the configuration takes precedence over the environment, and its key stays hidden", async () => {
  await engine.configure({ keySecret: secret("wrong-key-secret") });
  const { inputs } = await engine.check("ServiceScaling", "size", {
    serviceId: EXAMPLE.service,
    numReplicas: 3,
  });
  const failure = await failureOf(engine.create("ServiceScaling", "size", inputs));
  expect(failure.message).toContain("Check clouddb:keySecret in the stack's configuration");
  expect(failure.message).not.toContain("wrong-key-secret");
});

test("the configured plugin accepts secrets, and supports previews", async () => {
  expect(await engine.configure({})).toMatchObject({
    acceptsecrets: true,
    acceptresources: false,
    acceptoutputs: false,
    supportspreview: true,
  });
});

test("a changed configuration does not replace the provider", async () => {
  const request = new proto.DiffRequest();
  request.setOldInputs(Struct.fromJavaScript({ keyId: "one" }));
  request.setNews(Struct.fromJavaScript({ keyId: "two" }));
  const response = await engine.call<proto.DiffResponse>((done) =>
    engine.client.diffConfig(request, done),
  );
  expect(response.toObject()).toMatchObject({ changes: 2, diffsList: ["keyId"], replacesList: [] });
});

test("the plugin returns its version and its schema, and accepts a cancellation", async () => {
  const { version } = require("../../../provider/package.json") as { version: string };
  const info = await engine.call<PluginInfo>((done) =>
    engine.client.getPluginInfo(new Empty(), done),
  );
  expect(info.getVersion()).toBe(version);
  const schema = await engine.call<proto.GetSchemaResponse>((done) =>
    engine.client.getSchema(new proto.GetSchemaRequest(), done),
  );
  expect(JSON.parse(schema.getSchema())).toEqual(require("../../../provider/schema.json"));
  await engine.call((done) => engine.client.cancel(new Empty(), done));
});
