// Loaded into every Node process of the engine: V8's compiled code of the installed packages,
// cached once by the global setup. Node 22.1 and later have this as NODE_COMPILE_CACHE.
const { openSync, readFileSync, readSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const vm = require("node:vm");

const { CLOUDDB_COMPILE_CACHE: folder, CLOUDDB_COMPILE_CACHE_WRITE: isWriting } = process.env;
const LOADER = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
// The cache is valid for one set of flags; Pulumi's runtime sets this one.
setFlagsFromString("--allow-natives-syntax");

/** The offset and length of each file's part of the cache. */
let index;
let data;
const scripts = new Map();

function open() {
  index = {};
  if (isWriting) return;
  index = JSON.parse(readFileSync(join(folder, "index.json"), "utf8"));
  data = openSync(join(folder, "data"));
}

/** ES modules, and a file of Pulumi's that needs Node's own way to import them, are ignored. */
const isKept = (filename, format = "commonjs") =>
  format === "commonjs" &&
  /\/node_modules\/.*\.c?js$/.test(filename) &&
  !filename.includes("/cmd/run/");

/** A file's place in the installed packages, which are linked into another folder by each run. */
const placeOf = (filename) => filename.slice(filename.indexOf("/node_modules/"));

const compile = Module.prototype._compile;
if (folder && LOADER) {
  Module.prototype._compile = function (content, filename, format) {
    if (index === undefined) open();
    const entry = index[placeOf(filename)];
    if (entry === undefined && !(isWriting && isKept(filename, format))) {
      return compile.call(this, content, filename, format);
    }
    let cachedData;
    if (entry !== undefined) {
      cachedData = Buffer.allocUnsafe(entry[1]);
      readSync(data, cachedData, 0, entry[1], entry[0]);
    }
    const text = Module.wrap(content.replace(/^#!.*/, ""));
    const script = new vm.Script(text, { filename, cachedData, importModuleDynamically: LOADER });
    if (isWriting) scripts.set(placeOf(filename), script);
    const require = (id) => this.require(id);
    require.resolve = (request, options) => Module._resolveFilename(request, this, false, options);
    require.resolve.paths = (request) => Module._resolveLookupPaths(request, this);
    require.main = process.mainModule;
    require.extensions = Module._extensions;
    require.cache = Module._cache;
    return script
      .runInThisContext()
      .call(this.exports, this.exports, require, this, filename, dirname(filename));
  };
}

if (isWriting) {
  process.on("exit", () => {
    const parts = [];
    let offset = 0;
    for (const [place, script] of scripts) {
      const part = script.createCachedData();
      index[place] = [offset, part.length];
      offset += part.length;
      parts.push(part);
    }
    writeFileSync(join(folder, "data"), Buffer.concat(parts));
    writeFileSync(join(folder, "index.json"), JSON.stringify(index ?? {}));
  });
}
