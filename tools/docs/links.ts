import { existsSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { homepage, version } from "../../package.json";
import { root } from "../support/repository";
import { PAGES } from "./site-map";

/** A path of the repository, and the part of it that a link names. */
interface Place {
  readonly path: string;
  readonly hash: string;
}

/** The repository on the web. */
export const web = homepage.replace(/#readme$/, "");

const [owner, name] = web.split("/").slice(-2);
/** The address at which .github/workflows/site.yml publishes the site. */
export const siteAddress = `https://${owner}.github.io/${name}/`;

/** Replaces the target of each link and picture of a page, except in code. */
export function withLinks(page: string, replace: (target: string) => string): string {
  let isCode = false;
  return page
    .split("\n")
    .map((line) => {
      const isFence = /^\s*```/.test(line);
      if (isFence) isCode = !isCode;
      if (isFence || isCode) return line;
      return line.replace(/(\]\()([^()\s]+)(\))/g, (_, before, target, after) => before + replace(target) + after);
    })
    .join("\n");
}

/** The repository path and `#` part of a link's target; undefined outside the repository or on the same page. */
export function resolveLink(source: string, target: string): Place | undefined {
  const given = target.startsWith(`${web}/blob/main/`) ? `/${target.slice(`${web}/blob/main/`.length)}` : target;
  if (/^[a-z]+:|^#/.test(given)) return undefined;
  const [, name = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(given) ?? [];
  const path = name.startsWith("/") ? name.slice(1) : posix.join(dirname(source), name);
  if (!existsSync(join(root, path))) throw new Error(`${source}: the link ${target} leads to nothing`);
  return { path: path.replace(/\/$/, ""), hash };
}

/** The page that shows a path of the repository, if the site has one. */
export function pageFor(path: string): string | undefined {
  return PAGES[path] ?? PAGES[`${path}/README.md`];
}

/** A path of the repository on the web, as of this version. */
export function onWeb({ path, hash }: Place): string {
  const kind = statSync(join(root, path)).isDirectory() ? "tree" : "blob";
  return `${web}/${kind}/v${version}/${path}${hash}`;
}
