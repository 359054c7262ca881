import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { entryText } from "../../../provider/names";
import { createEngineRequests } from "../../support/adapters/engine-requests";
import { listen as listenAsEngine } from "../../support/adapters/native";
import { simulated } from "../../support/api";
import { serve } from "../../support/local-server";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { environmentFor, failureOf, loseResponse } from "../support";

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
  "the %s plugin exits after its engine",
  async (adapter) => {
    const engine = createServer((socket) => socket.destroy());
    const address = `127.0.0.1:${await serve(engine)}`;
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
test("a refusal names the plugin's own command that discards the record", async () => {
  const executable = join(root, "provider/native-plugin/pulumi-resource-clouddb");
  const api = await simulated();
  const engine = await listenAsEngine([]);
  const folder = temporaryFolder("executable");
  const env = {
    PATH: process.env.PATH,
    PULUMI_HOME: folder,
    ...environmentFor(api),
    CLOUDDB_JOURNAL: folder,
  };
  const { client, requests } = await start(executable, [engine.address], env);
  await api.faults(loseResponse("POST"));
  const inputs = {
    name: "orders",
    provider: "aws",
    region: "us-east-1",
    organizationId: api.organizationId,
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
});

/** Where the plugin's launcher keeps compiled code: Node.js runs what it finds there. */

const place = temporaryFolder("launcher");
const launcher = join(place, "start.cjs");
const preload = join(place, "preload.cjs");
copyFileSync(join(root, "provider/hosts/plugin/launcher/start.cjs"), launcher);
writeFileSync(join(place, "plugin.cjs"), 'console.log("plugin");');
// Stands in for the compile cache, which Node.js 20 does not have.
writeFileSync(
  preload,
  `require("node:module").enableCompileCache = (...args) => console.log(JSON.stringify(args));
   const owner = process.env.OTHER_USER;
   if (owner) process.getuid = () => Number(owner);`,
);

let home: string;
let cache: string;
beforeEach(() => {
  home = temporaryFolder("launcher-home");
  cache = join(home, "clouddb-compile-cache");
});

/**
 * The effect of the launcher: the arguments with which it enables the cache, and what the plugin
 * prints.
 */
function launch(environment: Record<string, string> = {}): string[] {
  const env = {
    PATH: process.env.PATH,
    NODE_OPTIONS: `--require ${preload}`,
    PULUMI_HOME: home,
    ...environment,
  };
  return execFileSync(process.execPath, [launcher], { env, encoding: "utf8" }).trim().split("\n");
}
const withCache = (folder: string) => [JSON.stringify([folder]), "plugin"];

test("the compile cache is a private folder in Pulumi's home", () => {
  expect(launch()).toEqual(withCache(cache));
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(launch()).toEqual(withCache(cache));
});

test("the compile cache is in the user's home by default", () => {
  expect(launch({ PULUMI_HOME: "", HOME: home })).toEqual(
    withCache(join(home, ".pulumi/clouddb-compile-cache")),
  );
});

test.each([0o777, 0o755, 0o710, 0o701])(
  "the compile cache is not used if others have access: %o",
  (mode) => {
    mkdirSync(cache);
    chmodSync(cache, mode);
    expect(launch()).toEqual(["plugin"]);
  },
);

test.each<[string, (elsewhere: string) => void, Record<string, string>]>([
  ["somebody else made it", () => launch(), { OTHER_USER: "4711" }],
  ["it leads elsewhere", (elsewhere) => symlinkSync(elsewhere, cache), {}],
  ["a file is in its place", () => writeFileSync(cache, ""), {}],
  ["Pulumi's home cannot be made", () => writeFileSync(cache, ""), { PULUMI_HOME: "CACHE/below" }],
])("the plugin starts without the compile cache if %s", (_, prepare, environment) => {
  prepare(temporaryFolder("elsewhere"));
  const variables = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace("CACHE", cache),
  ]);
  expect(launch(Object.fromEntries(variables))).toEqual(["plugin"]);
});

test("the compile cache is in the folder that the environment names", () => {
  expect(launch({ NODE_COMPILE_CACHE: join(home, "own") })).toEqual(["plugin"]);
  expect(() => statSync(cache)).toThrow("ENOENT");
});
