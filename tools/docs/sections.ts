import MarkdownIt, { type Token } from "markdown-it";

/** The text under a heading of a page, without the heading, up to the next one of the same or a higher level. */
export function section(page: string, heading: string): string {
  const lines = page.split("\n");
  const level = /^#+/.exec(heading)?.[0].length ?? 0;
  const from = lines.indexOf(heading);
  if (from < 0) throw new Error(`No heading ${JSON.stringify(heading)}`);
  let isCode = false;
  const rest = lines.slice(from + 1);
  const length = rest.findIndex((line) => {
    if (/^\s*```/.test(line)) isCode = !isCode;
    const [hashes] = /^#+(?= )/.exec(line) ?? [];
    return !isCode && hashes !== undefined && hashes.length <= level;
  });
  return rest
    .slice(0, length < 0 ? undefined : length)
    .join("\n")
    .trim();
}

/** The paragraphs between the title of a page and its first section. */
export function introduction(page: string): string {
  const title = page.split("\n").find((line) => line.startsWith("# ")) ?? "";
  const [text = ""] = section(page, title).split(/\n#+ /);
  return text.trim();
}

/** Search engines show about two lines. */
const [ENOUGH, LONGEST] = [60, 200];

/** The first sentences of a page, without markup; undefined if it has none. */
export function descriptionOf(page: string): string | undefined {
  const tokens = new MarkdownIt({ html: true }).parse(page, {});
  const paragraph = tokens
    .filter((_, index) => tokens[index - 1]?.type === "paragraph_open")
    .map(({ children }) => (children ?? []).map(textOf).join(""))
    .find((text) => text !== "");
  const [first, ...others] = paragraph?.replace(/:$/, ".").split(/(?<=\.) /) ?? [];
  if (first === undefined) return undefined;
  const text = others.reduce((all, sentence) => (all.length < ENOUGH ? `${all} ${sentence}` : all), first);
  return text.length > LONGEST ? `${text.slice(0, text.lastIndexOf(" ", LONGEST))} …` : text;
}

/** The text of a part of a sentence; a comment has none. */
function textOf({ type, content }: Token): string {
  if (type === "softbreak") return " ";
  return type === "html_inline" ? "" : content;
}
