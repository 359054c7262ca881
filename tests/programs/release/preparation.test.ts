import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { version, workspaces } from "../../../package.json";
import versions from "../../../versions.json";
import { nodeFolder } from "../../support/node";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";

/** `npm run prepare-release` in a copy of the repository: the next release, and the one after it. */

/** Files that hold old versions: of releases, and of what was recorded with them. */
const HISTORY = /^(CHANGELOG\.md|tests\/.*|.*\/go\.sum|package-lock\.json)$/;

/** A copy of the repository and its build, with a history of its own and the dependencies of this one. */
function copy(): string {
  const folder = temporaryFolder("prepare-release");
  const left = [".git", ".cache", "release", "sdks"].map((name) => join(root, name));
  const isCopied = (path: string) => !left.includes(path) && basename(path) !== "node_modules";
  cpSync(root, folder, { recursive: true, preserveTimestamps: true, filter: isCopied });
  mkdirSync(join(folder, "node_modules"));
  const packages = workspaces.map((name) => [name, JSON.parse(textIn(folder, `${name}/package.json`)).name]);
  const ours = Object.fromEntries(packages.map(([workspace, name]) => [name, join(folder, workspace)]));
  for (const name of readdirSync(join(root, "node_modules"))) {
    symlinkSync(ours[name] ?? join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  for (const name of workspaces.filter((name) => existsSync(join(root, name, "node_modules")))) {
    symlinkSync(join(root, name, "node_modules"), join(folder, name, "node_modules"));
  }
  for (const name of ["", ...workspaces]) setAddress(join(folder, name, "package.json"));
  const changelog = textIn(folder, "CHANGELOG.md").replace(" (unreleased)", " (2026-01-31)");
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  git(folder, "init", "--quiet", "--initial-branch", "main");
  commit(folder);
  return folder;
}

/** No release is prepared without it. */
function setAddress(path: string): void {
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  const text = { ...manifest, bugs: { ...manifest.bugs, email: "reports@example.com" } };
  writeFileSync(path, `${JSON.stringify(text, undefined, 2)}\n`);
}

const textIn = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");

function git(folder: string, ...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", maxBuffer: 1e8 });
}

function commit(folder: string): void {
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "A change");
}

const changed = (folder: string) => git(folder, "status", "--porcelain");

async function tool(folder: string, ...command: string[]): Promise<{ code: number | null; output: string }> {
  // Changesets need a newer Node than the packages.
  const node = await nodeFolder(versions.node.at(-1) ?? 0);
  // In CI, the build only compares generated files.
  const env = { ...process.env, CI: "", PATH: `${node}${delimiter}${process.env.PATH}` };
  const args = ["tools/setup.mjs", ...command];
  const { status, stdout, stderr } = spawnSync(join(node, "node"), args, { cwd: folder, env, encoding: "utf8" });
  return { code: status, output: stdout + stderr };
}

const prepare = (folder: string) => tool(folder, "prepare-release");

/** Each line of a file in which a pattern is. */
function linesWith(folder: string, pattern: RegExp, except: RegExp): string[] {
  const files = git(folder, "ls-files", "--cached", "--others", "--exclude-standard").trim().split("\n");
  return files
    .filter((name) => existsSync(join(folder, name)) && !except.test(name) && /\.(md|ya?ml|json|toml|txt)$/.test(name))
    .flatMap((name) =>
      textIn(folder, name)
        .split("\n")
        .map((line) => `${name}: ${line}`),
    )
    .filter((line) => pattern.test(line));
}

test("two releases in a row: every page and file is up to date after each", async () => {
  const folder = copy();
  writeFileSync(join(folder, ".changeset/one.md"), '---\n"clouddb-report": patch\n---\n\nShows one.\n');
  expect(await prepare(folder)).toMatchObject({ code: 1, output: expect.stringContaining("uncommitted changes") });
  commit(folder);
  const early = await tool(folder, "release", "--dry-run", "--tag", `v${version}`);
  expect(early).toMatchObject({ code: 1, output: expect.stringContaining("Run `npm run prepare-release` first.") });

  const first = await prepare(folder);
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining("is prepared.") });
  expect(textIn(folder, "SECURITY.md")).toContain("write to [reports@example.com](mailto:reports@example.com)");
  commit(folder);

  // A second run changes nothing, and needs no advice to start over.
  const again = await prepare(folder);
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining("There is nothing to release") });
  expect(again.output).not.toContain("git restore");
  expect(changed(folder)).toBe("");

  const released: string = JSON.parse(textIn(folder, "package.json")).version;
  writeFileSync(join(folder, ".changeset/two.md"), '---\n"clouddb-report": minor\n---\n\nShows two.\n');
  commit(folder);
  expect(await prepare(folder)).toMatchObject({ code: 0 });
  const [major, minor] = released.split(".").map(Number);
  const next = `${major}.${Number(minor) + 1}.0`;
  expect(JSON.parse(textIn(folder, "package.json")).version).toBe(next);
  expect(textIn(folder, "CHANGELOG.md")).toContain(`/compare/v${released}...v${next}) (`);
  const states = readdirSync(join(folder, "tests/engine/states"));
  expect(states).toEqual(expect.arrayContaining([`${next}.json`, `${next}-native.json`, `${version}.json`]));
  const old = new RegExp(`(?<![\\d.])(${[version, released].join("|").replaceAll(".", "\\.")})(?![\\d.]*\\d)`);
  expect(linesWith(folder, old, HISTORY)).toEqual([]);
});

test("a preparation that fails says how to start over", async () => {
  const folder = copy();
  writeFileSync(join(folder, ".changeset/one.md"), '---\n"clouddb-report": patch\n---\n\nShows one.\n');
  writeFileSync(join(folder, "facts/broken.ts"), "export const broken: string = 1;\n");
  commit(folder);
  const { code, output } = await prepare(folder);
  expect([code, output]).toEqual([1, expect.stringMatching(/cannot be built[\s\S]*The release is half prepared\. /)]);
  expect(changed(folder)).not.toBe("");
  const [, command = ""] = /To start over, run `(.+)`/.exec(output) ?? [];
  execFileSync("bash", ["-c", command], { cwd: folder });
  expect(changed(folder)).toBe("");
});
