import { readdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "../setup/command.mjs";
import { root } from "../setup/root.mjs";
import { versions } from "../setup/versions.mjs";
import { pythonTool } from "./tool.mjs";

/** The repository's own workflows, and those that users copy. */
const templates = readdirSync(join(root, "templates")).map((name) => `templates/${name}/.github/workflows`);
const workflows = [".github/workflows", "examples/ci/github/workflows", ...templates].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(folder, name)),
);

/** Syntax and types of workflows, if there is Go. */
export async function actionlint() {
  const result = await run("go", ["run", versions.goTools.actionlint, "-shellcheck=", "-pyflakes=", ...workflows], {
    cwd: root,
  });
  return result.code === 127 ? { code: 0, note: "skipped: actionlint needs Go" } : result;
}

/** Security of workflows and of the report's action, if there is Python. */
export function zizmor() {
  const args = ["--offline", "--no-progress", "--color=never", "--quiet", "--strict-collection"];
  return pythonTool("zizmor", {}, ...args, ...workflows, "report/action.yml");
}
