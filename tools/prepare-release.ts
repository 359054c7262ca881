// Makes the files of the next release (`npm run prepare-release`): versions, CHANGELOG.md,
// everything generated, and the recorded states that later releases are tested with. The result is
// a pull request; see CONTRIBUTING.md.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { web } from "./docs/site-map";
import { lastLines, npm, type Result, run, tool } from "./support/process";
import { SetupError } from "./support/progress";
import { manifestOf, root, textOf } from "./support/repository";

/** Required by changesets; the packages themselves support older versions, too. */
const OLDEST_NODE = 22;

interface Changeset {
  readonly summary: string;
  readonly releases: readonly { readonly name: string; readonly type: string }[];
}

interface Release {
  readonly version: string;
  readonly previous: string;
  readonly date: Date;
}

/** Changesets in the order in which readers look for them. */
const HEADINGS = { major: "Major changes", minor: "Minor changes", patch: "Patch changes" };
const TYPES = ["major", "minor", "patch"] as const;

export async function main(): Promise<void> {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new SetupError(
      `Preparing a release needs Node ${OLDEST_NODE} or later; this is ${process.versions.node}.`,
    );
  }
  const { stdout: changes } = await run("git", ["status", "--porcelain"], { cwd: root });
  if (changes !== "") throw new SetupError("There are uncommitted changes; commit them first.");
  const version = await bump();
  // New processes: the modules of this one have read the old version.
  await setup("build");
  await setup("registry-pages");
  await setup("test", "tests/engine/upgrade.test.ts", "tests/witness/histories.test.ts");
  // Neither changesets nor the CLI format as this repository does.
  must("biome", await tool("biome", "check", "--write", "."));
  console.log(
    `Version ${version} is prepared. Review the changes and merge them, then push the tag v${version}.`,
  );
}

/**
 * Turns the changesets into a version of all packages and a section of CHANGELOG.md; returns the
 * version.
 */
async function bump(): Promise<string> {
  // A CommonJS module cannot import an ES module in another way.
  const { readChangesets } = await import("@changesets/read");
  const changesets = await readChangesets(root);
  if (changesets.length === 0) {
    throw new SetupError(
      "There is nothing to release: no changesets. Add one with `npm run changeset`.",
    );
  }
  const { version: previous } = manifestOf("provider");
  must("changeset version", await tool("changeset", "version"));
  const { version } = manifestOf("provider");
  must("npm version", await run(npm, ["version", version, "--no-git-tag-version"], { cwd: root }));
  must(
    "npm install",
    await run(npm, ["install", "--package-lock-only", "--prefer-offline"], { cwd: root }),
  );
  const section = sectionFor({ version, previous, date: new Date() }, changesets);
  writeFileSync(join(root, "CHANGELOG.md"), withSection(textOf("CHANGELOG.md"), section));
  return version;
}

async function setup(...command: string[]): Promise<void> {
  const options = {
    cwd: root,
    env: { ...process.env, CLOUDDB_RECORD: "1" },
    stdio: "inherit",
  } as const;
  must(command.join(" "), await run(process.execPath, ["tools/setup.mjs", ...command], options));
}

function must(name: string, result: Result): void {
  if (result.code === 0) return;
  const advice = "To start over, run `git restore . && git clean -d --force`.";
  throw new SetupError(`${name} failed. ${advice}\n${lastLines(result)}`);
}

/**
 * The section of a release, with a link to its changes since the previous one, and the texts of its
 * changesets.
 */
function sectionFor(
  { version, previous, date }: Release,
  changesets: readonly Changeset[],
): string {
  const heading = `## [${version}](${web}/compare/v${previous}...v${version}) (${date.toISOString().slice(0, 10)})\n`;
  const groups = TYPES.map((type) => {
    const entries = changesets
      .filter((changeset) => largestChange(changeset) === type)
      .map(entryFor);
    return entries.length === 0 ? "" : `\n### ${HEADINGS[type]}\n\n${entries.join("\n")}\n`;
  });
  return heading + groups.join("");
}

/** The changelog with a section before those of earlier releases. */
function withSection(changelog: string, section: string): string {
  return changelog.replace("\n## ", () => `\n${section}\n## `);
}

/** The largest change among a changeset's packages. */
function largestChange({ releases }: Changeset): (typeof TYPES)[number] | undefined {
  return TYPES.find((type) => releases.some((release) => release.type === type));
}

function entryFor({ releases, summary }: Changeset): string {
  const names = releases.map(({ name }) => `\`${name}\``).join(", ");
  return `- ${names}: ${summary.trim().replaceAll(/\n(?=.)/g, "\n  ")}`;
}
