// Makes the archives that `pulumi plugin install` takes (`npm run plugin`): one for each platform, in the folder dist.
//   --output FOLDER   another folder
//   --executable      this platform's archive holds a single executable, which needs no Node.js; only on Linux
// CLOUDDB_PLUGIN_DOWNLOAD_URL is the address from which a release's archives can be downloaded: engines and generated
// SDKs learn it from the plugin's schema.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuild } from "./setup/build.mjs";
import { bundle, bundlePlugin, pluginCode } from "./setup/bundle.mjs";
import { lastLines, npx, run } from "./setup/command.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { during, runMain, SetupError } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

const NAME = "pulumi-resource-clouddb";
const PLATFORMS = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);
/** Of this release on, Node.js makes executables by itself; npm has its binary. */
const NODE = "node@26";

const require = createRequire(import.meta.url);
const { version } = require("../provider/package.json");

await runMain(async () => {
  const options = { output: { type: "string", default: join(root, "dist") }, executable: { type: "boolean" } };
  const { output, executable } = parseArgs({ options }).values;
  const archive = (platform) => join(resolve(output), `${NAME}-v${version}-${platform}.tar.gz`);
  await ensureDependencies();
  await ensureBuild();
  await bundlePlugin();
  mkdirSync(output, { recursive: true });
  const [first, ...others] = PLATFORMS.map(archive);
  // On each platform Pulumi starts the launcher that it can run, so all archives are the same.
  await pack(bundle, first);
  for (const file of others) copyFileSync(first, file);
  if (executable)
    await withExecutable((folder) => pack(folder, archive(`linux-${process.arch.replace("x64", "amd64")}`)));
  for (const file of [first, ...others]) console.log(file);
});

/** The same files give the same archive, so its checksum can be published. */
function pack(folder, file) {
  const { create } = require("tar");
  return create({ file, cwd: folder, gzip: true, portable: true, mtime: new Date(0) }, readdirSync(folder).sort());
}

async function withExecutable(use) {
  if (process.platform !== "linux") throw new SetupError("--executable works only on Linux.");
  const folder = mkdtempSync(join(tmpdir(), "clouddb-executable-"));
  try {
    await during("Making an executable", () => makeExecutable(folder));
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeExecutable(folder) {
  const config = join(folder, "executable.json");
  writeFileSync(config, JSON.stringify({ main: pluginCode, output: join(folder, NAME), useCodeCache: true }));
  const made = await run(npx, ["--yes", NODE, "--build-sea", config]);
  if (made.code !== 0) throw new SetupError(`${NODE} could not make an executable; see below.\n${lastLines(made)}`);
  rmSync(config);
  copyFileSync(join(bundle, "LICENSES.txt"), join(folder, "LICENSES.txt"));
}
