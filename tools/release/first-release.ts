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

const MARKED = /<!-- unreleased -->(\n?)[\s\S]*?<!-- released(?::\s*([\s\S]*?))?\s*-->(\n*)/g;

/**
 * A page as the first release makes it: `<!-- unreleased -->NOW<!-- released: THEN -->` becomes THEN, in a sentence or
 * with each part on lines of its own. `<!-- released -->` is for nothing. A comment inside of THEN is `<!- so ->`.
 */
export function asReleased(page: string): string {
  return page.replace(MARKED, (_, isBlock: string, later = "", end = "") => {
    if (later === "") return isBlock ? "" : end;
    return later.replaceAll("<!- ", "<!-- ").replaceAll(" ->\n", " -->\n") + end;
  });
}

/** True if a page has a mark, a complete one or half of one. */
export function isMarked(page: string): boolean {
  return /<!-- (?:un)?released\b/.test(page);
}
