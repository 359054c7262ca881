import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { startSimulator } from "../../../simulator/index";
import { createEngineRequests } from "../../support/adapters/engine-requests";
import { listen } from "../../support/adapters/native-plugin";
import { createTestApi } from "../../support/api";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { environmentFor, failureOf } from "../support";

/** The plugin's executable as the command that messages name: programs in other languages have no package. */

const executable = join(root, "provider/native-plugin/pulumi-resource-clouddb");
let plugin: ChildProcess | undefined;
afterAll(() => plugin?.kill());

test("a refusal names a command of the plugin's executable, which discards the record", async () => {
  const simulator = await startSimulator();
  const engine = await listen([]);
  const folder = temporaryFolder("executable");
  const env = { PATH: process.env.PATH, PULUMI_HOME: folder, ...environmentFor(simulator), CLOUDDB_JOURNAL: folder };
  plugin = spawn(executable, [engine.address], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(plugin.stdout as NodeJS.ReadableStream, "data");
  const client = new ResourceProviderClient(`127.0.0.1:${String(port).trim()}`, grpc.credentials.createInsecure());
  const requests = createEngineRequests(client);
  await requests.configure({});
  await createTestApi(simulator).faults({ method: "POST", effect: { kind: "reset", when: "after" } });
  const inputs = { name: "orders", provider: "aws", region: "us-east-1", organizationId: simulator.organizationId };
  const { message } = await failureOf(requests.create("Service", "orders", inputs));
  const [record] = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const command = `${executable} creations discard ${record?.replace(".json", "")} --journal ${folder}`;
  expect(message).toContain(`run \`${command}\``);
  expect(execFileSync("sh", ["-c", command], { env, encoding: "utf8" })).toContain('Discarded the record of "orders".');
  expect(readdirSync(folder)).not.toContain(record);
  client.close();
  engine.close();
  await simulator.close();
});
