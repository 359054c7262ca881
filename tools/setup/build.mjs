import { existsSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { bundlePlugin, isBundleFresh } from "./bundle.mjs";
import { lastLines, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during, SetupError } from "./report.mjs";
import { root } from "./root.mjs";

const require = createRequire(import.meta.url);
const lock = join(root, ".cache", "build");

/** Builds the packages, unless tsc would find nothing to do, and the plugin's bundle, unless it is as new. */
export async function ensureBuild() {
  const ts = require("typescript");
  const solution = ts.createSolutionBuilder(ts.createSolutionBuilderHost(ts.sys), [root], {});
  if (solution.getNextInvalidatedProject() !== undefined) return build();
  // Also after a `tsc --build` by hand.
  removeStale();
  if (!isBundleFresh()) await withLock(lock, () => during("Bundling the plugin", bundlePlugin));
}

/** Builds what has changed in the packages, and the files that are generated from the field tables. */
export async function build() {
  await withLock(lock, () => during("Building", compileAndGenerate));
}

async function compileAndGenerate() {
  // Generated types that are out of date may not compile: then the second compilation counts.
  const first = await compile();
  removeStale();
  const generated = await run(process.execPath, [join(root, "tools", "generate.mjs")], { cwd: root });
  process.stderr.write(generated.stdout);
  if (generated.code !== 0) throw failure(first.code === 0 ? generated : first);
  const last = generated.stdout === "" ? first : await compile();
  if (last.code !== 0) throw failure(last);
  await bundlePlugin();
}

const compile = () => run(process.execPath, [require.resolve("typescript/bin/tsc"), "--build"], { cwd: root });

const failure = (result) => new SetupError(`Build failed; fix the errors below.\n${lastLines(result, 40)}`);

/** tsc leaves the output of a source that was deleted or renamed, and it would be published. */
function removeStale() {
  for (const name of require("../../package.json").workspaces) {
    const dist = join(root, name, "dist");
    if (!existsSync(dist)) continue;
    for (const file of readdirSync(dist, { recursive: true }).filter((each) => /\.(js|d\.ts|json)$/.test(each))) {
      const source = join(root, name, file.replace(/\.(js|d\.ts)$/, ".ts"));
      if (!existsSync(source)) rmSync(join(dist, file), { force: true });
    }
  }
}
