import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { secret, UNKNOWN } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { failureOf } from "../support";
import { type Engine, startEngine } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
beforeEach(async () => {
  await engine.configure({});
  engine.messages.length = 0;
});

describe("configuration", () => {
  test("is refused in the preview, all of it at once", async () => {
    const { failures } = await engine.checkConfig({ maxRetries: "900", baseUrl: "http://example.com" });
    expect(failures).toEqual([
      { property: "", reason: expect.stringContaining("clouddb:maxRetries (CLOUDDB_MAX_RETRIES) 900 is invalid") },
      { property: "", reason: expect.stringContaining("sends the credentials unencrypted") },
    ]);
  });

  test("keeps a key secret that was set as plain text, and waits for what is unknown", async () => {
    const { inputs, failures } = await engine.checkConfig({ keySecret: "canary", baseUrl: UNKNOWN, maxRetries: "3" });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ keySecret: secret("canary"), baseUrl: UNKNOWN, maxRetries: "3" });
  });

  test("with a misspelled name causes a warning, and one of another package does not", async () => {
    const { failures } = await engine.checkConfig({ keyID: "id", costCenter: "shop", version: "0.1.0" });
    expect(failures).toEqual([]);
    expect(engine.messages.map(({ text }) => text)).toEqual([
      "clouddb:keyID is no setting of the provider: did you mean keyId? [CDB2008]",
    ]);
  });

  test("takes precedence over the environment, and a key in it stays hidden", async () => {
    await engine.configure({ keySecret: secret("wrong-key-secret") });
    const { inputs } = await engine.check("ServiceScaling", "size", { serviceId: EXAMPLE.service, numReplicas: 3 });
    const failure = await failureOf(engine.create("ServiceScaling", "size", inputs));
    expect(failure.message).toContain("Check clouddb:keySecret in the stack's configuration");
    expect(failure.message).not.toContain("wrong-key-secret");
  });

  test("accepts secrets, and supports previews", async () => {
    expect(await engine.configure({})).toMatchObject({
      acceptsecrets: true,
      acceptresources: false,
      acceptoutputs: false,
      supportspreview: true,
    });
  });

  test("changes without a replacement", async () => {
    const request = new proto.DiffRequest();
    request.setOldInputs(Struct.fromJavaScript({ keyId: "one" }));
    request.setNews(Struct.fromJavaScript({ keyId: "two" }));
    const response = await engine.call<proto.DiffResponse>((done) => engine.client.diffConfig(request, done));
    expect(response.toObject()).toMatchObject({ changes: 2, diffsList: ["keyId"], replacesList: [] });
  });
});

test("returns its version and its schema, and accepts a cancellation", async () => {
  const { version } = require("../../../provider/package.json") as { version: string };
  const info = await engine.call<PluginInfo>((done) => engine.client.getPluginInfo(new Empty(), done));
  expect(info.getVersion()).toBe(version);
  const schema = await engine.call<proto.GetSchemaResponse>((done) =>
    engine.client.getSchema(new proto.GetSchemaRequest(), done),
  );
  expect(JSON.parse(schema.getSchema())).toEqual(require("../../../provider/schema.json"));
  await engine.call((done) => engine.client.cancel(new Empty(), done));
});
