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
  return `<code>${plain(text)}</code>`;
}
