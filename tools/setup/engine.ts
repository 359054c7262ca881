import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { SemVer } from "semver";
import versions from "../../versions.json";
import { withEngine } from "../support/environment";
import { withLock } from "../support/lock";
import { run } from "../support/process";
import { during, SetupError } from "../support/progress";
import { ensureBuild } from "./build";
import { bundleLanguageHost } from "./bundle";
import { goBuild, goModule } from "./go";

const OLDEST_MINOR = Number(versions.pulumi.oldest.split(".")[1]);
const PROGRAMS = ["pulumi", "pulumi-language-nodejs"];
const DYNAMIC = "pulumi-resource-pulumi-nodejs";

/** The folder of a Pulumi engine with its Node language host; installs one if there is none. */
export async function ensureEngine(): Promise<string> {
  return (
    (await installed()) ??
    (await withLock(versionFolder(), async () => (await installed()) ?? installing(install)))
  );
}

/** Builds the packages and installs an engine if necessary. Returns the engine's folder. */
export async function ensureAll(): Promise<string> {
  await ensureBuild();
  return ensureEngine();
}

/** The engine's version, which tests can override. */
const version = () => process.env.CLOUDDB_TEST_ENGINE ?? versions.pulumi.cli;

/** The folder with installed versions, as in Pulumi's own tools. */
export const versionFolder = () =>
  join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", version());

async function installed(): Promise<string | undefined> {
  const others =
    process.env.CLOUDDB_TEST_ENGINE === undefined ? (process.env.PATH ?? "").split(delimiter) : [];
  for (const folder of [...others, join(versionFolder(), "bin")]) {
    if (folder !== "" && (await isSuitable(folder))) return folder;
  }
  return undefined;
}

async function isSuitable(folder: string): Promise<boolean> {
  const suffix = process.platform === "win32" ? ".exe" : "";
  if (!PROGRAMS.every((name) => existsSync(join(folder, name + suffix)))) return false;
  const { stdout } = await run(join(folder, "pulumi"), ["version"], { env: withEngine(folder) });
  return Number(/^v?3\.(\d+)\./.exec(stdout)?.[1]) >= OLDEST_MINOR;
}

/**
 * Installs into a folder beside the final one, so that an interrupted installation never counts as
 * complete.
 */
export async function installing<Value>(
  work: (unfinished: string) => Promise<Value>,
): Promise<Value> {
  const unfinished = `${versionFolder()}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  try {
    return await work(unfinished);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function install(unfinished: string): Promise<string> {
  const bin = join(unfinished, "bin");
  const problem = await download(unfinished);
  if (problem !== undefined) {
    process.stderr.write(
      `Pulumi cannot be downloaded (${problem}); building it from its Go modules instead.\n`,
    );
    rmSync(bin, { recursive: true, force: true });
    await build(unfinished);
  }
  if (!(await isSuitable(bin))) {
    throw new SetupError(
      `Pulumi ${version()} was installed but does not run; install Pulumi yourself.`,
    );
  }
  rmSync(versionFolder(), { recursive: true, force: true });
  renameSync(unfinished, versionFolder());
  return join(versionFolder(), "bin");
}

/** Runs Pulumi's own installer. Returns the reason of a failure. */
async function download(folder: string): Promise<string | undefined> {
  try {
    await fetch("https://get.pulumi.com/install.sh", {
      method: "HEAD",
      signal: AbortSignal.timeout(5000),
    });
    // Imported on use, because the module takes a second to load.
    const { PulumiCommand } = await import("@pulumi/pulumi/automation/index.js");
    await during(`Downloading Pulumi ${version()}`, () =>
      PulumiCommand.install({ root: folder, version: new SemVer(version()) }),
    );
    return undefined;
  } catch (error) {
    const { cause, message } = error as Error & { readonly cause?: { readonly code?: string } };
    return cause?.code ?? message.trim().split("\n").at(-1);
  }
}

/**
 * Builds the engine from its Go modules, bundles a language host, and copies a script from the npm
 * package.
 */
async function build(folder: string): Promise<void> {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  try {
    // The CLI's module expects the SDK's module in the neighboring folder, as in Pulumi's
    // repository.
    for (const name of ["pkg", "sdk"]) {
      const module = `github.com/pulumi/pulumi/${name}/v3@v${version()}`;
      symlinkSync(await goModule(module, folder), join(folder, name), "junction");
    }
    const flags = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version()}`;
    await goBuild("./cmd/pulumi", join(folder, "pkg"), bin, flags);
  } catch (error) {
    throw new SetupError(
      `There is no Pulumi engine, and it cannot be built: ${(error as Error).message}\nInstall Pulumi 3.${OLDEST_MINOR} or newer, or Go ${versions.go} or newer, then try again.`,
    );
  }
  for (const name of ["pkg", "sdk"]) rmSync(join(folder, name));
  await bundleLanguageHost(join(bin, "pulumi-language-nodejs"));
  copyFileSync(
    join(dirname(require.resolve("@pulumi/pulumi/package.json")), DYNAMIC),
    join(bin, DYNAMIC),
  );
  chmodSync(join(bin, DYNAMIC), 0o755);
}
