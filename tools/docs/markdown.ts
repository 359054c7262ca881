// Differences between the site and GitHub: tabs, links to files that are no pages, and descriptions.
import { relative } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import { root } from "../support/repository";
import { EXAMPLE, LANGUAGES } from "./examples";
import { targetOnSite } from "./site-map";

/** Adds tabs, and the targets that links have on the site. */
export function forSite(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.before("normalize", "tabs", (state) => {
    state.src = withParts(withLanguages(state.src));
  });
  markdown.core.ruler.after("inline", "targets", ({ tokens, env }) => {
    // The search renders files at their own place.
    const { realPath, path } = env as { readonly realPath?: string; readonly path: string };
    const source = relative(root, realPath ?? path);
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === "link_open");
    for (const link of links) link.attrSet("href", targetOnSite(source, String(link.attrGet("href"))));
  });
}

/** Turns a program in several languages into tabs. */
function withLanguages(page: string): string {
  return page.replace(EXAMPLE, (_, _example, part: string) => {
    const blocks = part.match(/^```\w+\n[\s\S]*?^```$/gm) ?? [];
    const tabs = blocks.map((block) =>
      block.replace(/^```(\w+)/, (fence, name: string) => `${fence} [${LANGUAGES[name]}]`),
    );
    return `::: code-group\n\n${tabs.join("\n\n")}\n\n:::`;
  });
}

/** Turns the sections between `<!-- tabs -->` and `<!-- end: tabs -->` into tabs. GitHub shows one after the other. */
function withParts(page: string): string {
  return page.replace(/<!-- tabs -->\n([\s\S]*?)<!-- end: tabs -->/g, (_, text: string) => {
    const parts = text.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
    const tabs = parts.map((part, index) => {
      const [, title] = /^## (.+)$/m.exec(part) ?? [];
      const checked = index === 0 ? " checked" : "";
      return `<input type="radio" name="part" id="part-${index}"${checked}><label for="part-${index}">${title}</label>`;
    });
    const blocks = parts.map(
      (part, index) => `<div class="vp-block${index === 0 ? " active" : ""}">\n\n${part}\n\n</div>`,
    );
    return `<div class="vp-code-group parts">\n<div class="tabs">${tabs.join("")}</div>\n<div class="blocks">\n${blocks.join("\n")}\n</div>\n</div>`;
  });
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
