import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { entryText } from "../../../provider/names";
import { createEngineRequests } from "../../support/adapters/engine-requests";
import { listen } from "../../support/free-port";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";

/** The processes that an engine leaves behind when it is killed. */

const PLUGINS = {
  native: [join(root, "provider/dist/hosts/plugin/main.js")],
  dynamic: ["-e", 'require("@pulumi/pulumi/cmd/dynamic-provider")', "--", "dynamic-provider"],
};
let folder: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  folder = temporaryFolder("orphan");
  // Shortens the plugin's intervals: a minute becomes a tenth of a second.
  const text = "const { setInterval } = globalThis; globalThis.setInterval = (act, ms) => setInterval(act, ms / 600);";
  writeFileSync(join(folder, "soon.cjs"), text);
});
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill("SIGKILL");
});

test.each(["native", "dynamic"] as const)("the %s plugin ends after its engine", async (adapter) => {
  const engine = createServer((socket) => socket.destroy());
  const address = `127.0.0.1:${await listen(engine)}`;
  const args = ["--require", join(folder, "soon.cjs"), ...PLUGINS[adapter], address];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [port] = await once(child.stdout, "data");
  const client = new ResourceProviderClient(`127.0.0.1:${String(port).trim()}`, grpc.credentials.createInsecure());
  const requests = createEngineRequests(client);
  await requests.configure({});
  // The dynamic provider loads the runtime with its first resource.
  const urn = "urn:pulumi:dev::test::pulumi-nodejs:dynamic/clouddb:ServiceScaling::size";
  const size = { __provider: entryText("ServiceScaling"), __resourceName: "size", __urn: urn, serviceId: "x" };
  const { failures } = await requests.check("ServiceScaling", "size", size);
  expect(failures.length).toBeGreaterThan(0);
  expect(child.exitCode).toBeNull();
  client.close();
  engine.close();
  const [code] = await once(child, "exit");
  expect(code).toBe(0);
});
