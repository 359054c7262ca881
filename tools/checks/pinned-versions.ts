import { existsSync } from "node:fs";
import { join } from "node:path";
import versions from "../../versions.json";
import { run } from "../support/process";
import { root, textOf } from "../support/repository";
import { type CheckResult, resultOf } from "./tool";

const { node, go, python, pulumi, policySdk, languageHosts } = versions;
const [oldestNode, newestNode] = [node.at(0), node.at(-1)];

/** Files that cannot import a version, with a pattern for each one that they repeat. */
const COPIES: readonly (readonly [path: RegExp, pattern: RegExp, version: string | number | undefined])[] = [
  [/^package\.json$/, /"@pulumi\/pulumi": "(.+)"/g, pulumi.tested],
  [/^(provider|policies|fleet)\/package\.json$/, /"@pulumi\/pulumi": "\^(.+)"/g, pulumi.oldest],
  [/^policies\/package\.json$/, /"@pulumi\/policy": "\^(.+)"/g, policySdk],
  [/^package\.json$/, /"node": ">=(\d+)"/g, oldestNode],
  [/^\.nvmrc$/, /^(\d+)$/gm, newestNode],
  [/^\.github\/workflows\/(ci|nightly)\.yml$/, /node: \[(.*)\]/g, node.join(", ")],
  [/^\.github\/workflows\/nightly\.yml$/, /cli: \[(.*)\]/g, `${pulumi.oldest}, ${pulumi.newestCli}`],
  [/^\.github\/workflows\/ci\.yml$/, /node-version: (\d+)/g, oldestNode],
  [/^\.github\/workflows\/ci\.yml$/, /pulumi-version: (\S+)/g, pulumi.tested],
  [/^\.github\/workflows\/nightly\.yml$/, /node-version: (\d+)/g, oldestNode],
  [/^\.github\/workflows\/release\.yml$/, /node-version: (\d+)/g, newestNode],
  [/^examples\/ci\/.*\.yml$/, /(?:node-version: |image: node:)(\d+)/g, newestNode],
  [/^examples\/ci\/.*\.yml$/, /(?:pulumi-version|PULUMI_VERSION): (\S+)/g, pulumi.tested],
  [/^examples\/kubernetes\/stacks\.yaml$/, /pulumi-nodejs:(\S+)/g, pulumi.tested],
  [/^examples\/.*\/go\.mod$/, /pulumi\/pulumi\/sdk\/v3 v(\S+)/g, pulumi.tested],
  [/^tools\/sdks\/go\.mod$/, /pulumi-java\/pkg v(\S+)/g, languageHosts.java.split("@v")[1]],
  [/^tools\/sdks\/go\.mod$/, /^go ([\d.]+)$/gm, go],
  [/^docs\/versions\.md$/, /\| Node\.js \| (.+?) \|/g, node.join(", ")],
  [/^docs\/versions\.md$/, /(?:`@pulumi\/pulumi`|Pulumi CLI) \| ([\d.]+) and later/g, pulumi.oldest],
  [/^docs\/versions\.md$/, /with SDK and CLI ([\d.]+) on/g, pulumi.tested],
  [/\.md$|\/launcher\//, /Node\.js (\d+) or later/g, oldestNode],
  [/\.md$/, /\bGo ([\d.]+\d)/g, go],
  [/\.md$/, /\bPython ([\d.]+\d)/g, python],
];

/** Files that tools write, and states, data and runs as they were recorded. */
const GENERATED =
  /^versions\.json$|package-lock\.json$|\.sum$|CHANGELOG\.md$|^templates\/|^tests\/(engine\/states|contract\/report\/previews|support\/vectors)\//;
/** Also tables of results, which have the versions of their time. */
const GENERATED_PART = /<!-- (\w+) -->[\s\S]*?<!-- end: \1 -->|^.*\/\/ indirect$/gm;

/** A Node version alone is too short to be recognized. */
const complete = JSON.stringify(versions).match(/\d+\.\d+\.\d+/g) ?? [];
const texts = [...new Set(complete), `Go ${go}`, `Python ${python}`].map((text) => text.replaceAll(".", "\\."));
const REPEATED = new RegExp(`(?<![\\d.])(?:${texts.join("|")})(?![\\d+])`, "g");

/** Each pinned version stands in versions.json: a file that can, imports it, and others are compared. */
export async function pinnedVersions(): Promise<CheckResult> {
  const listing = ["ls-files", "--cached", "--others", "--exclude-standard"];
  const { stdout } = await run("git", listing, { cwd: root });
  const files = stdout
    .trim()
    .split("\n")
    .filter((file) => !GENERATED.test(file) && existsSync(join(root, file)));
  const missing = COPIES.filter(([path]) => !files.some((file) => path.test(file)));
  return resultOf([...files.flatMap(problemsOf), ...missing.map(([path]) => `No file matches ${path}`)]);
}

function problemsOf(file: string): string[] {
  let text = textOf(file).replace(GENERATED_PART, "");
  const problems: string[] = [];
  for (const [path, pattern, version] of COPIES) {
    if (!path.test(file)) continue;
    const copies = [...text.matchAll(pattern)];
    // A pattern for one file is out of date where it finds nothing.
    if (copies.length === 0 && /^\^[^*]+$/.test(path.source)) problems.push(`${file} must contain ${pattern}`);
    const outdated = copies.filter(([, copy]) => copy !== String(version));
    problems.push(...outdated.map(([copy]) => `${file}: ${copy} must have ${version}, as versions.json does`));
    text = text.replace(pattern, "");
  }
  const repeated = [...text.matchAll(REPEATED)].map(([version]) => `${file} repeats ${version}: import versions.json`);
  return [...problems, ...repeated];
}
