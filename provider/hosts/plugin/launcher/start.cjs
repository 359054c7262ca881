// biome-ignore-all lint/style/noProcessEnv: variables of Pulumi and Node.js, before the provider is loaded
// Runs before the plugin is loaded, in a syntax that old releases of Node.js can read.
const { lstatSync, mkdirSync } = require("node:fs");
const { homedir } = require("node:os");
const { join } = require("node:path");

const OLDEST = 20;
const { node } = process.versions;

/**
 * The folder for compiled code, or undefined. Node.js runs what it finds there, and its default is
 * in the temporary folder that all users share: only a folder of the user's own will do.
 */
function cacheFolder() {
  try {
    const folder = join(
      process.env.PULUMI_HOME || join(homedir(), ".pulumi"),
      "clouddb-compile-cache",
    );
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stat = lstatSync(folder);
    // On Windows, a home is for its user alone.
    const isOwn = !process.getuid || (stat.uid === process.getuid() && (stat.mode & 0o77) === 0);
    return isOwn && stat.isDirectory() ? folder : undefined;
  } catch (_) {
    // It only saves time.
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
  // From Node.js 22.8 on: later starts need not compile the plugin again. NODE_COMPILE_CACHE has
  // enabled it already.
  const folder = enableCompileCache && !process.env.NODE_COMPILE_CACHE ? cacheFolder() : undefined;
  if (folder) enableCompileCache(folder);
  require("./plugin.cjs");
  // Pulumi ends plugins with a signal, and by itself Node.js writes the cache only at a normal
  // exit.
  if (flushCompileCache) flushCompileCache();
}
