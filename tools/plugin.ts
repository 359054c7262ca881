// Makes the archives that `pulumi plugin install` takes (`npm run plugin`), one for each platform,
// and the policy pack as one file, in the folder dist.   --output FOLDER   another folder
// --executable      this platform's archive holds a single executable, which needs no Node.js; only
// on Linux
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { create } from "tar";
import { version } from "../provider/package.json";
import { ensureBuild } from "./setup/build";
import { bundlePlugin, CODE, LICENSES, packCode } from "./setup/bundle";
import { lastLines, npx, run } from "./support/process";
import { during, SetupError } from "./support/progress";
import { root } from "./support/repository";

const NAME = "pulumi-resource-clouddb";
const PLATFORMS = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);
/**
 * Node.js for the executable, from a package without an install script. Node 26 can build it
 * (`--build-sea`).
 */
const NODE = `node-linux-${process.arch}@26`;

export async function main(): Promise<void> {
  const { output, executable } = parseArgs({
    options: {
      output: { type: "string", default: join(root, "dist") },
      executable: { type: "boolean" },
    },
  }).values;
  if (executable && process.platform !== "linux")
    throw new SetupError("--executable works only on Linux.");
  await ensureBuild();
  const [bundle, single] = [temporaryFolder("bundle"), temporaryFolder("executable")];
  try {
    await bundlePlugin(bundle);
    mkdirSync(output, { recursive: true });
    const archive = (platform: string) =>
      join(resolve(output), `${NAME}-v${version}-${platform}.tar.gz`);
    // Pulumi starts the launcher of its platform, so all archives are the same.
    for (const platform of PLATFORMS) await pack(bundle, archive(platform));
    if (executable) {
      await during("Making an executable", () => makeExecutable(bundle, single));
      await pack(single, archive(`linux-${process.arch.replace("x64", "amd64")}`));
    }
    for (const platform of PLATFORMS) console.log(archive(platform));
    copyFileSync(packCode, join(output, basename(packCode)));
  } finally {
    for (const folder of [bundle, single]) rmSync(folder, { recursive: true, force: true });
  }
}

function temporaryFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `clouddb-${name}-`));
}

/** Create a reproducible archive, so that its checksum can be published. */
function pack(folder: string, file: string): Promise<void> {
  return create(
    { file, cwd: folder, gzip: true, portable: true, mtime: new Date(0) },
    readdirSync(folder).sort(),
  );
}

async function makeExecutable(bundle: string, folder: string): Promise<void> {
  const config = join(bundle, "executable.json");
  writeFileSync(
    config,
    JSON.stringify({ main: join(bundle, CODE), output: join(folder, NAME), useCodeCache: true }),
  );
  const made = await run(npx, ["--yes", `--package=${NODE}`, "node", "--build-sea", config]);
  if (made.code !== 0)
    throw new SetupError(`${NODE} could not make an executable; see below.\n${lastLines(made)}`);
  copyFileSync(join(bundle, LICENSES), join(folder, LICENSES));
}
