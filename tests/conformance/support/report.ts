import texts from "big-list-of-naughty-strings";
import { version as naughtyVersion } from "big-list-of-naughty-strings/package.json";
import { tests } from "commonmark-spec";
import { version } from "commonmark-spec/package.json";
import { plainText } from "../../../facts";
import type { Preview } from "../../../report/preview";
import { previewOf, stateOf, stepOf } from "../../contract/report/support/preview";
import { renderReport } from "../../contract/report/support/render";

export const NAUGHTY = {
  source: "big-list-of-naughty-strings on npm",
  version: naughtyVersion,
  texts: [...new Set(texts)],
};

/** Foreign texts, by their sources. */
export const MARKDOWN_TEXTS = [
  ["commonmark-spec on npm", { version, texts: tests.map(({ markdown }) => markdown) }],
  // A stack without a name has another title.
  [NAUGHTY.source, { version: NAUGHTY.version, texts: NAUGHTY.texts.filter((text) => text !== "") }],
] as const;

/** Renders Markdown as HTML; many at a time, because a renderer may be another program. */
export type Renderer = (markdown: readonly string[]) => readonly string[];

/** A preview with a text in each place that foreign text can have. */
function previewWith(text: string): Preview {
  const service = (...more: object[]) => stateOf({ id: text, inputs: Object.assign({ name: text }, ...more) });
  const urn = `urn:pulumi:dev::shop::component::c ${text}`;
  const created = stepOf("Service", text, "create", undefined, service({ tags: { [text]: text } }));
  const updated = stepOf(
    "Service",
    `b ${text}`,
    "update",
    service({ description: "before" }),
    service({ description: text }),
  );
  const policy = { policy: text, pack: text, urn: created.urn, message: text } as const;
  return {
    ...previewOf({ ...created, parent: urn }, updated),
    project: text,
    stack: text,
    drift: [{ ...updated, name: text }],
    policies: (["failed", "warned", "not checked", "remediated", "passed"] as const).map((result) => ({
      ...policy,
      result,
    })),
    outputs: { before: {}, after: { [`_${text}`]: text } },
    outcome: "failed",
    diagnostics: [{ severity: "error", urn: created.urn, message: text }],
  };
}

function markdownWith(text: string): string {
  const about = { notice: text, commit: "abc" };
  return renderReport([previewWith(text)], "markdown", { maxBytes: 1_000_000, about });
}

/** The elements and attributes of a page, without its text. */
function skeletonOf(html: string): string[] {
  return html.match(/<[!/a-z][^>]*>/gi)?.filter((tag) => !tag.startsWith("<!--")) ?? [];
}

/** Texts whose report has an element, such as a link, that the report of a plain word lacks. */
export function strayMarkup(texts: readonly string[], render: Renderer): string[] {
  const [expected = "", ...rendered] = render(["word", ...texts].map(markdownWith));
  return texts.flatMap((text, index) => {
    const [html = "", skeleton] = [rendered[index], skeletonOf(expected)];
    // There is no notice without a text.
    const hasNotice = plain(plainText(text)) !== "";
    const found = [...(hasNotice ? [] : skeleton.slice(0, skeleton.indexOf("<h3>"))), ...skeletonOf(html)];
    const at = found.findIndex((tag, place) => tag !== skeleton[place]);
    if (at < 0 && found.length === skeleton.length) return [];
    return `${JSON.stringify(text)} gives ${found[at]} instead of ${skeleton[at]}, after ${found.slice(Math.max(0, at - 3), at).join("")}`;
  });
}

/** Texts whose beginning a report does not show unchanged. */
export function missingTexts(texts: readonly string[], render: Renderer): string[] {
  const rendered = render(texts.map(markdownWith));
  return texts.filter((text, index) => {
    const shown = plain(unescaped((rendered[index] ?? "").replace(/<[^>]*>/g, "")));
    return !shown.includes(plain(plainText(text)).slice(0, 50));
  });
}

/** Renderers differ in white space, and a report breaks mentions by spaces without a width. */
function plain(text: string): string {
  return text
    .replace(/\u200b/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function unescaped(html: string): string {
  const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
  return html.replace(/&(?:#(\d+)|(\w+));/g, (all, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (named[name] ?? all),
  );
}
