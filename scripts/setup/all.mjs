import { ensureBuild } from "./build.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { ensureEngine } from "./engine.mjs";

/** Makes sure of dependencies, build and engine; answers the engine's folder. Instant when all is there. */
export async function ensureAll() {
  await ensureDependencies();
  await ensureBuild();
  return ensureEngine();
}
