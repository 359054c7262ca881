/**
 * Unprinted characters: control characters, white space, and invisible characters that affect
 * their neighbors.
 */
export const UNPRINTED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal must not get any
  /([\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff])|[\u0000-\u001f\u007f-\u009f\s]+/g;
/** Replaces unprinted characters with nothing or a space. */
export const toPrinted = (_: string, invisible?: string): string =>
  invisible === undefined ? " " : "";

/** A text on one line that every terminal and encoder supports. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(UNPRINTED, toPrinted);
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Truncates a text to a number of UTF-16 units, between characters. */
export function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "") : text;
}

/** A text on one line, truncated with an ellipsis. */
export function toSingleLine(text: string, maxLength: number): string {
  const line = plainText(text).trim();
  return line.length > maxLength ? `${cut(line, maxLength)}…` : line;
}

/**
 * Escapes a line or table cell for GitHub, GitLab and Azure DevOps: no markup, links, mentions or
 * line breaks.
 */
export function escapeMarkdown(text: string): string {
  // The platforms recognize mentions, references and URLs in the rendered text, so an entity does
  // not prevent them.
  return plainText(text).replace(/[&<>\\`*_{}[\]|~$!]|[@#]|:(?=\/\/)|www(?=\.)/g, (match) =>
    /[@#:w]/.test(match) ? `${match}&#8203;` : `&#${match.charCodeAt(0)};`,
  );
}

export const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,5});/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** The character of an HTML entity; an unknown entity stays. */
export function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return NAMED[name] ?? entity;
  const code = Number(name.replace(/^#x?/, name.startsWith("#x") ? "0x" : ""));
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}
