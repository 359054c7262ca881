import MarkdownIt from "markdown-it";
import { conclude } from "../support/conclude";
import { MARKDOWN_TEXTS, missingTexts, strayMarkup } from "../support/report";

const markdownIt = new MarkdownIt({ html: true, linkify: true });
// GitHub, GitLab and Azure DevOps link no domains without a scheme.
markdownIt.linkify.set({ fuzzyLink: false });
const render = (all: readonly string[]) => all.map((text) => markdownIt.render(text));

test.each(MARKDOWN_TEXTS)("%s are texts in a report, and nothing else", (source, { version, texts }) => {
  const failures = [...strayMarkup(texts, render), ...missingTexts(texts, render)];
  conclude({ source: `${source}, rendered by markdown-it`, version }, texts.length, failures);
});
