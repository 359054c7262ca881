import { run } from "../support/process";
import { textOf } from "../support/repository";

/** The heading of a section that no release has yet, as only the first release's is. */
const UNRELEASED = /^## (\S+) \(unreleased\)$/m;

/** True from the preparation of the first release on: until then, no package is on npm, and no tag exists. */
export function isReleased(changelog = textOf("CHANGELOG.md")): boolean {
  return !UNRELEASED.test(changelog);
}

/** The changelog with the heading of the first release. */
export function withFirstHeading(changelog: string, heading: string): string {
  return changelog.replace(UNRELEASED, heading);
}

const MARKED = /<!-- unreleased -->(\n?)([\s\S]*?)<!-- released(?::\s*([\s\S]*?))?\s*-->(\n*)/g;

/**
 * A page as the first release makes it: `<!-- unreleased -->NOW<!-- released: THEN -->` becomes THEN, in a sentence or
 * with each part on lines of its own. `<!-- released -->` is for nothing. A comment inside of THEN is `<!- so ->`.
 */
export function asReleased(page: string): string {
  return page.replace(MARKED, (_, isBlock: string, _now, later = "", end = "") => {
    if (later === "") return isBlock ? "" : end;
    return later.replaceAll(/<!- (.*?) ->/g, "<!-- $1 -->") + end;
  });
}

/** A page as it is before the first release, without the marks. */
export function asUnreleased(page: string): string {
  return page.replace(MARKED, (_, isBlock: string, now: string, _later, end = "") => {
    return isBlock ? now.trimEnd() + end : now + end;
  });
}

/** True if a page has a mark, a complete one or half of one. */
export function isMarked(page: string): boolean {
  return /<!-- (?:un)?released\b/.test(page);
}

/** The pages of a repository that have marks. */
export async function markedPages(folder: string): Promise<string[]> {
  const { stdout } = await run("git", ["grep", "-lE", "<!-- (un)?released", "--", "*.md"], { cwd: folder });
  return stdout.split("\n").filter((path) => path !== "");
}
