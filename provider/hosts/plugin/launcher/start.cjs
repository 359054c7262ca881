// biome-ignore-all lint/style/noProcessEnv: read before the provider is loaded
// Runs before the plugin is loaded, in syntax that old Node.js releases support.
const { lstatSync, mkdirSync } = require("node:fs");
const { homedir } = require("node:os");
const { join } = require("node:path");

const OLDEST = 20;
const { node } = process.versions;

/**
 * A folder for compiled code that only this user can write, or undefined. Node.js would run
 * anything in it, and its default is in the shared temporary folder.
 */
function cacheFolder() {
  try {
    const folder = join(
      process.env.PULUMI_HOME || join(homedir(), ".pulumi"),
      "clouddb-compile-cache",
    );
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stat = lstatSync(folder);
    // On Windows, a home folder is private.
    const isOwn = !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o77) === 0);
    return isOwn && stat.isDirectory() ? folder : undefined;
  } catch (_) {
    // The cache only saves time.
    return undefined;
  }
}

if (Number.parseInt(node, 10) < OLDEST) {
  console.error(
    `Cannot start the plugin pulumi-resource-clouddb: it needs Node.js ${OLDEST} or later, and the node on PATH is ${node}. Install a newer Node.js, then run the command again. [CDB9001]`,
  );
  process.exitCode = 1;
} else {
  const { enableCompileCache, flushCompileCache } = require("node:module");
  // From Node.js 22.8 on, later starts skip the compilation. NODE_COMPILE_CACHE has the same
  // effect.
  const folder = enableCompileCache && !process.env.NODE_COMPILE_CACHE ? cacheFolder() : undefined;
  if (folder) enableCompileCache(folder);
  require("./plugin.cjs");
  // Node.js writes the cache only at a normal exit, but Pulumi ends plugins with a signal.
  if (flushCompileCache) flushCompileCache();
}
