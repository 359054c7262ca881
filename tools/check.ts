// All static checks: format, lint, types, dependency rules, dead code, generated files, workflows,
// packages.
import { actionlint, zizmor } from "./checks/linters";
import { packages, pluginSize } from "./checks/packages";
import { ensureBuild } from "./setup/build";
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
