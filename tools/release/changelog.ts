import { web } from "../docs/links";

export interface Changeset {
  readonly id: string;
  readonly summary: string;
  readonly releases: readonly { readonly name: string; readonly type: string }[];
}

/** The changesets of a repository. */
export async function changesetsIn(folder: string): Promise<readonly Changeset[]> {
  // A CommonJS module cannot import an ES module in another way.
  const { readChangesets } = await import("@changesets/read");
  return readChangesets(folder);
}

/** Changesets in the order in which readers look for them. */
const HEADINGS = { major: "Major changes", minor: "Minor changes", patch: "Patch changes" };
const ORDER = ["major", "minor", "patch"] as const;

/** The heading of a release, with a link to its changes since the previous one. */
export function headingFor(version: string, date: Date, previous: string): string {
  return `## [${version}](${web}/compare/v${previous}...v${version}) (${date.toISOString().slice(0, 10)})`;
}

/** The section of a release, which says what its changesets say. */
export function sectionFor(heading: string, changesets: readonly Changeset[]): string {
  const groups = ORDER.map((type) => ({ type, entries: changesets.filter((each) => largestChange(each) === type) }));
  const texts = groups
    .filter(({ entries }) => entries.length > 0)
    .map(({ type, entries }) => `### ${HEADINGS[type]}\n\n${entries.map(entryFor).join("\n")}`);
  return `${heading}\n\n${texts.join("\n\n")}\n`;
}

/** The changelog with a section before those of earlier releases. */
export function withSection(changelog: string, section: string): string {
  const first = changelog.indexOf("\n## ") + 1;
  return first === 0
    ? `${changelog.trimEnd()}\n\n${section}`
    : `${changelog.slice(0, first)}${section}\n${changelog.slice(first)}`;
}

/** The text of a release's section, without its heading; undefined if there is none. */
export function sectionOf(changelog: string, version: string): string | undefined {
  const [, ...sections] = `\n${changelog}`.split("\n## ");
  const section = sections.find((each) => /^\[?([^\]\s]+)/.exec(each)?.[1] === version);
  return section?.slice(section.indexOf("\n")).trim();
}

/** The largest change among a changeset's packages. */
function largestChange({ releases }: Changeset): keyof typeof HEADINGS | undefined {
  return ORDER.find((type) => releases.some((release) => release.type === type));
}

function entryFor({ releases, summary }: Changeset): string {
  const names = releases.map(({ name }) => `\`${name}\``).join(", ");
  return `- ${names}: ${summary.trim().replaceAll(/\n(?=.)/g, "\n  ")}`;
}
