// Runs before the plugin is loaded, also on a Node.js that could not load it: in the syntax of old ones.
const OLDEST = 20;
const { node } = process.versions;

if (Number.parseInt(node, 10) < OLDEST) {
  console.error(
    `Cannot start the plugin pulumi-resource-clouddb: it needs Node.js ${OLDEST} or later, and the node on PATH is ${node}. Install a newer Node.js, then run the command again.`,
  );
  process.exitCode = 1;
} else {
  const { enableCompileCache, flushCompileCache } = require("node:module");
  // From Node.js 22.8 on: later starts need not compile the plugin again.
  if (enableCompileCache) enableCompileCache();
  require("./plugin.cjs");
  // Pulumi ends plugins with a signal, and by itself Node.js writes the cache only at a normal exit.
  if (flushCompileCache) flushCompileCache();
}
