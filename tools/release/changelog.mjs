/** Changesets in the order in which readers look for them. */
const HEADINGS = { major: "Major changes", minor: "Minor changes", patch: "Patch changes" };
const ORDER = Object.keys(HEADINGS);

/** The section of a release, which says what its changesets say. */
export function sectionFor(version, changesets) {
  const groups = ORDER.map((type) => [type, changesets.filter((changeset) => typeOf(changeset) === type)]);
  const texts = groups
    .filter(([, entries]) => entries.length > 0)
    .map(([type, entries]) => `### ${HEADINGS[type]}\n\n${entries.map(entryFor).join("\n")}`);
  return `## ${version}\n\n${texts.join("\n\n")}\n`;
}

/** The changelog with a section before those of earlier releases. */
export function withSection(changelog, section) {
  const first = changelog.indexOf("\n## ") + 1;
  return first === 0
    ? `${changelog.trimEnd()}\n\n${section}`
    : `${changelog.slice(0, first)}${section}\n${changelog.slice(first)}`;
}

/** The text of a release's section, without its heading; undefined if there is none. */
export function sectionOf(changelog, version) {
  const [, ...sections] = `\n${changelog}`.split("\n## ");
  const section = sections.find((each) => each.startsWith(`${version}\n`));
  return section?.slice(version.length).trim();
}

/** The largest change among a changeset's packages. */
function typeOf({ releases }) {
  return ORDER.find((type) => releases.some((release) => release.type === type));
}

function entryFor({ releases, summary }) {
  const names = releases.map(({ name }) => `\`${name}\``).join(", ");
  return `- ${names}: ${summary.trim().replaceAll(/\n(?=.)/g, "\n  ")}`;
}
