import { readdirSync } from "node:fs";
import { join } from "node:path";
import versions from "../../versions.json";
import { ensurePythonCommand } from "../setup/python";
import { type Result, run } from "../support/process";
import { root } from "../support/repository";

/** The repository's workflows, and those that users copy. */
const templates = readdirSync(join(root, "templates")).map(
  (name) => `templates/${name}/.github/workflows`,
);
const inFolders = [".github/workflows", "examples/ci/github/workflows", ...templates].flatMap(
  (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)),
);
const workflows = inFolders;

/** Checks the syntax and types of workflows, if Go is installed. */
export async function actionlint(): Promise<Result> {
  const unknown = 'unexpected key "queue" for "concurrency"'; // GitHub has it since 2026-05-07
  const flags = ["-shellcheck=", "-pyflakes=", "-ignore", unknown];
  const args = ["run", versions.goTools.actionlint, ...flags, ...workflows];
  const result = await run("go", args, { cwd: root });
  return result.code === 127
    ? { code: 0, stdout: "", stderr: "", note: "skipped: actionlint needs Go" }
    : result;
}

/** Checks the security of workflows, if Python is installed. */
export async function zizmor(): Promise<Result> {
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
