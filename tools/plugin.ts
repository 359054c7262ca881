// Makes the archives that `pulumi plugin install` takes (`npm run plugin`), and the policy pack as
// one file, in the folder dist. The archive `-node` is for all platforms and needs Node.js.
// --output FOLDER   another folder
// --executable      only the archive of this platform, which is an executable with Node.js in it
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { create } from "tar";
import { version } from "../provider/package.json";
import { ensureBuild } from "./setup/build";
import { bundlePlugin, CODE, LICENSES, packCode } from "./setup/bundle";
import { lastLines, npx, type Result, run } from "./support/process";
import { during, SetupError } from "./support/progress";
import { root } from "./support/repository";

const NAME = "pulumi-resource-clouddb";
const EXECUTABLES = ["linux-amd64", "linux-arm64", "darwin-arm64", "windows-amd64"];
/** Platforms without a CI runner. Pulumi downloads the archive that needs Node.js. */
const OTHERS = ["darwin-amd64", "windows-arm64"];
const here = `${process.platform.replace("win32", "windows")}-${process.arch.replace("x64", "amd64")}`;

/** The first Node.js that can build an executable (`--build-sea`). */
const BUILDER = 26;
/** The Node.js that builds the executable for Linux, from a package without an install script. */
const NODE = `node-linux-${process.arch}@26.12.1`;

export async function main(): Promise<void> {
  const { output, executable } = parseArgs({
    options: {
      output: { type: "string", default: join(root, "dist") },
      executable: { type: "boolean" },
    },
  }).values;
  if (executable && !EXECUTABLES.includes(here))
    throw new SetupError(`--executable works only on ${EXECUTABLES.join(", ")}; this is ${here}.`);
  await ensureBuild();
  const [bundle, single] = [temporaryFolder("bundle"), temporaryFolder("executable")];
  try {
    await bundlePlugin(bundle);
    mkdirSync(output, { recursive: true });
    const pack = async (folder: string, name: string) => {
      const file = join(resolve(output), `${NAME}-v${version}-${name}.tar.gz`);
      await archive(folder, file);
      console.log(file);
    };
    if (executable) {
      await during("Making an executable", () => makeExecutable(bundle, single));
      await pack(single, here);
    } else {
      // These archives have the same content, because Pulumi starts its platform's launcher.
      for (const name of ["node", ...OTHERS]) await pack(bundle, name);
      copyFileSync(packCode, join(output, basename(packCode)));
    }
  } finally {
    for (const folder of [bundle, single]) rmSync(folder, { recursive: true, force: true });
  }
}

function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `clouddb-${name}-`));
}

/** Creates a reproducible archive, so that its checksum can be published. */
function archive(folder: string, file: string): Promise<void> {
  return create(
    { file, cwd: folder, gzip: true, portable: true, mtime: new Date(0) },
    readdirSync(folder).sort(),
  );
}

async function makeExecutable(bundle: string, folder: string): Promise<void> {
  const output = join(folder, process.platform === "win32" ? `${NAME}.exe` : NAME);
  const [main, config] = [join(bundle, CODE), join(bundle, "executable.json")];
  const options = {
    useCodeCache: true,
    disableExperimentalSEAWarning: true,
    // The launchers' option.
    execArgv: ["--max-semi-space-size=4"],
  };
  writeFileSync(config, JSON.stringify({ main, output, ...options }));
  must(await build(config));
  // Apple processors only run signed programs.
  if (process.platform === "darwin")
    must(await run("codesign", ["--force", "--sign", "-", output]));
  copyFileSync(join(bundle, LICENSES), join(folder, LICENSES));
}

function build(config: string): Promise<Result> {
  const args = ["--build-sea", config];
  if (Number.parseInt(process.versions.node, 10) >= BUILDER) return run(process.execPath, args);
  if (process.platform === "linux")
    return run(npx, ["--yes", `--package=${NODE}`, "node", ...args]);
  throw new SetupError(
    `An executable needs Node.js ${BUILDER} or later; this is ${process.version}.`,
  );
}

function must(result: Result): void {
  if (result.code !== 0)
    throw new SetupError(`The executable could not be made; see below.\n${lastLines(result)}`);
}
