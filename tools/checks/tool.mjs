import { join } from "node:path";
import { run } from "../setup/command.mjs";
import { ensurePythonCommand } from "../setup/python.mjs";
import { root } from "../setup/root.mjs";

/** Runs a tool from the dependencies. */
export const tool = (name, ...args) => run(join(root, "node_modules", ".bin", name), args, { cwd: root });

/** Runs a tool from PyPI, if it can be installed. */
export async function pythonTool(name, source, ...args) {
  let program;
  try {
    program = await ensurePythonCommand(name, source);
  } catch (error) {
    return { code: 0, note: `skipped: ${error.message.split("\n")[0]}` };
  }
  return run(program, args, { cwd: root });
}
