import MarkdownIt, { type Token } from "markdown-it";

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
