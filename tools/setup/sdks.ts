import type { SpawnOptions } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { create } from "tar";
import { version } from "../../provider/package.json";
import versions from "../../versions.json";
import { allResources, isCreatable } from "../generate/tables";
import { withLock } from "../support/lock";
import { lastLines, run } from "../support/process";
import { during } from "../support/progress";
import { root } from "../support/repository";
import { go } from "./go";
import { ensurePythonPackages, pinned } from "./python";

export const sdks = join(root, "sdks");

/** Packages to run, type-check and install Python programs and SDKs. */
const PACKAGES = [
  `pulumi==${versions.pulumi.sdks}`,
  pinned("mypy"),
  pinned("setuptools"),
  // The SDK's own dependency, so that its installation needs no network.
  "parver",
];

/** Generates the SDKs from the schema, with the generators of Pulumi's Go modules. */
export async function generateSdks(): Promise<void> {
  const created = allResources
    .filter(([, { definition }]) => isCreatable(definition))
    .map(([name]) => name);
  const [schema, pulumi] = [join(root, "provider/schema.json"), versions.pulumi];
  const args = ["run", "-mod=readonly", ".", schema, sdks, pulumi.sdks, pulumi.java, ...created];
  await withLock(join(root, ".cache", "sdks"), async () => {
    await go("Generating SDKs (a few minutes the first time)", join(root, "tools/sdks"), args);
    await go("Locking the dependencies of the SDK for Go", join(sdks, "go/clouddb"), [
      "mod",
      "tidy",
    ]);
  });
}

/**
 * The programs' folder of a Python environment with Pulumi and the generated SDK. Throws the reason
 * of a failure.
 */
export async function ensurePython(): Promise<string> {
  const bin = await ensurePythonPackages("python", PACKAGES);
  // Installed each time, because the SDK may have changed, and it takes only 2 s.
  const install = ["-m", "pip", "install", "--quiet", "--no-build-isolation", join(sdks, "python")];
  await withLock(join(root, ".cache", "python-sdk"), () => succeed(join(bin, "python"), install));
  return bin;
}

/**
 * Installs the SDK for Java into a Maven repository; returns Maven's option for it. Throws the
 * reason of a failure.
 */
export async function ensureJava(): Promise<string> {
  const repository = `-Dmaven.repo.local=${join(root, ".cache", "maven")}`;
  await withLock(join(root, ".cache", "maven"), () =>
    during("Building the SDK for Java", () => maven("install", repository)),
  );
  return repository;
}

/** Writes a release's files, which users install without Go or a clone. Returns their paths. */
export async function packSdks(folder: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  for (const pack of [packPython, packGo, packJava]) await pack(folder);
  return readdirSync(folder).map((name) => join(folder, name));
}

export async function packPython(folder: string): Promise<void> {
  const bin = await ensurePython();
  const build = `from setuptools.build_meta import build_sdist, build_wheel; [build(${JSON.stringify(folder)}) for build in (build_sdist, build_wheel)]`;
  await succeed(join(bin, "python"), ["-c", build], { cwd: join(sdks, "python") });
}

export async function packGo(folder: string): Promise<void> {
  const file = join(folder, `pulumi-clouddb-sdk-go-${version}.tar.gz`);
  await create({ file, cwd: join(sdks, "go"), gzip: true, portable: true, mtime: new Date(0) }, [
    "clouddb",
  ]);
}

export async function packJava(folder: string): Promise<void> {
  await maven("package");
  const [java, name] = [join(sdks, "java"), `clouddb-${version}`];
  copyFileSync(join(java, "target", `${name}.jar`), join(folder, `${name}.jar`));
  copyFileSync(join(java, "pom.xml"), join(folder, `${name}.pom`));
}

const maven = (...args: string[]) =>
  succeed("mvn", ["--batch-mode", "--quiet", ...args], { cwd: join(sdks, "java") });

async function succeed(
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<void> {
  const result = await run(command, args, options);
  if (result.code !== 0) throw new Error(`${command} ${args[1]} failed:\n${lastLines(result)}`);
}
