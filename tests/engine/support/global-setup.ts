import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(__dirname, "../../..");

interface Manifest {
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly workspaces: readonly string[];
}

/** Creates a user's folder, with the packed packages installed as from a registry. */
export default async function globalSetup(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "clouddb-engine-"));
  process.env.CLOUDDB_TEST_HOME = home;
  if (!existsSync(join(root, "provider/dist"))) throw new Error("No build found; run `npm test`, which builds first.");
  const { dependencies, devDependencies, workspaces } = require("../../../package.json") as Manifest;
  await run("npm", ["pack", "--workspaces", "--pack-destination", home], { cwd: root });
  const files = await readdir(home);
  const packages = workspaces.map((folder) => require(`../../../${folder}/package.json`).name as string);
  const tarballs = packages.map((name) => [
    name,
    `file:${files.find((file) => new RegExp(`^${name}-\\d`).test(file))}`,
  ]);
  const wanted = {
    // scripts/versions.mjs asks for others.
    "@pulumi/pulumi": process.env.CLOUDDB_TEST_SDK ?? dependencies["@pulumi/pulumi"],
    typescript: devDependencies.typescript,
    ...Object.fromEntries(tarballs),
  };
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true, dependencies: wanted }));
  // Strict: a dependency must not require a newer Node than the packages support.
  const flags = ["--engine-strict", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm", ["install", ...flags], { cwd: home });
  await Promise.all([makeTemplate(join(home, "template")), makeCompileCache(home)]);
}

/** Compiles what the engine's Node processes load once, because their start takes most of the time of these tests. */
async function makeCompileCache(home: string): Promise<void> {
  const folder = join(home, "compile-cache");
  mkdirSync(folder);
  const loaded = [
    "source-map-support/register",
    "minimist",
    "ini",
    "require-from-string",
    "@opentelemetry/exporter-zipkin",
    "@opentelemetry/instrumentation-grpc",
    "@opentelemetry/sdk-trace-node",
    "@pulumi/pulumi",
    "@pulumi/pulumi/runtime/stack",
    "pulumi-clouddb",
    "pulumi-clouddb/native",
    "pulumi-clouddb/runtime",
    "pulumi-clouddb-policies",
  ];
  const preload = join(__dirname, "compile-cache.cjs");
  const env = { ...process.env, CLOUDDB_COMPILE_CACHE: folder, CLOUDDB_COMPILE_CACHE_WRITE: "1" };
  const program = loaded.map((name) => `require(${JSON.stringify(name)});`).join("");
  await run(process.execPath, ["--require", preload, "-e", `${program}process.exit()`], { cwd: home, env });
  process.env.CLOUDDB_COMPILE_CACHE = folder;
}

/** A project with an empty stack, once: each test begins with a copy. */
async function makeTemplate(folder: string): Promise<void> {
  mkdirSync(join(folder, "state"), { recursive: true });
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nmain: index.js\n",
  );
  const env = {
    ...process.env,
    PULUMI_HOME: `${folder}-home`,
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  await run("pulumi", ["stack", "init", "dev", "--non-interactive"], { cwd: folder, env });
}
