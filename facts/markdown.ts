import { stripVTControlCharacters } from "node:util";

/** Foreign text in the Markdown of GitHub, GitLab and Azure DevOps, and on terminals. */

/** A message without colors: those of a terminal, and the directives of event logs, such as `<{%fg 1%}>`. */
export function plainText(message: string): string {
  // No directive has a percent sign: an unfinished one is not searched to the end.
  return stripVTControlCharacters(message.replace(/<\{%[^%\n]*%\}>/g, "")).trim();
}

const ZERO_WIDTH_SPACE = "&#8203;";

/** Removes line breaks, invisible characters and halves of surrogate pairs, which would make encoders fail. */
export function visibleText(text: string): string {
  return (
    Buffer.from(text)
      .toString()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
      .replace(/[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
  );
}

/** For a line or a table cell: without markup, links, mentions or line breaks. */
export function escapeText(text: string): string {
  return (
    visibleText(text)
      // Mentions, references and URLs are recognized in the rendered text, so an entity does not stop them.
      .replace(/[&<>\\`*_{}[\]|~$!]|[@#]|:(?=\/\/)|www(?=\.)/g, (match) =>
        /[@#:w]/.test(match) ? match + ZERO_WIDTH_SPACE : `&#${match.charCodeAt(0)};`,
      )
  );
}

/** Cut to a number of bytes after escaping: an escaped character may take eight. */
export function escapeWithin(text: string, bytes: number): string {
  const whole = escapeText(text);
  if (Buffer.byteLength(whole) <= bytes) return whole;
  let end = 0;
  let used = 0;
  for (const character of text) {
    // Before certain characters, these are escaped as well.
    used += Buffer.byteLength(escapeText(character)) + (/[:w]/.test(character) ? ZERO_WIDTH_SPACE.length : 0);
    if (used > bytes) break;
    end += character.length;
  }
  return `${escapeText(text.slice(0, end))}…`;
}

/** A name or value as code, cut to a number of bytes, without those of the markup around it. */
export function codeSpan(text: string, bytes = Number.POSITIVE_INFINITY): string {
  return `<code>${escapeWithin(text, bytes)}</code>`;
}
