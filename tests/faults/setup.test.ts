import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
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
  cpSync(join(root, "tools/setup.mjs"), join(folder, "tools/setup.mjs"));
  cpSync(join(root, ".npmrc"), join(folder, ".npmrc"));
  writeFileSync(
    join(folder, "tools/hello.ts"),
    'export const main = (): void => console.log("hello");\n',
  );
  const { version = "" } = packages["node_modules/tsx"] ?? {};
  const manifest = { private: true, engines: { node: ">=20" }, devDependencies: { tsx: version } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({
      lockfileVersion: 3,
      requires: true,
      packages: { "": manifest, ...dependenciesOf("tsx") },
    }),
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function dependenciesOf(name: string): Record<string, Package> {
  const found = packages[`node_modules/${name}`];
  if (found === undefined) return {};
  const names = Object.keys({ ...found.dependencies, ...found.optionalDependencies });
  return Object.assign({ [`node_modules/${name}`]: found }, ...names.map(dependenciesOf));
}

/** Runs the command in a process group of its own, as a terminal does. */
function start() {
  const child = spawn(process.execPath, ["tools/setup.mjs", "hello"], {
    cwd: folder,
    detached: true,
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (text) => (output[name] += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, ...output }));
  });
  return { kill: () => process.kill(-Number(child.pid), "SIGKILL"), ended };
}

test("an interrupted installation is repeated, and a complete installation is not", async () => {
  const isStarted = () => existsSync(join(folder, "node_modules/esbuild"));
  const first = start();
  while (!isStarted()) await setTimeout(5);
  first.kill();
  expect((await first.ended).stdout).toBe("");
  expect(await start().ended).toMatchObject({
    code: 0,
    stdout: "hello\n",
    stderr: expect.stringContaining("Installing dependencies ...\n"),
  });
  expect(await start().ended).toEqual({ code: 0, stdout: "hello\n", stderr: "" });
});
