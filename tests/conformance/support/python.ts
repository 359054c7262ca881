import { spawnSync } from "node:child_process";

/** A test that needs Python, and is skipped without it. */
export const testWithPython: typeof test = spawnSync("python3", ["--version"]).status === 0 ? test : test.skip;
