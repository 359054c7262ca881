import { join } from "node:path";
import { run } from "../setup/command.mjs";
import { root } from "../setup/root.mjs";

/** Runs a tool from the dependencies. */
export const tool = (name, ...args) => run(join(root, "node_modules", ".bin", name), args, { cwd: root });
