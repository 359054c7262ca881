import { ensureBuild } from "./build.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { ensureEngine } from "./engine.mjs";

/** Makes sure that dependencies, build and engine are there; returns the engine's folder. */
export async function ensureAll() {
  await ensureDependencies();
  await ensureBuild();
  return ensureEngine();
}
