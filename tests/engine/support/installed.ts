import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { withLock } from "../../../tools/support/lock";
import { root } from "../../support/root";

const run = promisify(execFile);
const { workspaces, dependencies, devDependencies } = require("../../../package.json") as {
  readonly workspaces: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/**
 * Links the packed packages, installed as from a registry, into a folder. They are installed once
 * for the same packages, SDK and Node, by one process at a time.
 */
export async function linkInstalledPackages(target: string): Promise<void> {
  // .ci/sdk-versions asks for other SDKs.
  const sdk = process.env.CLOUDDB_TEST_SDK ?? dependencies["@pulumi/pulumi"] ?? "";
  const folder = join(root, ".cache/installed", `${sdk}-${process.version}`);
  await withLock(folder, async () => {
    const [mark, source] = [join(folder, "source"), hashOfPackages()];
    if (!existsSync(mark) || readFileSync(mark, "utf8") !== source) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
      await install(folder, sdk);
      writeFileSync(mark, source);
    }
    linkFolder(folder, target);
  });
}

/**
 * Copies a folder, so that Node.js looks for packages from the copy. On the same disk, a copy takes
 * no space.
 */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

/** Changes with each file that a package may contain, and with the code that installs them. */
function hashOfPackages(): string {
  const hash = createHash("sha256").update(devDependencies.typescript ?? "");
  const add = (path: string) => {
    if (statSync(path).isDirectory())
      for (const name of readdirSync(path).sort()) add(join(path, name));
    else if (!path.endsWith(".tsbuildinfo")) hash.update(`${path}\n`).update(readFileSync(path));
  };
  for (const workspace of workspaces) {
    const { files } = require(join(root, workspace, "package.json")) as {
      readonly files: readonly string[];
    };
    const packed = files
      .filter((name) => !name.startsWith("!"))
      .map((name) => name.replace(/\/?\*.*$/, ""));
    for (const name of new Set(["package.json", "LICENSE", ...packed]))
      add(join(root, workspace, name));
  }
  for (const name of ["installed.ts", "compile-cache.cjs"]) add(join(__dirname, name));
  return hash.digest("hex").slice(0, 16);
}

async function install(folder: string, sdk: string): Promise<void> {
  const chosen = workspaces.flatMap((name) => ["--workspace", name]);
  const packed = await run("npm", ["pack", "--json", ...chosen, "--pack-destination", folder], {
    cwd: root,
  });
  const tarballs = Object.values(JSON.parse(packed.stdout) as { name: string; filename: string }[]);
  const wanted = {
    "@pulumi/pulumi": sdk,
    typescript: devDependencies.typescript,
    ...Object.fromEntries(tarballs.map(({ name, filename }) => [name, `file:${filename}`])),
  };
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "installed", version: "0.0.0", dependencies: wanted }),
  );
  // The engines are checked strictly: a dependency must not require a newer Node than the packages
  // support.
  const flags = [
    "--engine-strict",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
  ];
  await run("npm", ["install", ...flags], { cwd: folder });
  await makeCompileCache(folder);
}

/**
 * Compiles what the engine's Node processes load once, because their start takes most of the time
 * of these tests.
 */
async function makeCompileCache(folder: string): Promise<void> {
  const cache = join(folder, "compile-cache");
  mkdirSync(cache);
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
  const env = { ...process.env, CLOUDDB_COMPILE_CACHE: cache, CLOUDDB_COMPILE_CACHE_WRITE: "1" };
  const program = loaded.map((name) => `require(${JSON.stringify(name)});`).join("");
  await run(process.execPath, ["--require", preload, "-e", `${program}process.exit()`], {
    cwd: folder,
    env,
  });
}
