// All static checks: format, lint, types, dependency rules, dead code, generated files, workflows,
// packages.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import versions from "../versions.json";
import { packages, pluginSize } from "./checks/packages";
import { ensureBuild } from "./setup/build";
import { ensurePythonCommand } from "./setup/python";
import { lastLines, type Result, run, tool } from "./support/process";
import { root } from "./support/repository";

const checks: Readonly<Record<string, () => Promise<Result>>> = {
  "format and lint": () => tool("biome", "check", "--error-on-warnings", "."),
  types: () => tool("tsc", "--project", "tests"),
  "types of tools": () => tool("tsc", "--project", "tools"),
  "types of examples": () => tool("tsc", "--project", "examples"),
  "types of the template": () =>
    tool("tsc", "--noEmit", "--project", "templates/clouddb-typescript"),
  "dependency rules": () =>
    tool("depcruise", "facts", "provider", "policies", "report", "fleet", "simulator", "tools"),
  "dead code": () => tool("knip"),
  "generated files": () =>
    run(process.execPath, ["tools/setup.mjs", "generate", "--check"], { cwd: root }),
  "workflows: actionlint": actionlint,
  "workflows: zizmor": zizmor,
  "published packages": packages,
  "size of the plugin": pluginSize,
};

/** The repository's workflows, and those that users copy. */
const templates = readdirSync(join(root, "templates")).map(
  (name) => `templates/${name}/.github/workflows`,
);
const workflows = [".github/workflows", "examples/ci/github/workflows", ...templates].flatMap(
  (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)),
);

/** Checks the syntax and types of workflows, if Go is installed. */
async function actionlint(): Promise<Result> {
  const unknown = 'unexpected key "queue" for "concurrency"'; // GitHub has it since 2026-05-07
  const flags = ["-shellcheck=", "-pyflakes=", "-ignore", unknown];
  const args = ["run", versions.goTools.actionlint, ...flags, ...workflows];
  const result = await run("go", args, { cwd: root });
  return result.code === 127
    ? { code: 0, stdout: "", stderr: "", note: "skipped: actionlint needs Go" }
    : result;
}

/** Checks the security of workflows, if Python is installed. */
async function zizmor(): Promise<Result> {
  const args = [
    "--offline",
    "--no-progress",
    "--color=never",
    "--quiet",
    "--strict-collection",
    ...workflows,
  ];
  try {
    return await run(await ensurePythonCommand("zizmor"), args, { cwd: root });
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    return { code: 0, stdout: "", stderr: "", note: `skipped: ${reason}` };
  }
}

export async function main(): Promise<void> {
  await ensureBuild();
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, ...(await check()) })),
  );
  for (const result of results) {
    console.log(
      `${result.code === 0 ? "ok  " : "FAIL"} ${result.name}${result.note ? ` (${result.note})` : ""}`,
    );
    if (result.code !== 0) console.log(lastLines(result, 60));
  }
  process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
}
