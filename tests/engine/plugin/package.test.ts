import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import * as grpc from "@grpc/grpc-js";
import type { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { root } from "../../support/root";
import { testHome } from "../support/stack";

/** The plugin's folder of the npm package, alone with Node. */

const schema = JSON.parse(readFileSync(join(root, "provider/schema.json"), "utf8"));
const place = mkdtempSync(join(tmpdir(), "clouddb-plugin-"));
const [folder, path, cache] = [join(place, "plugin"), join(place, "path"), join(place, "cache")];

const running: ChildProcess[] = [];

beforeAll(() => {
  cpSync(join(testHome(), "node_modules/pulumi-clouddb/native-plugin"), folder, { recursive: true });
  mkdirSync(path);
  symlinkSync(process.execPath, join(path, "node"));
});
afterAll(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(place, { recursive: true, force: true });
});

/** Starts the plugin as the engine does, ends it after the use of what it has printed, and returns all its output. */
function start(
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  use: (printed: string) => Promise<void> = async () => {},
  launcher = join(folder, "pulumi-resource-clouddb"),
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { PATH: path, NODE_PATH: "", PULUMI_HOME: cache, ...environment };
  const child = spawn(launcher, args, { cwd: place, env });
  running.push(child);
  const output = { stdout: "", stderr: "" };
  return new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      output.stderr += chunk;
    });
    child.stdout.on("data", (chunk) => {
      output.stdout += chunk;
      use(output.stdout)
        .catch(reject)
        .finally(() => child.kill());
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...output }));
  });
}

test("the plugin has what each platform starts, and no path of this machine", () => {
  const files = readdirSync(folder);
  expect(files).toEqual(expect.arrayContaining(["pulumi-resource-clouddb", "pulumi-resource-clouddb.cmd"]));
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const machine of [root, `${homedir()}/`, testHome()]) expect(text.includes(machine)).toBe(false);
  }
});

test("the plugin serves its schema and version without node_modules", async () => {
  const { stdout, stderr } = await start(["--logtostderr", "-v=3", "127.0.0.1:1"], {}, async (port) => {
    const client = new ResourceProviderClient(`127.0.0.1:${port.trim()}`, grpc.credentials.createInsecure());
    const info = await call<PluginInfo>((done) => client.getPluginInfo(new Empty(), done));
    const told = await call<proto.GetSchemaResponse>((done) => client.getSchema(new proto.GetSchemaRequest(), done));
    client.close();
    expect(info.getVersion()).toBe(schema.version);
    expect(JSON.parse(told.getSchema())).toEqual(schema);
  });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^\d+\n$/), stderr: "" });
});

function call<Response>(send: (done: (error: Error | null, response: Response) => void) => unknown): Promise<Response> {
  return new Promise((resolve, reject) => {
    send((error, response) => (error ? reject(error) : resolve(response)));
  });
}

test("the plugin starts through a symbolic link, such as one in a folder on PATH", async () => {
  const [link, other] = [join(path, "pulumi-resource-clouddb"), join(place, "pulumi-resource-clouddb")];
  symlinkSync("../plugin/pulumi-resource-clouddb", link);
  symlinkSync(link, other);
  const environment = { PATH: `${path}:${process.env.PATH}` };
  for (const launcher of [link, other]) {
    expect(await start(["--version"], environment, undefined, launcher)).toMatchObject({
      stdout: `${schema.version}\n`,
      stderr: "",
    });
  }
});

test("the plugin, started by hand, says what it is for", async () => {
  expect(await start(["--version"])).toMatchObject({ stdout: `${schema.version}\n`, stderr: "" });
  const usage = expect.stringContaining("Pulumi starts this plugin automatically.");
  expect(await start(["--help"])).toMatchObject({ stdout: usage, stderr: "" });
  const { stdout, stderr } = await start([]);
  expect(stderr).toContain(`PULUMI_DEBUG_PROVIDERS=clouddb:${stdout.trim()}`);
});

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const withFlush = major > 22 || (major === 22 && minor >= 10) ? test : test.skip;

withFlush("leaves its compiled code for later starts, though a signal ends it", async () => {
  rmSync(cache, { recursive: true, force: true });
  await start([]);
  const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(0);
});

describe("says in one sentence which Node it needs", () => {
  test("without Node, the plugin says in one sentence which version it needs", async () => {
    const { code, stderr } = await start(["127.0.0.1:1"], { PATH: "" });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Cannot start .* no node on PATH\. .*\n$/),
    });
  });

  test("with a Node that is too old, the plugin says in one sentence which version it needs", async () => {
    const older = join(place, "older.cjs");
    writeFileSync(older, 'Object.defineProperty(process, "versions", { value: { node: "18.20.8" } });');
    const { code, stderr } = await start(["127.0.0.1:1"], { NODE_OPTIONS: `--require ${older}` });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Cannot start .* is 18\.20\.8\. .*\n$/),
    });
  });
});
