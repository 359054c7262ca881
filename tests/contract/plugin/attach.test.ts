import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { isEngineAlive } from "../../../provider/hosts/process";
import { listen, type Message } from "../../support/adapters/native-plugin";
import { failureOf } from "../support";
import { startEngine } from "./support";

/** `PULUMI_DEBUG_PROVIDERS`: an engine attaches to a plugin that is already running. */

const SERVICE = { provider: "aws", region: "us-east-1", tier: "production" };

test("an engine that attaches gets the messages, and is the one that has to be alive", async () => {
  const engine = await startEngine({ isEngineAlive });
  const messages: Message[] = [];
  const other = await listen(messages);
  const request = new PluginAttach();
  request.setAddress(other.address);
  await engine.call<Empty>((done) => engine.client.attach(request, done));

  const { inputs } = await engine.check("Service", "db", SERVICE);
  expect(messages).toEqual([{ severity: 2, name: "db", text: expect.stringContaining("tier is deprecated.") }]);
  expect(engine.messages).toEqual([]);
  await engine.create("Service", "db", inputs);
  expect(await engine.api.requests()).toHaveLength(1);

  other.close();
  const failure = await failureOf(engine.create("Service", "db", inputs));
  expect(failure.message).toContain("Nothing was created.");
  expect(await engine.api.requests()).toEqual([]);
});
