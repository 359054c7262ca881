import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { createEngineLog } from "../../../provider/hosts/plugin/engine-log";
import { isEngineAlive } from "../../../provider/hosts/process";
import { listen, type ShownMessage } from "../../support/adapters/native";
import { EXAMPLE } from "../../support/example";
import { serve } from "../../support/local-server";
import { temporaryFolder } from "../../support/temporary-folder";
import { failureOf } from "../support";
import { startEngine, up } from "./support";

/** Messages on their way to an engine, which is always on this machine. */

const URN = "urn:pulumi:dev::test::clouddb:index:Service::db";
const variables = ["http_proxy", "https_proxy", "grpc_proxy"];
const endings: (() => void)[] = [];

afterEach(() => {
  for (const name of variables) delete process.env[name];
  for (const end of endings.splice(0)) end();
});

/** A server that accepts connections and says nothing; returns its address. */
const startSilentServer = async () => `127.0.0.1:${await serve(createServer())}`;

test.each([
  ["refuses connections", async () => "127.0.0.1:1"],
  ["is silent", startSilentServer],
])("messages reach the engine although a proxy %s", async (_, startProxy) => {
  const proxy = await startProxy();
  for (const name of variables) process.env[name] = `http://${proxy}`;
  const messages: ShownMessage[] = [];
  const engine = await listen(messages);
  const log = createEngineLog();
  endings.push(engine.close, log.close);
  log.attach(engine.address);
  await log.about(URN, async () => log.warn({ code: "CDB1013", text: "it is deprecated" }));
  expect(messages).toEqual([{ severity: 2, name: "db", text: "it is deprecated [CDB1013]" }]);
});

test.each([
  ["is silent", startSilentServer],
  ["is gone", async () => "127.0.0.1:1"],
])("an operation ends and keeps its result if the engine %s", async (_, startEngine) => {
  const log = createEngineLog();
  endings.push(log.close);
  log.attach(await startEngine());
  const operation = async () => {
    log.info({ code: "CDB3004", text: "a message" });
    return "created";
  };
  expect(await log.about(URN, operation)).toBe("created");
});

// `PULUMI_DEBUG_PROVIDERS`: an engine attaches to a plugin that is already running.
test("an attached engine gets the messages, and has to stay alive for requests", async () => {
  const engine = await startEngine({ isEngineAlive });
  const messages: ShownMessage[] = [];
  const other = await listen(messages);
  const request = new PluginAttach();
  request.setAddress(other.address);
  await engine.call<Empty>((done) => engine.client.attach(request, done));

  const service = { provider: "aws", region: "us-east-1", tier: "production" };
  const { inputs } = await engine.check("Service", "db", service);
  expect(messages).toEqual([
    { severity: 2, name: "db", text: expect.stringContaining("tier is deprecated.") },
  ]);
  expect(engine.messages).toEqual([]);
  await engine.create("Service", "db", inputs);
  expect(await engine.api.requests()).toHaveLength(1);

  other.close();
  const failure = await failureOf(engine.create("Service", "db", inputs));
  expect(failure.message).toContain("Nothing was created.");
  expect(await engine.api.requests()).toEqual([]);
});

test("warnings about the journal, foreign entries, invalid values and variables have that level", async () => {
  const home = join(temporaryFolder("home"), "file");
  writeFileSync(home, "a file, not a folder");
  const engine = await startEngine({ environment: { PULUMI_HOME: home, CLOUDDB_JOURNAL: "" } });
  const { api } = engine;
  const { baseUrl, keyId, keySecret, organizationId } = api;
  await engine.configure({ baseUrl, keyId, keySecret, organizationId });

  await api.faults({ method: "POST", effect: { kind: "answer", result: { numReplicas: "many" } } });
  const ipAccessList = [{ source: "192.0.2.1" }];
  const { id, inputs, state } = await up(engine, "Service", "db", { numReplicas: 2, ipAccessList });
  await api.change("PATCH", `/${id}`, { ipAccessList: { add: [{ source: "192.0.2.2" }] } });
  const next = { ...inputs, ipAccessList: [{ source: "192.0.2.1" }, { source: "192.0.2.3" }] };
  await engine.update("Service", "db", id, state, next);
  const credentials = { username: "u", passwordFromEnvironment: "KAFKA" };
  const source = { kafka: { credentials } };
  await engine.check("Pipe", "orders", {
    serviceId: EXAMPLE.service,
    pipeId: EXAMPLE.pipes.kafka,
    source,
  });
  const severities = engine.messages.map(({ severity, text }) => [text.slice(-8, -1), severity]);
  expect(severities.sort()).toEqual([
    ["CDB2012", 2],
    ["CDB3011", 2],
    ["CDB4014", 2],
    ["CDB5008", 2],
    // The adoption of the pipe.
    ["CDB5009", 1],
  ]);
});
