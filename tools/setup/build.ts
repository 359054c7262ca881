import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { workspaces } from "../../package.json";
import { withLock } from "../support/lock";
import { lastLines, type Result, run } from "../support/process";
import { during, SetupError } from "../support/progress";
import { root } from "../support/repository";
import { areBundlesFresh, bundle } from "./bundle";
import { completePackages } from "./declarations";

const lock = join(root, ".cache", "build");

/** Builds packages and bundles that are out of date. */
export async function ensureBuild(): Promise<void> {
  // Imported on use, because TypeScript loads slowly, and not every command builds.
  const { default: ts } = await import("typescript");
  const solution = ts.createSolutionBuilder(ts.createSolutionBuilderHost(ts.sys), [root], {});
  if (solution.getNextInvalidatedProject() !== undefined) return build();
  // A manual `tsc --build` may have left stale files.
  removeStale();
  await completePackages();
  if (!areBundlesFresh())
    await withLock(lock, () => during("Bundling the plugin and the policy pack", bundle));
}

/** Builds changed packages, and files generated from the field tables. */
export async function build(): Promise<void> {
  await withLock(lock, () => during("Building", compileAndGenerate));
}

async function compileAndGenerate(): Promise<void> {
  // Outdated generated types may not compile, so only the second compilation counts.
  const first = await compile();
  removeStale();
  // A new process loads the compiled code.
  const generated = await run(process.execPath, ["tools/setup.mjs", "generate"], { cwd: root });
  process.stderr.write(generated.stdout);
  if (generated.code !== 0) throw failure(first.code === 0 ? generated : first);
  const last = generated.stdout === "" ? first : await compile();
  if (last.code !== 0) throw failure(last);
  await completePackages();
  await bundle();
}

const compile = (): Promise<Result> =>
  run(process.execPath, [require.resolve("typescript/bin/tsc"), "--build"], { cwd: root });

const failure = (result: Result) =>
  new SetupError(`Build failed; fix the errors below.\n${lastLines(result, 40)}`);

/** Removes the output of deleted or renamed sources, which would be published. */
function removeStale(): void {
  for (const name of workspaces) {
    const dist = join(root, name, "dist");
    if (!existsSync(dist)) continue;
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((each) => /\.(js|d\.ts|json)$/.test(each))) {
      const source = join(root, name, file.replace(/\.(js|d\.ts)$/, ".ts"));
      if (!existsSync(source)) rmSync(join(dist, file), { force: true });
    }
  }
}
