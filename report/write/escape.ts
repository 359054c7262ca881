/** Texts of others, in Markdown that GitHub and GitLab render: they stay texts. */

const ZERO_WIDTH_SPACE = "&#8203;";

/** Inside a line or a table's cell. Nothing in it is markup, a link, a mention or an end of the line. */
export function plain(text: string): string {
  return (
    // What is no whole character is none: half of one would end an encoder.
    Buffer.from(text)
      .toString()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
      .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
      // Mentions, references and addresses are looked for in what is rendered: there they are broken up.
      .replace(/[&<>\\`*_{}[\]|~$!]|[@#]|:(?=\/\/)|www(?=\.)/g, (found) =>
        /[@#:w]/.test(found) ? found + ZERO_WIDTH_SPACE : `&#${found.charCodeAt(0)};`,
      )
  );
}

/** The same as code: a name or a value. */
export function code(text: string): string {
  return asCode(plain(text));
}

/** A name within so many bytes, without those of the markup around it. */
export function codeWithin(text: string, bytes: number): string {
  return asCode(plainWithin(text, bytes));
}

function asCode(escaped: string): string {
  return `<code>${escaped}</code>`;
}

/** A text that takes at most so many bytes as it is written: an escaped character may take eight. */
export function plainWithin(text: string, bytes: number): string {
  const whole = plain(text);
  if (Buffer.byteLength(whole) <= bytes) return whole;
  let end = 0;
  let used = 0;
  for (const character of text) {
    // With what follows, these may be written longer than alone.
    used += Buffer.byteLength(plain(character)) + (/[:w]/.test(character) ? ZERO_WIDTH_SPACE.length : 0);
    if (used > bytes) break;
    end += character.length;
  }
  return `${plain(text.slice(0, end))}…`;
}
