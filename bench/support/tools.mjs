// The repository's tools, which are in TypeScript.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
require("tsx/cjs");

export const { root } = require("../../tools/support/repository.ts");
export const { ensureAll } = require("../../tools/setup/engine.ts");
export const { simulatorSettings, withEngine } = require("../../tools/support/environment.ts");
