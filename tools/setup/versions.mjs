import { createRequire } from "node:module";

/** Every pinned version. `npm run check` finds files that repeat one. */
export const versions = createRequire(import.meta.url)("../../versions.json");
