// Adapts pages for the site: tabs, links to files outside of the site, and descriptions.
import { relative } from "node:path";
import type MarkdownIt from "markdown-it";
import { root } from "../support/repository";
import { EXAMPLE, LANGUAGES } from "./examples";
import { targetOnSite } from "./site-map";

/** Adds tabs and replaces the targets of links. */
export function forSite(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.core.ruler.before("normalize", "languages", (state) => {
    state.src = withTabs(state.src);
  });
  markdown.core.ruler.after("inline", "targets", ({ tokens, env }) => {
    // The search renders a file under its own path.
    const { realPath, path } = env as { readonly realPath?: string; readonly path: string };
    const source = relative(root, realPath ?? path);
    const links = tokens
      .flatMap(({ children }) => children ?? [])
      .filter(({ type }) => type === "link_open");
    for (const link of links)
      link.attrSet("href", targetOnSite(source, String(link.attrGet("href"))));
  });
}

/** Turns programs in several languages into tabs. */
function withTabs(page: string): string {
  return page.replace(EXAMPLE, (_, _name, part: string) => {
    const tabs = [...part.matchAll(/^```(\w+)\n[\s\S]*?^```$/gm)].map(
      ([block, language = ""]) => `== ${LANGUAGES[language]}\n\n${block}`,
    );
    return `:::tabs key:language variant:code\n\n${tabs.join("\n\n")}\n\n:::`;
  });
}

/** The first sentences of a page without markup. Search engines show about two lines. */
export function descriptionOf(page: string): string | undefined {
  const paragraph = page.split("\n\n").find((text) => /^[A-Za-z`[*]/.test(text));
  const text = paragraph
    ?.trim()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/:$/, ".");
  const [start] = /^.{60,}?\.(?= |$)/.exec(text ?? "") ?? [text];
  return start && start.length > 200 ? `${start.slice(0, start.lastIndexOf(" ", 200))} …` : start;
}
