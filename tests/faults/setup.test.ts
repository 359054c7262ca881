import { execFile, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import lock from "../../package-lock.json";
import { root } from "../support/root";
import { temporaryFolder } from "../support/temporary-folder";

/** The first command in a clone, in a small repository with its own lock file. */

type Package = { version: string; dependencies?: object; optionalDependencies?: object };
const packages = lock.packages as unknown as Readonly<Record<string, Package | undefined>>;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("setup");
  mkdirSync(join(folder, "tools"));
  mkdirSync(join(folder, "one"));
  cpSync(join(root, "tools/setup.mjs"), join(folder, "tools/setup.mjs"));
  cpSync(join(root, ".npmrc"), join(folder, ".npmrc"));
  writeFileSync(join(folder, "tools/hello.ts"), 'export const main = (): void => console.log("hello");\n');
  const { version = "" } = packages["node_modules/tsx"] ?? {};
  const manifest = { private: true, engines: { node: ">=20" }, workspaces: ["one"], devDependencies: { tsx: version } };
  const workspace = { name: "one", version: "1.0.0", bin: { one: "bin/one.js" } };
  mkdirSync(join(folder, "one/bin"));
  writeFileSync(join(folder, "one/bin/one.js"), '#!/usr/bin/env node\nconsole.log("command of one");\n', {
    mode: 0o755,
  });
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "one/package.json"), JSON.stringify(workspace));
  const locked = {
    "": manifest,
    one: workspace,
    "node_modules/one": { resolved: "one", link: true },
    ...dependenciesOf("tsx"),
  };
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ lockfileVersion: 3, requires: true, packages: locked }),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function dependenciesOf(name: string): Record<string, Package> {
  const found = packages[`node_modules/${name}`];
  if (found === undefined) return {};
  const names = Object.keys({ ...found.dependencies, ...found.optionalDependencies });
  return Object.assign({ [`node_modules/${name}`]: found }, ...names.map(dependenciesOf));
}

function start(environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, ["tools/setup.mjs", "hello"], { cwd: folder, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (text) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
  return { child, ended, output: () => output };
}

const INSTALLED = { code: 0, output: "Installing dependencies ...\nhello\n" };
const READY = { code: 0, output: "hello\n" };
const leftOver = () => readdirSync(join(folder, ".cache"));

test("installs once, and what somebody has removed since", async () => {
  expect(await start().ended).toEqual(INSTALLED);
  // Left by a command that was killed when its packages were in place.
  const { pid } = spawnSync(process.execPath, ["--version"]);
  mkdirSync(join(folder, `.cache/install-${pid}/old`), { recursive: true });
  expect(await start().ended).toEqual(READY);
  expect(leftOver()).toEqual([]);
  rmSync(join(folder, "node_modules/esbuild"), { recursive: true });
  expect(await start().ended).toEqual(INSTALLED);
  expect(leftOver()).toEqual([]);
});

test("npx runs a command of the repository's packages afterwards", async () => {
  expect(await start().ended).toEqual(INSTALLED);
  const { stdout } = await promisify(execFile)("npx", ["--no-install", "one"], { cwd: folder });
  expect(stdout).toBe("command of one\n");
});

test("accepts packages that `npm ci` has installed, but not in another version", async () => {
  await promisify(execFile)("npm", ["ci", "--prefer-offline"], { cwd: folder });
  expect(await start().ended).toEqual(READY);
  const hidden = join(folder, "node_modules/.package-lock.json");
  writeFileSync(hidden, readFileSync(hidden, "utf8").replaceAll(/"version": "[^"]+"/g, '"version": "0.0.1"'));
  expect(await start().ended).toEqual(INSTALLED);
});

test.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("after %s at any time, the same command works", async (signal) => {
  // Steps that grow: a slow machine needs few more of them than a fast one.
  for (let ms = 50; ; ms *= 1.2) {
    const run = start();
    await setTimeout(ms);
    run.child.kill(signal);
    const { code, output } = await run.ended;
    if (code === 0) break;
    // The folder is complete or absent.
    const isWhole = existsSync(join(folder, "node_modules/.package-lock.json"));
    expect([ms, existsSync(join(folder, "node_modules"))]).toEqual([ms, isWhole]);
    if (output.includes("hello")) expect(isWhole).toBe(true);
    // A signal before npm begins leaves a folder, which the next command removes.
    if (output.includes("Interrupted")) expect(leftOver()).toEqual([]);
  }
  expect(await start().ended).toEqual(READY);
  expect(leftOver()).toEqual([]);
});

test("installs what the commands need, whatever the environment omits", async () => {
  expect(await start({ NODE_ENV: "production", npm_config_omit: "optional" }).ended).toEqual(INSTALLED);
});

test("a later process with the id of one that was killed does not wait for itself", async () => {
  const command = `mkdir -p .cache/install-$$/old; exec "${process.execPath}" tools/setup.mjs hello`;
  const { stderr, stdout } = await promisify(execFile)("sh", ["-c", command], { cwd: folder });
  expect(stderr + stdout).toBe(INSTALLED.output);
  expect(leftOver()).toEqual([]);
});

test("a failure of npm has its reason, also in silent commands", async () => {
  const lock = join(folder, "package-lock.json");
  writeFileSync(lock, readFileSync(lock, "utf8").replaceAll(/"integrity":"sha512-.{4}/g, '"integrity":"sha512-AAAA'));
  const { code, output } = await start({ npm_config_loglevel: "silent" }).ended;
  expect([code, output]).toEqual([1, expect.stringMatching(/npm ci failed; fix the error below\.\n[\s\S]*EINTEGRITY/)]);
});

test("the second of two waits, and installs nothing", async () => {
  const [first, second] = [start(), start()];
  const outputs = [await first.ended, await second.ended].map(({ output }) => output).sort();
  expect(outputs[0]).toBe(INSTALLED.output);
  expect(outputs[1]).toMatch(
    /^(Waiting for process \d+, which installs the dependencies\. If .* \.\.\.|Installing dependencies \.\.\.)\nhello\n$/,
  );
  expect(await start().ended).toEqual(READY);
});

test("refuses an old Node, and installs nothing", async () => {
  const manifest = join(folder, "package.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(">=20", ">=99"));
  expect(await start().ended).toEqual({
    code: 1,
    output: `Node.js 99 or later is needed, and this is ${process.version}. Nothing was installed.\n`,
  });
  expect(existsSync(join(folder, "node_modules"))).toBe(false);
});
