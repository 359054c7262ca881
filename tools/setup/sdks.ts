import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import versions from "../../versions.json";
import { allResources, isCreated } from "../generate/tables";
import { withLock } from "../support/lock";
import { lastLines, run } from "../support/process";
import { during } from "../support/progress";
import { root } from "../support/repository";
import { go } from "./go";

export const sdks = join(root, "sdks");

/** Packages to run, type-check and install Python programs and SDKs. */
const PACKAGES = [
  `pulumi==${versions.pulumi.tested}`,
  ...(["mypy", "setuptools"] as const).map((name) => `${name}==${versions.pythonTools[name]}`),
];
const environment = join(root, ".cache", "python");
/** Names what was installed completely: a virtual environment cannot be moved to its final place. */
const installed = join(environment, "installed.txt");
const bin = join(environment, process.platform === "win32" ? "Scripts" : "bin");

/** Generates the SDKs from the schema, with the generators of Pulumi's Go modules. */
export async function generateSdks(): Promise<void> {
  const created = allResources.filter(([, { definition }]) => isCreated(definition)).map(([name]) => name);
  const [schema, { tested }] = [join(root, "provider/schema.json"), versions.pulumi];
  const args = ["run", "-mod=readonly", ".", schema, sdks, tested, ...created];
  await withLock(join(root, ".cache", "sdks"), async () => {
    await go("Generating SDKs (a minute the first time)", join(root, "tools/sdks"), args);
    await go("Locking the dependencies of the SDK for Go", join(sdks, "go/clouddb"), ["mod", "tidy"]);
  });
}

/** The folder with the programs of a virtual environment that has Pulumi and the generated SDK. Throws why there is none. */
export function ensurePython(): Promise<string> {
  return withLock(environment, async () => {
    if (!existsSync(installed) || readFileSync(installed, "utf8") !== PACKAGES.join("\n")) {
      await during("Installing Pulumi for Python", install);
    }
    // Each time: it takes 2 s, and the SDK may have changed.
    await pip("--no-build-isolation", join(sdks, "python"));
    return bin;
  });
}

async function install(): Promise<void> {
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(environment, { recursive: true });
  await succeed("python3", ["-m", "venv", environment]);
  // The SDK's own dependency comes now, so that later installations need no network.
  await pip(...PACKAGES, "parver");
  writeFileSync(installed, PACKAGES.join("\n"));
}

const pip = (...args: string[]) => succeed(join(bin, "python"), ["-m", "pip", "install", "--quiet", ...args]);

async function succeed(command: string, args: readonly string[]): Promise<void> {
  const result = await run(command, args);
  if (result.code !== 0) throw new Error(`${command} ${args[1]} failed:\n${lastLines(result)}`);
}
