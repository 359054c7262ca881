import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";

/** Where the plugin's launcher keeps compiled code: Node.js runs what it finds there. */

const place = temporaryFolder("launcher");
const start = join(place, "start.cjs");
const preload = join(place, "preload.cjs");
copyFileSync(join(root, "provider/hosts/plugin/launcher/start.cjs"), start);
writeFileSync(join(place, "plugin.cjs"), 'console.log("plugin");');
// Stands in for the compile cache, which Node.js 20 does not have.
writeFileSync(
  preload,
  `require("node:module").enableCompileCache = (...args) => console.log(JSON.stringify(args));
   const owner = process.env.OTHER_USER;
   if (owner) process.getuid = () => Number(owner);`,
);

let home: string;
let cache: string;
beforeEach(() => {
  home = temporaryFolder("launcher-home");
  cache = join(home, "clouddb-compile-cache");
});

/**
 * The effect of the launcher: the arguments with which it enables the cache, and what the plugin
 * prints.
 */
function launch(environment: Record<string, string> = {}): string[] {
  const env = {
    PATH: process.env.PATH,
    NODE_OPTIONS: `--require ${preload}`,
    PULUMI_HOME: home,
    ...environment,
  };
  return execFileSync(process.execPath, [start], { env, encoding: "utf8" }).trim().split("\n");
}
const withCache = (folder: string) => [JSON.stringify([folder]), "plugin"];

test("the compile cache is a folder of the user's own in Pulumi's home, made for nobody else", () => {
  expect(launch()).toEqual(withCache(cache));
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(launch()).toEqual(withCache(cache));
});

test("the compile cache is in the user's home by default", () => {
  expect(launch({ PULUMI_HOME: "", HOME: home })).toEqual(
    withCache(join(home, ".pulumi/clouddb-compile-cache")),
  );
});

test.each([0o777, 0o755, 0o710, 0o701])(
  "the compile cache is not used if others can use it: %o",
  (mode) => {
    mkdirSync(cache);
    chmodSync(cache, mode);
    expect(launch()).toEqual(["plugin"]);
  },
);

test.each<[string, (elsewhere: string) => void, Record<string, string>]>([
  ["somebody else made it", () => launch(), { OTHER_USER: "4711" }],
  ["it leads elsewhere", (elsewhere) => symlinkSync(elsewhere, cache), {}],
  ["a file is in its place", () => writeFileSync(cache, ""), {}],
  ["Pulumi's home cannot be made", () => writeFileSync(cache, ""), { PULUMI_HOME: "CACHE/below" }],
])("the plugin starts without the compile cache if %s", (_, prepare, environment) => {
  prepare(temporaryFolder("elsewhere"));
  const variables = Object.entries(environment).map(([name, value]) => [
    name,
    value.replace("CACHE", cache),
  ]);
  expect(launch(Object.fromEntries(variables))).toEqual(["plugin"]);
});

test("the compile cache is the folder that the environment names, if any", () => {
  expect(launch({ NODE_COMPILE_CACHE: join(home, "own") })).toEqual(["plugin"]);
  expect(() => statSync(cache)).toThrow("ENOENT");
});
