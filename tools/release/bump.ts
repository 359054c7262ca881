import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastLines, npm, type Result, run } from "../support/process";
import { SetupError } from "../support/progress";
import { changesetsIn, headingFor, sectionFor, withSection } from "./changelog";

/** Required by changesets; the packages themselves support older versions, too. */
const OLDEST_NODE = 22;

/** Turns the changesets of a repository into a version of all packages and a section of CHANGELOG.md. */
export async function bump(root: string): Promise<string> {
  const read = (name: string) => readFileSync(join(root, name), "utf8");
  const edit = (name: string, change: (text: string) => string) => writeFileSync(join(root, name), change(read(name)));
  const versionNow = (): string => JSON.parse(read("provider/package.json")).version;
  const previous = versionNow();
  const changesets = await changesetsIn(root);
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    throw new SetupError(`Preparing a release needs Node ${OLDEST_NODE} or later; this is ${process.versions.node}.`);
  }
  if (changesets.length === 0) {
    throw new SetupError("There is nothing to release: no changesets. Add one with `npm run changeset`.");
  }
  await must(
    "changeset version",
    run(process.execPath, [require.resolve("@changesets/cli/bin.js"), "version"], { cwd: root }),
  );
  const version = versionNow();
  edit("package.json", (text) => text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
  const section = sectionFor(headingFor(version, new Date(), previous), changesets);
  edit("CHANGELOG.md", (text) => withSection(text, section));
  await must("npm install", run(npm, ["install", "--package-lock-only", "--prefer-offline"], { cwd: root }));
  return version;
}

async function must(name: string, running: Promise<Result>): Promise<void> {
  const result = await running;
  if (result.code !== 0) throw new SetupError(`${name} failed; see below.\n${lastLines(result)}`);
}
