import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { homepage, version } from "../../package.json";
import { root } from "../support/repository";
import { PAGES } from "./site-map";

/** The repository on the web. */
export const web = homepage.replace(/#readme$/, "");

const [owner, name] = web.split("/").slice(-2);
/** The address at which .github/workflows/site.yml publishes the site. */
export const siteAddress = `https://${owner}.github.io/${name}/`;

/** The target of a page's link on the site: a page, or a file of the repository as of this version. */
export function targetOnSite(source: string, target: string): string {
  const given = target.startsWith(`${web}/blob/main/`) ? target.slice(`${web}/blob/main`.length) : target;
  if (/^[a-z]+:|^#/.test(given)) return given;
  const [, name = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(given) ?? [];
  const path = posix.join(name.startsWith("/") ? "" : dirname(source), name).replace(/^\/|\/$/g, "");
  const page = PAGES[path] ?? PAGES[`${path}/README.md`];
  if (page !== undefined) return `/${page}.md${hash}`;
  if (!existsSync(join(root, path))) throw new Error(`${source}: the link ${target} leads to nothing`);
  return `${web}/blob/v${version}/${path}${hash}`;
}
