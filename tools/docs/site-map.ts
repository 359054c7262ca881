// The pages of the documentation site: the source, title and address of each, and links to it.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import sidebarData from "../../docs/.vitepress/sidebar.json";
import { homepage, version } from "../../package.json";
import { root, textOf } from "../support/repository";

/** Pages for Pulumi's registry, written by a release. */
export const OF_THE_REGISTRY = ["_index.md", "installation-configuration.md"];

const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md") && !OF_THE_REGISTRY.includes(name))
  .map((name) => `docs/${name.replaceAll("\\", "/")}`);

/** A page by its path, a page with another address or title on the site, or a group of pages. */
type Entry = string | Page | { readonly text: string; readonly items: readonly Entry[] };

interface Page {
  readonly source: string;
  readonly address?: string;
  readonly text?: string;
}

export const sidebar: readonly Entry[] = sidebarData;

const pagesIn = (entry: Entry): readonly Page[] => {
  if (typeof entry === "string") return [{ source: entry }];
  return "items" in entry ? entry.items.flatMap(pagesIn) : [entry];
};

const pages = sidebar.flatMap(pagesIn);

/** Each page's source and address, such as `guides/adopt`. */
export const PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  pages.map(({ source, address }) => [source, address ?? source.replace(/^docs\/|\.md$/g, "")]),
);

const forgotten = inDocs.filter((source) => PAGES[source] === undefined);
if (forgotten.length > 0)
  throw new Error(`docs/.vitepress/sidebar.json lacks ${forgotten.join(", ")}.`);

/** The title of a page on the site. Default: its first heading. */
export function titleOf(source: string): string {
  const [, title] = FIRST_HEADING.exec(textOf(source)) ?? [];
  if (title === undefined) throw new Error(`${source} has no title`);
  return pages.find((page) => page.source === source)?.text ?? title.replaceAll("`", "");
}

const FIRST_HEADING = /^# (.+)$/m;

/** The repository on the web. */
export const web = homepage.replace(/#readme$/, "");

const [owner, name] = web.split("/").slice(-2);
/** The address of the published site, by .github/workflows/site.yml. */
export const siteAddress = `https://${owner}.github.io/${name}/`;

/** The target of a link on the site: a page, or a file in the repository at this version. */
export function targetOnSite(source: string, target: string): string {
  const given = target.startsWith(`${web}/blob/main/`)
    ? target.slice(`${web}/blob/main`.length)
    : target;
  if (/^[a-z]+:|^#/.test(given)) return given;
  const [, name = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(given) ?? [];
  const path = posix
    .join(name.startsWith("/") ? "" : dirname(source), name)
    .replace(/^\/|\/$/g, "");
  const page = PAGES[path] ?? PAGES[`${path}/README.md`];
  if (page !== undefined) return `/${page}.md${hash}`;
  if (!existsSync(join(root, path)))
    throw new Error(`${source}: the link ${target} leads to nothing`);
  return `${web}/blob/v${version}/${path}${hash}`;
}
