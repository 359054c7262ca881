import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { entryText } from "../../../provider/names";
import { startSimulator } from "../../../simulator/index";
import { createEngineRequests } from "../../support/adapters/engine-requests";
import { listen as listenAsEngine } from "../../support/adapters/native";
import { createTestApi } from "../../support/api";
import { listen } from "../../support/local-server";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { environmentFor, failureOf } from "../support";

/** The plugins as processes of their own. */

const PLUGINS = {
  native: [join(root, "provider/dist/hosts/plugin/main.js")],
  dynamic: ["-e", 'require("@pulumi/pulumi/cmd/dynamic-provider")', "--", "dynamic-provider"],
};
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
});

/** Starts a plugin, and configures it as the engine does. */
async function start(command: string, args: readonly string[], env = process.env) {
  const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [port] = await once(child.stdout, "data");
  const client = new ResourceProviderClient(
    `127.0.0.1:${String(port).trim()}`,
    grpc.credentials.createInsecure(),
  );
  const requests = createEngineRequests(client);
  await requests.configure({});
  return { child, client, requests };
}

test.each(["native", "dynamic"] as const)(
  "the %s plugin ends after its engine",
  async (adapter) => {
    const engine = createServer((socket) => socket.destroy());
    const address = `127.0.0.1:${await listen(engine)}`;
    const soon = join(temporaryFolder("orphan"), "soon.cjs");
    // Shortens the plugin's intervals: a minute becomes a tenth of a second.
    const text =
      "const { setInterval } = globalThis; globalThis.setInterval = (act, ms) => setInterval(act, ms / 600);";
    writeFileSync(soon, text);
    const args = ["--require", soon, ...PLUGINS[adapter], address];
    const { child, client, requests } = await start(process.execPath, args);
    // The dynamic provider loads the runtime with its first resource.
    const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/clouddb:ServiceScaling::size";
    const size = {
      __provider: entryText("ServiceScaling"),
      __resourceName: "size",
      __urn: urn,
      serviceId: "x",
    };
    const { failures } = await requests.check("ServiceScaling", "size", size);
    expect(failures.length).toBeGreaterThan(0);
    expect(child.exitCode).toBeNull();
    client.close();
    engine.close();
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  },
);

// Programs in other languages have no package with the command.
test("a refusal names a command of the plugin's executable, which discards the record", async () => {
  const executable = join(root, "provider/native-plugin/pulumi-resource-clouddb");
  const simulator = await startSimulator();
  const engine = await listenAsEngine([]);
  const folder = temporaryFolder("executable");
  const env = {
    PATH: process.env.PATH,
    PULUMI_HOME: folder,
    ...environmentFor(simulator),
    CLOUDDB_JOURNAL: folder,
  };
  const { client, requests } = await start(executable, [engine.address], env);
  await createTestApi(simulator).faults({
    method: "POST",
    effect: { kind: "reset", when: "after" },
  });
  const inputs = {
    name: "orders",
    provider: "aws",
    region: "us-east-1",
    organizationId: simulator.organizationId,
  };
  const { message } = await failureOf(requests.create("Service", "orders", inputs));
  const [record] = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const command = `${executable} creations discard ${record?.replace(".json", "")} --journal ${folder}`;
  expect(message).toContain(`run \`${command}\``);
  expect(execFileSync("sh", ["-c", command], { env, encoding: "utf8" })).toContain(
    'Discarded the record of "orders".',
  );
  expect(readdirSync(folder)).not.toContain(record);
  client.close();
  engine.close();
  await simulator.close();
});
