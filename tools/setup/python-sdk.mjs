import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastLines, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during } from "./report.mjs";
import { root } from "./root.mjs";
import { sdks } from "./sdks.mjs";
import { versions } from "./versions.mjs";

/** Packages to run, type-check and install Python programs and SDKs. */
const PACKAGES = [
  `pulumi==${versions.pulumi.tested}`,
  ...["mypy", "setuptools"].map((name) => `${name}==${versions.pythonTools[name]}`),
];
const environment = join(root, ".cache", "python");
/** Names what was installed completely: a virtual environment cannot be moved to its final place. */
const installed = join(environment, "installed.txt");
const bin = join(environment, process.platform === "win32" ? "Scripts" : "bin");

/** The folder with the programs of a virtual environment that has Pulumi and the generated SDK. Throws why there is none. */
export function ensurePython() {
  return withLock(environment, async () => {
    if (!existsSync(installed) || readFileSync(installed, "utf8") !== PACKAGES.join("\n")) {
      await during("Installing Pulumi for Python", install);
    }
    // Each time: it takes 2 s, and the SDK may have changed.
    await pip("--no-build-isolation", join(sdks, "python"));
    return bin;
  });
}

async function install() {
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(environment, { recursive: true });
  await succeed("python3", ["-m", "venv", environment]);
  // The SDK's own dependency comes now, so that later installations need no network.
  await pip(...PACKAGES, "parver");
  writeFileSync(installed, PACKAGES.join("\n"));
}

const pip = (...args) => succeed(join(bin, "python"), ["-m", "pip", "install", "--quiet", ...args]);

async function succeed(command, args) {
  const result = await run(command, args);
  if (result.code !== 0) throw new Error(`${command} ${args[1]} failed:\n${lastLines(result)}`);
}
