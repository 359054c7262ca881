import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { workspaces } from "../../package.json";
import { testHome } from "../engine/support/stack";
import { root } from "../support/root";

/** Folders without sources or documentation. */
const OMITTED = [".git", ".cache", "dist", "native-plugin", "node_modules", "sdks"];

/** A copy of the repository without its build. */
function copy(): string {
  const folder = mkdtempSync(join(testHome(), "build-"));
  cpSync(root, folder, { recursive: true, filter: (path) => !OMITTED.includes(basename(path)) });
  for (const name of ["", ...workspaces].map((name) => join(name, "node_modules"))) {
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(folder, name));
  }
  return folder;
}

test("two builds at once succeed, and a deleted source leaves nothing that would be published", async () => {
  const folder = copy();
  const env = { ...process.env, CI: "true" };
  const build = () => promisify(execFile)(process.execPath, ["tools/setup.mjs", "build"], { cwd: folder, env });
  // As tsc has left it in an earlier build.
  const abandoned = ["abandoned.js", "abandoned.d.ts"].map((name) => join(folder, "provider/dist", name));
  mkdirSync(join(folder, "provider/dist"));
  for (const path of abandoned) writeFileSync(path, "");
  await Promise.all([build(), build()]);
  for (const name of workspaces) {
    // A package that has only a command has no main file.
    const { main = "dist/cli.js" } = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8"));
    expect([name, existsSync(join(folder, name, main))]).toEqual([name, true]);
  }
  expect(abandoned.filter((path) => existsSync(path))).toEqual([]);
});

test("npm links the commands of the packages although they are built after the installation", async () => {
  const folder = mkdtempSync(join(testHome(), "linked-"));
  const filter = (path: string) => !OMITTED.includes(basename(path));
  for (const name of workspaces) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter });
    // Nothing is downloaded.
    const { version, bin } = JSON.parse(readFileSync(join(root, name, "package.json"), "utf8"));
    writeFileSync(join(folder, name, "package.json"), JSON.stringify({ name, version, bin }));
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, workspaces }));
  await promisify(execFile)("npm", ["install", "--offline", "--no-audit"], { cwd: folder });
  const commands = workspaces.flatMap((name) => {
    for (const built of ["dist", "node_modules"]) {
      if (existsSync(join(root, name, built))) symlinkSync(join(root, name, built), join(folder, name, built));
    }
    return Object.keys(JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")).bin ?? {});
  });
  expect(commands).toContain("clouddb-creations");
  for (const command of commands) {
    const { stdout } = await promisify(execFile)("npx", ["--no-install", command, "--help"], { cwd: folder });
    expect(stdout).toMatch(new RegExp(`^(Usage: )?${command}`));
  }
});
