import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../support/root";

/** Where the plugin's launcher keeps compiled code: Node.js runs what it finds there. */

const place = mkdtempSync(join(tmpdir(), "clouddb-launcher-"));
const start = join(place, "start.cjs");
const preload = join(place, "preload.cjs");
let home: string;
let count = 0;

beforeAll(() => {
  copyFileSync(join(root, "provider/hosts/plugin/launcher/start.cjs"), start);
  writeFileSync(join(place, "plugin.cjs"), 'console.log("plugin");');
  // Stands in for the compile cache, which Node.js 20 does not have.
  writeFileSync(
    preload,
    `require("node:module").enableCompileCache = (...args) => console.log(JSON.stringify(args));
     const owner = process.env.OTHER_USER;
     if (owner) process.getuid = () => Number(owner);`,
  );
});
beforeEach(() => {
  count += 1;
  home = join(place, `home-${count}`);
  mkdirSync(home);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The effect of the launcher: the arguments with which it enables the cache, and what the plugin prints. */
function launch(environment: NodeJS.ProcessEnv = { PULUMI_HOME: home }): string[] {
  const env = { PATH: process.env.PATH, NODE_OPTIONS: `--require ${preload}`, TMPDIR: place, ...environment };
  const output = execFileSync(process.execPath, [start], { env: env as NodeJS.ProcessEnv, encoding: "utf8" });
  return output.trim().split("\n");
}
const cache = () => join(home, "clouddb-compile-cache");
const withCache = (folder = cache()) => [JSON.stringify([folder]), "plugin"];

test("the compile cache is a folder of the user's own in Pulumi's home, made for nobody else", () => {
  expect(launch()).toEqual(withCache());
  expect(statSync(cache()).mode & 0o777).toBe(0o700);
  expect(launch()).toEqual(withCache());
});

test("the compile cache is in the user's home by default", () => {
  expect(launch({ HOME: home })).toEqual(withCache(join(home, ".pulumi/clouddb-compile-cache")));
});

test.each([0o777, 0o755, 0o710, 0o701])(
  "the compile cache is not used if others can do something in it: %o",
  (mode) => {
    mkdirSync(cache());
    chmodSync(cache(), mode);
    expect(launch()).toEqual(["plugin"]);
  },
);

test("the compile cache is not used if somebody else made it, or if it leads elsewhere", () => {
  launch();
  expect(launch({ PULUMI_HOME: home, OTHER_USER: "4711" })).toEqual(["plugin"]);
  rmSync(cache(), { recursive: true });
  mkdirSync(join(home, "elsewhere"), { mode: 0o700 });
  symlinkSync(join(home, "elsewhere"), cache());
  expect(launch()).toEqual(["plugin"]);
});

test("the compile cache is optional: the plugin also starts without it", () => {
  writeFileSync(cache(), "");
  expect(launch()).toEqual(["plugin"]);
  expect(launch({ PULUMI_HOME: join(cache(), "below") })).toEqual(["plugin"]);
});

test("the compile cache is the folder that the environment names, if any", () => {
  expect(launch({ PULUMI_HOME: home, NODE_COMPILE_CACHE: join(home, "own") })).toEqual(["plugin"]);
  expect(() => statSync(cache())).toThrow("ENOENT");
});
