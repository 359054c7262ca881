/*
 * The plain text of a gateway's page. The expressions stop at the next `<`, so they run in linear time.
 */

const UNSEEN = /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\b[^<>]*>?|$)/gi;
/** Also one that is cut at the end. */
const TAG = /<[a-z/!?][^<>]*(?:>|$)/gi;
export const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,5});/gi;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
const LAST_CHARACTER = 0x10ffff;

/** A page rather than a text in which `<` stands for itself. */
const PAGE = /<(?:\/[a-z]|!doctype|html\b)/i;

/** The title or the first heading of a page, or else its text. Other texts stay as they are. */
export function pageText(page: string): string {
  if (!PAGE.test(page)) return page;
  const seen = page.replace(UNSEEN, " ");
  const [title, heading] = ["title", "h1"].map((name) => contentsOf(name, seen));
  return title || heading || plainText(seen);
}

function contentsOf(name: string, page: string): string {
  const start = new RegExp(`<${name}(?:\\s[^<>]*)?>`, "i").exec(page);
  if (start === null) return "";
  const rest = page.slice(start.index + start[0].length);
  const end = rest.search(new RegExp(`</${name}\\b`, "i"));
  return plainText(end === -1 ? rest : rest.slice(0, end));
}

function plainText(html: string): string {
  const text = html.replace(TAG, " ").replace(ENTITY, decodeEntity);
  return text.toWellFormed().replace(/\s+/g, " ").trim();
}

/** The character that an entity spells, or the entity where there is none. */
export function decodeEntity(entity: string): string {
  const name = entity.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return NAMED[name] ?? entity;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= LAST_CHARACTER ? String.fromCodePoint(code) : entity;
}
