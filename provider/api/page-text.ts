import { decodeEntities } from "pulumi-clouddb-facts";

/* The plain text of a gateway's page. The expressions stop at the next `<`, so they run in linear time. */

const UNSEEN = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\b[^<>]*>?|$)/gi;
/** Also one that is cut at the end. */
const TAG = /<[a-z/!?][^<>]*(?:>|$)/gi;
/** A page rather than a text in which `<` stands for itself. */
const PAGE = /<(?:\/[a-z]|!doctype|html\b)/i;

/** The title or the first heading of a page, or else its text. Other texts stay as they are. */
export function pageText(page: string): string {
  if (!PAGE.test(page)) return page;
  const seen = page.replace(UNSEEN, " ");
  const [title, heading] = ["title", "h1"].map((name) => contentsOf(name, seen));
  return title || heading || seenText(seen);
}

function contentsOf(name: string, page: string): string {
  const [, rest = ""] = page.split(new RegExp(`<${name}(?:\\s[^<>]*)?>`, "i"), 2);
  return seenText(rest.split(new RegExp(`</${name}\\b`, "i"), 1).join());
}

function seenText(html: string): string {
  return decodeEntities(html.replace(TAG, " ")).replace(/\s+/g, " ").trim();
}
