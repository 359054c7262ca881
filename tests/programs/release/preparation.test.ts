import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { version } from "../../../package.json";
import versions from "../../../versions.json";
import { nodeFolder } from "../../support/node";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";

/** `npm run prepare-release` in a copy of the repository: the next release, and the one after it. */

/** Folders without sources or documentation. */
const OMITTED = [".git", ".cache", "dist", "native-plugin", "node_modules", "sdks"];
/** Files that hold old versions: of releases, and of what was recorded with them. */
const HISTORY = /^(CHANGELOG\.md|tests\/.*|.*\/go\.sum|package-lock\.json)$/;

/** A copy of the repository with a history of its own, without its build and dependencies. */
function copy(): string {
  const folder = temporaryFolder("prepare-release");
  cpSync(root, folder, { recursive: true, filter: (path) => !OMITTED.includes(basename(path)) });
  const changelog = textIn(folder, "CHANGELOG.md").replace(" (unreleased)", " (2026-01-31)");
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  git(folder, "init", "--quiet", "--initial-branch", "main");
  commit(folder);
  return folder;
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

async function prepare(folder: string): Promise<{ code: number | null; output: string }> {
  // Changesets need a newer Node than the packages.
  const node = await nodeFolder(versions.node.at(-1) ?? 0);
  // In CI, the build only compares generated files.
  const env = { ...process.env, CI: "", PATH: `${node}${delimiter}${process.env.PATH}` };
  const args = ["tools/setup.mjs", "prepare-release"];
  const { status, stdout, stderr } = spawnSync(join(node, "node"), args, { cwd: folder, env, encoding: "utf8" });
  return { code: status, output: stdout + stderr };
}

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
  expect(await prepare(folder)).toMatchObject({ code: 0, output: expect.stringContaining("is prepared.") });
  expect(textIn(folder, "CHANGELOG.md")).toContain("### Minor changes\n\n- `");
  expect(textIn(folder, "docs/installation-configuration.md")).toContain("## Configuration\n\n| setting |");
  commit(folder);

  expect(await prepare(folder)).toMatchObject({
    code: 1,
    output: expect.stringContaining("There is nothing to release"),
  });

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
