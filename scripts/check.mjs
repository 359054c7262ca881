// All static checks: format, lint, types, dependency rules, dead code, generated files, published packages.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuild } from "./setup/build.mjs";
import { pluginCode } from "./setup/bundle.mjs";
import { lastLines, npm, run } from "./setup/command.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

const ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const LARGEST_PLUGIN = 2_000_000;
const { workspaces } = createRequire(import.meta.url)("../package.json");

/** Runs a tool from the dependencies. */
const tool = (name, ...args) => run(join(root, "node_modules", ".bin", name), args, { cwd: root });

await runMain(async () => {
  await ensureDependencies();
  await ensureBuild();
  const packed = mkdtempSync(join(tmpdir(), "clouddb-packed-"));
  try {
    const checks = {
      "format and lint": () => tool("biome", "check", "--error-on-warnings", "."),
      types: () => tool("tsc", "--project", "tests"),
      "types of examples": () => tool("tsc", "--project", "examples"),
      "types of the page": () => tool("tsc", "--project", "simulator/page"),
      "dependency rules": () => tool("depcruise", "provider", "policies", "report", "simulator"),
      "dead code": () => tool("knip"),
      "generated files": () => run(process.execPath, ["scripts/generate.mjs", "--check"], { cwd: root }),
      workflows,
      "published packages": () => publishable(packed),
      "size of the plugin": pluginSize,
    };
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => ({ name, ...(await check()) })),
    );
    for (const result of results) {
      console.log(`${result.code === 0 ? "ok  " : "FAIL"} ${result.name}${result.note ? ` (${result.note})` : ""}`);
      if (result.code !== 0) console.log(lastLines(result, 60));
    }
    process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
});

/** Runs actionlint over the example workflows, if there is Go. */
async function workflows() {
  const folder = join(root, "examples/ci/github/workflows");
  const files = (await readdir(folder)).map((name) => join(folder, name));
  const result = await run("go", ["run", ACTIONLINT, "-shellcheck=", "-pyflakes=", ...files]);
  return result.code === 127 ? { code: 0, note: "skipped: actionlint needs Go" } : result;
}

/** Everybody who installs the npm package downloads the plugin with it. */
function pluginSize() {
  const { size } = statSync(pluginCode);
  const inMegabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
  if (size <= LARGEST_PLUGIN) return { code: 0, note: inMegabytes(size) };
  const stdout = `${pluginCode} has ${inMegabytes(size)}, and at most ${inMegabytes(LARGEST_PLUGIN)} are allowed.`;
  return { code: 1, stdout, stderr: "" };
}

/** Packs the packages as for npm and runs publint and arethetypeswrong on them. */
async function publishable(folder) {
  const pack = ["pack", "--pack-destination", folder, ...workspaces.flatMap((name) => ["--workspace", name])];
  const packed = await run(npm, pack, { cwd: root });
  if (packed.code !== 0) return packed;
  for (const tarball of (await readdir(folder)).map((name) => join(folder, name))) {
    for (const result of [
      await tool("publint", tarball, "--strict"),
      await tool("attw", tarball, "--exclude-entrypoints", "runtime", "definitions"),
    ]) {
      if (result.code !== 0) return result;
    }
  }
  return { code: 0 };
}
