import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import manifest from "../../../provider/package.json";
import { serve } from "../../support/local-server";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { blockBehind } from "../../support/workflow";
import {
  expectFailure,
  expectOk,
  newStack,
  newStackWithoutPlugin,
  pluginPath,
  simulated,
  testHome,
} from "../support/stack";

/** The plugin's folder of the npm package, alone with Node. */

const { version } = manifest;
const place = temporaryFolder("plugin");
const [folder, path, cache] = [join(place, "plugin"), join(place, "path"), join(place, "cache")];

beforeAll(() => {
  cpSync(pluginPath(), folder, { recursive: true });
  mkdirSync(path);
  symlinkSync(process.execPath, join(path, "node"));
});

/**
 * Starts the plugin as the engine does, ends it once it has printed something, and returns all its
 * output.
 */
function start(
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  launcher = join(folder, "pulumi-resource-clouddb"),
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const env = { PATH: path, NODE_PATH: "", PULUMI_HOME: cache, ...environment };
  return new Promise((resolve) => {
    const child = execFile(launcher, args, { cwd: place, env }, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
    child.stdout?.once("data", () => child.kill());
  });
}

test("the plugin has a launcher for each platform, and no path of the build machine", () => {
  const files = readdirSync(folder);
  expect(files).toEqual(
    expect.arrayContaining(["pulumi-resource-clouddb", "pulumi-resource-clouddb.cmd"]),
  );
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const machine of [root, `${homedir()}/`, testHome()])
      expect(text.includes(machine)).toBe(false);
  }
});

test("the plugin starts through a symbolic link, such as a link in a folder on PATH", async () => {
  const [link, other] = [
    join(path, "pulumi-resource-clouddb"),
    join(place, "pulumi-resource-clouddb"),
  ];
  symlinkSync("../plugin/pulumi-resource-clouddb", link);
  symlinkSync(link, other);
  const environment = { PATH: `${path}:${process.env.PATH}` };
  for (const launcher of [link, other]) {
    expect(await start(["--version"], environment, launcher)).toMatchObject({
      stdout: `${version}\n`,
      stderr: "",
    });
  }
});

test("the plugin prints only its port if the engine starts it", async () => {
  const { stdout, stderr } = await start(["--logtostderr", "-v=3", "127.0.0.1:1"]);
  expect([stdout, stderr]).toEqual([expect.stringMatching(/^\d+\n$/), ""]);
});

test("the plugin explains its purpose if a user starts it", async () => {
  expect(await start(["--version"])).toMatchObject({ stdout: `${version}\n`, stderr: "" });
  const usage = expect.stringContaining("Pulumi starts this plugin automatically.");
  expect(await start(["--help"])).toMatchObject({ stdout: usage, stderr: "" });
  const { stdout, stderr } = await start([]);
  expect(stderr).toContain(`PULUMI_DEBUG_PROVIDERS=clouddb:${stdout.trim()}`);
});

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const withFlush = major > 22 || (major === 22 && minor >= 10) ? test : test.skip;

withFlush("a plugin that a signal ends leaves its compiled code for later starts", async () => {
  rmSync(cache, { recursive: true, force: true });
  await start([]);
  const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(files.length).toBeGreaterThan(0);
});

test.each([
  ["without Node", { PATH: "" }, "no node on PATH"],
  [
    "with a Node that is too old",
    { NODE_OPTIONS: `--require ${join(place, "older.cjs")}` },
    "is 18\\.20\\.8",
  ],
])("%s, the plugin names the required version in one sentence", async (_, environment, reason) => {
  writeFileSync(
    join(place, "older.cjs"),
    'Object.defineProperty(process, "versions", { value: { node: "18.20.8" } });',
  );
  const { code, stderr } = await start(["127.0.0.1:1"], environment);
  expect([code, stderr]).toEqual([1, expect.stringMatching(`^Cannot start .* ${reason}\\. .*\n$`)]);
});

test("the plugin lists its bundled packages with their licenses", () => {
  const licenses = readFileSync(join(folder, "LICENSES.txt"), "utf8");
  for (const name of ["@grpc/grpc-js", "google-protobuf", "ioredis", "zod"]) {
    expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\([^\n]+\\)\n\n.{100}`, "ms"));
  }
});

const DOWNLOAD_URL = "github://api.github.com/pulumi-clouddb/pulumi-clouddb";

/**
 * The archives of `npm run plugin`, downloaded as from a release by a user who has no npm package.
 */
test("an archive is downloaded, installed, names its source and serves a program", async () => {
  const api = await simulated();
  const stack = await newStackWithoutPlugin(api);
  const archives = join(stack.folder, "archives");
  const plugin = ["plugin", "--output", archives];
  for (const options of [plugin, [...plugin, "--executable"]])
    await expectOk(stack.command("node", join(root, "tools/setup.mjs"), ...options));
  const own = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const platforms = ["darwin-amd64", own, "node", "windows-arm64"];
  expect(readdirSync(archives)).toEqual([
    "clouddb-policies",
    ...platforms.map((platform) => `pulumi-resource-clouddb-v${version}-${platform}.tar.gz`),
  ]);

  const server = createServer(({ url = "" }, response) => {
    response.end(readFileSync(join(archives, basename(url))));
  });
  const address = `http://127.0.0.1:${await serve(server)}`;
  stack.environment({
    PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES: `github.com/pulumi-clouddb/.*=${address}`,
  });
  await stack.pulumi(
    "plugin",
    "install",
    "resource",
    "clouddb",
    `v${version}`,
    "--server",
    DOWNLOAD_URL,
  );
  const schema = await stack.pulumi("package", "get-schema", "clouddb");
  expect(JSON.parse(schema)).toMatchObject({
    name: "clouddb",
    version,
    pluginDownloadURL: DOWNLOAD_URL,
  });

  const step = blockBehind(".github/workflows/ci.yml", "- name: Install the plugin, and start it");
  expect(await expectOk(stack.command("bash", "-e", "-o", "pipefail", "-c", step))).toContain(
    `"version": "${version}"`,
  );

  stack.program(
    `new pulumi.CustomResource("clouddb:index:Service", "db", { provider: "aws", region: "us-east-1", numReplicas: 3 });`,
  );
  await stack.up();
  expect(await api.requestNames()).toEqual(["POST /services"]);
  expect(await stack.preview()).toContain("2 unchanged");
});

/**
 * Pulumi downloads the plugin of each package that has the field `pulumi`, for programs that do not
 * use it, too.
 */
test("a program that uses the npm package does not download the plugin", async () => {
  const stack = await newStack(await simulated());
  // The language host looks for packages in the folder of the program.
  writeFileSync(join(stack.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
  const folder = join(stack.folder, "node_modules", manifest.name);
  mkdirSync(folder, { recursive: true });
  const installWith = (content: object) => {
    writeFileSync(join(folder, "package.json"), JSON.stringify(content));
    return stack.pulumi("install", "--no-dependencies");
  };
  expect(await installWith(manifest)).not.toContain("clouddb");
  // Nothing listens on the port of this server.
  const pulumi = { resource: true, name: "clouddb", server: "http://127.0.0.1:9" };
  expect(await expectFailure(installWith({ ...manifest, pulumi }))).toContain(
    "failed to download plugin: clouddb-",
  );
});
