import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { lastLines, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during, SetupError } from "./report.mjs";
import { root } from "./root.mjs";

const PACKAGES = ["provider", "policies", "report", "simulator"];
const STAMP = join(root, ".cache", "built");

/** Builds the packages, unless nothing has changed since the last time. */
export async function ensureBuild() {
  if (isFresh()) return;
  await withLock(join(root, ".cache", "build.lock"), async () => {
    if (!isFresh()) await during("building", build);
  });
}

/** Builds all packages from nothing, and the types that follow from the tables of fields. */
export async function build() {
  const startedAt = new Date();
  for (const name of PACKAGES) rmSync(join(root, name, "dist"), { recursive: true, force: true });
  // Types that are out of date may not fit the sources that they are made from: then the second time counts.
  const first = await compile();
  const generated = await run(process.execPath, [join(root, "scripts", "generate.mjs")], { cwd: root });
  process.stderr.write(generated.stdout);
  if (generated.code !== 0) throw failure(first.code === 0 ? generated : first);
  const last = generated.stdout === "" ? first : await compile();
  if (last.code !== 0) throw failure(last);
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, startedAt.toISOString());
}

function compile() {
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  return run(process.execPath, [tsc, "--build", "--force"], { cwd: root });
}

function failure(result) {
  return new SetupError(`The build failed: correct what is said below.\n${lastLines(result, 40)}`);
}

function isFresh() {
  const hasOutput = PACKAGES.every((name) => existsSync(join(root, name, "dist")));
  if (!hasOutput || !existsSync(STAMP)) return false;
  const builtAt = statSync(STAMP).mtimeMs;
  const sources = [
    join(root, "scripts/generate.mjs"),
    join(root, "tsconfig.base.json"),
    ...PACKAGES.flatMap((name) => sourcesOf(join(root, name))),
  ];
  return sources.every((path) => statSync(path).mtimeMs < builtAt);
}

function sourcesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["dist", "node_modules"].includes(entry.name) ? [] : sourcesOf(path);
    return /\.(ts|json)$/.test(entry.name) && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}
