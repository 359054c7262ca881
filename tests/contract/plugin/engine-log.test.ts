import { createServer } from "node:net";
import { createEngineLog } from "../../../provider/hosts/plugin/engine-log";
import { listen, type Message } from "../../support/adapters/native-plugin";
import { serve } from "../../support/local-server";

/** Messages on their way to an engine, which is always on this machine. */

const URN = "urn:pulumi:dev::test::clouddb:index:Service::db";
const variables = ["http_proxy", "https_proxy", "grpc_proxy"];
const endings: (() => void)[] = [];

afterEach(() => {
  for (const name of variables) delete process.env[name];
  for (const end of endings.splice(0)) end();
});

/** A server that accepts connections and says nothing; returns its address. */
async function startSilentServer(): Promise<string> {
  const server = createServer((socket) => endings.push(() => socket.destroy()));
  return `127.0.0.1:${await serve(server)}`;
}

test.each([
  ["refuses connections", async () => "127.0.0.1:1"],
  ["is silent", startSilentServer],
])("messages arrive beside a proxy that %s", async (_, startProxy) => {
  const proxy = await startProxy();
  for (const name of variables) process.env[name] = `http://${proxy}`;
  const messages: Message[] = [];
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
])("an operation ends, and keeps its result, where the engine %s", async (_, startEngine) => {
  const log = createEngineLog();
  endings.push(log.close);
  log.attach(await startEngine());
  const operation = async () => {
    log.info({ code: "CDB3004", text: "a message" });
    return "created";
  };
  expect(await log.about(URN, operation)).toBe("created");
});
