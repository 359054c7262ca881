import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { lastLines, run } from "./command.mjs";
import { withLock } from "./lock.mjs";
import { during, SetupError } from "./report.mjs";
import { root } from "./root.mjs";

const PACKAGES = ["provider", "simulator"];
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
  await compile();
  const generated = await must([join(root, "scripts", "generate.mjs")]);
  if (generated.stdout !== "") {
    process.stderr.write(generated.stdout);
    await compile();
  }
  writeFileSync(STAMP, startedAt.toISOString());
}

async function compile() {
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  await must([tsc, "--build", "--force"]);
}

async function must(args) {
  const result = await run(process.execPath, args, { cwd: root });
  if (result.code === 0) return result;
  throw new SetupError(`The build failed: correct what is said below.\n${lastLines(result, 40)}`);
}

function isFresh() {
  const hasOutput = PACKAGES.every((name) => existsSync(join(root, name, "dist")));
  if (!hasOutput || !existsSync(STAMP)) return false;
  const builtAt = statSync(STAMP).mtimeMs;
  const sources = [join(root, "tsconfig.base.json"), ...PACKAGES.flatMap((name) => sourcesOf(join(root, name)))];
  return sources.every((path) => statSync(path).mtimeMs < builtAt);
}

function sourcesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ["dist", "node_modules"].includes(entry.name) ? [] : sourcesOf(path);
    return /\.(ts|json)$/.test(entry.name) && !entry.name.endsWith(".test.ts") ? [path] : [];
  });
}
