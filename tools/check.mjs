// All static checks: format, lint, types, dependency rules, dead code, generated files, licenses, workflows, packages.
import { containerfile } from "./checks/containerfile.mjs";
import { licenses } from "./checks/licenses.mjs";
import { metadata } from "./checks/metadata.mjs";
import { packages } from "./checks/packages.mjs";
import { pluginSize } from "./checks/plugin.mjs";
import { tool } from "./checks/tool.mjs";
import { pinnedVersions } from "./checks/versions.mjs";
import { actionlint, zizmor } from "./checks/workflows.mjs";
import { ensureBuild } from "./setup/build.mjs";
import { lastLines, run } from "./setup/command.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

const checks = {
  "format and lint": () => tool("biome", "check", "--error-on-warnings", "."),
  types: () => tool("tsc", "--project", "tests"),
  "types of examples": () => tool("tsc", "--project", "examples"),
  "types of the template": () => tool("tsc", "--noEmit", "--project", "templates/clouddb-typescript"),
  "types of the page": () => tool("tsc", "--project", "simulator/page"),
  "dependency rules": () => tool("depcruise", "facts", "provider", "policies", "report", "fleet", "simulator"),
  "dead code": () => tool("knip"),
  "generated files": () => run(process.execPath, ["tools/generate.mjs", "--check"], { cwd: root }),
  "workflows: actionlint": actionlint,
  "workflows: zizmor": zizmor,
  containerfile,
  "licenses of dependencies": licenses,
  "package metadata": metadata,
  "pinned versions": pinnedVersions,
  "published packages": packages,
  "size of the plugin": pluginSize,
};

await runMain(async () => {
  await ensureDependencies();
  await ensureBuild();
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, ...(await check()) })),
  );
  for (const result of results) {
    console.log(`${result.code === 0 ? "ok  " : "FAIL"} ${result.name}${result.note ? ` (${result.note})` : ""}`);
    if (result.code !== 0) console.log(lastLines(result, 60));
  }
  process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
});
