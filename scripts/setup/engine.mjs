import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { lastLines, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during, SetupError } from "./report.mjs";
import { root } from "./root.mjs";

const PARTS = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs", "pulumi-analyzer-policy"];
const OLDEST = [3, 216];
/** A network that says nothing for this long says no. */
const NETWORK_PATIENCE_MS = 5000;

/** The folder with a Pulumi engine and its Node language host; it is made where there is none. */
export async function ensureEngine() {
  return (await onPath()) ?? (await cached()) ?? (await withLock(`${versionFolder()}.lock`, made));
}

/** The environment in which a command finds that engine first. */
export function withEngine(folder, environment = process.env) {
  return {
    ...environment,
    PATH: `${folder}${delimiter}${environment.PATH}`,
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

/** The engine goes with the SDK that programs are run with. */
function wantedVersion() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies["@pulumi/pulumi"];
}

/** Where Pulumi's own tools keep installed versions, too. */
function versionFolder() {
  return join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", wantedVersion());
}

async function onPath() {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    if (folder !== "" && (await isSuitable(folder))) return folder;
  }
  return undefined;
}

async function cached() {
  const folder = join(versionFolder(), "bin");
  return (await isSuitable(folder)) ? folder : undefined;
}

async function isSuitable(folder) {
  if (!PARTS.every((part) => existsSync(join(folder, part)) || existsSync(join(folder, `${part}.exe`)))) return false;
  const { code, stdout } = await run(join(folder, "pulumi"), ["version"], {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
  });
  const [major, minor] = stdout.trim().replace(/^v/, "").split(".").map(Number);
  return code === 0 && major === OLDEST[0] && minor >= OLDEST[1];
}

/** Makes the folder under a temporary name: one that is interrupted leaves nothing that looks whole. */
async function made() {
  const already = await cached();
  if (already !== undefined) return already;
  const target = versionFolder();
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, "bin"), { recursive: true });
  try {
    const whyNot = await downloaded(unfinished);
    if (whyNot !== undefined) await built(join(unfinished, "bin"), whyNot);
    if (!(await isSuitable(join(unfinished, "bin")))) {
      throw new SetupError("The Pulumi engine was made and does not run; install Pulumi yourself and put it on PATH.");
    }
    rmSync(target, { recursive: true, force: true });
    renameSync(unfinished, target);
    return join(target, "bin");
  } catch (error) {
    if (error.code === "ENOSPC") {
      throw new SetupError(
        `There is no room for the Pulumi engine in ${dirname(target)}: free about 3 GB and run it again.`,
      );
    }
    throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Fetches Pulumi's own release; answers why that was not possible. */
async function downloaded(folder) {
  const os = { linux: "linux", darwin: "darwin" }[process.platform];
  const cpu = { x64: "x64", arm64: "arm64" }[process.arch];
  if (!os || !cpu) return `there is no release for ${process.platform} ${process.arch} that this script can unpack`;
  const url = `https://get.pulumi.com/releases/sdk/pulumi-v${wantedVersion()}-${os}-${cpu}.tar.gz`;
  const archive = join(folder, "release.tar.gz");
  try {
    await during(`downloading Pulumi ${wantedVersion()}`, async () => {
      const patience = new AbortController();
      const timer = setTimeout(() => patience.abort(), NETWORK_PATIENCE_MS);
      const response = await fetch(url, { signal: patience.signal });
      clearTimeout(timer);
      if (!response.ok) throw new Error(`it answered ${response.status}`);
      writeFileSync(archive, Buffer.from(await response.arrayBuffer()));
    });
  } catch (error) {
    return `its download cannot be reached (${error.cause?.code ?? error.name})`;
  }
  const unpacked = await run("tar", ["-xzf", archive, "--strip-components=1", "-C", join(folder, "bin")]);
  rmSync(archive, { force: true });
  return unpacked.code === 0 ? undefined : "its archive could not be unpacked";
}

/** Builds the engine from its Go modules, and takes its two scripts from the npm package. */
async function built(bin, whyNot) {
  const go = await run("go", ["version"]);
  if (go.code !== 0) {
    throw new SetupError(
      `Pulumi is not installed, ${whyNot}, and there is no Go to build it with: install Pulumi (any 3.x from ${OLDEST.join(".")} on) or Go 1.24, and run it again.`,
    );
  }
  for (const [name, source] of [
    ["pulumi", "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"],
    ["pulumi-language-nodejs", "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"],
  ]) {
    const version = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${wantedVersion()}`;
    const args = ["build", "-mod=readonly", "-trimpath", "-ldflags", `-s -w ${version}`, "-o", join(bin, name), source];
    const result = await during(`building ${name} from its Go modules, once for this machine (minutes)`, () =>
      run("go", args, { cwd: join(root, "scripts", "engine", name), env: { ...process.env, CGO_ENABLED: "0" } }),
    );
    if (result.code !== 0) {
      throw new SetupError(
        `${name} could not be built with Go: see below, or install Pulumi yourself.\n${lastLines(result)}`,
      );
    }
  }
  const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
  for (const script of PARTS.filter((part) => existsSync(join(sdk, part)))) {
    copyFileSync(join(sdk, script), join(bin, script));
    chmodSync(join(bin, script), 0o755);
  }
}
