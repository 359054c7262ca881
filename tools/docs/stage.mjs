// Assembles the pages of the documentation site from the repository's Markdown.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { SetupError } from "../setup/report.mjs";
import { root } from "../setup/root.mjs";
import { homePage } from "./home-page.mjs";
import { LANGUAGES, LANGUAGES_END, LANGUAGES_START } from "./languages.mjs";
import { onWeb, pageFor, resolveLink, web, withLinks } from "./links.mjs";
import { forgotten, PAGES, titleOf } from "./site-map.mjs";

const PICTURE = /\.(svg|png)$/;

/** Writes all pages and their pictures into a folder of their own. */
export function stage(folder) {
  if (forgotten.length > 0) {
    throw new SetupError(`tools/docs/site-map.mjs lacks ${forgotten.join(", ")}: add each to a group.`);
  }
  rmSync(folder, { recursive: true, force: true });
  const pictures = new Set();
  for (const [source, address] of Object.entries(PAGES)) {
    const text = readFileSync(join(root, source), "utf8");
    const page = withTabs(source === "README.md" ? homePage(text) : text);
    const linked = withLinks(page, (target) => linkFrom(source, address, target, pictures));
    write(join(folder, `${address}.md`), `${frontMatter(source, text)}${linked}`);
  }
  for (const picture of pictures) {
    mkdirSync(join(folder, "images"), { recursive: true });
    copyFileSync(join(root, picture), join(folder, "images", basename(picture)));
  }
}

/** A page's title, and where to edit it. YAML includes JSON. */
function frontMatter(source, text) {
  const isGenerated = text.startsWith("<!-- Generated");
  const editLink = isGenerated ? { editLink: false } : { source: `${web}/edit/main/${source}` };
  return `---\n${JSON.stringify({ title: titleOf(source), ...editLink })}\n---\n\n`;
}

function linkFrom(source, address, target, pictures) {
  const found = resolveLink(source, target);
  if (found === undefined) return target;
  const page = pageFor(found.path);
  if (page !== undefined) return relative(address, `${page}.md`) + found.hash;
  if (!PICTURE.test(found.path)) return onWeb(found);
  pictures.add(found.path);
  return relative(address, `images/${basename(found.path)}`);
}

function relative(address, path) {
  const way = posix.relative(dirname(address), path);
  return way.startsWith(".") ? way : `./${way}`;
}

/** Turn a program in several languages into tabs. */
function withTabs(page) {
  const titles = Object.fromEntries(Object.values(LANGUAGES).map(({ fence, title }) => [fence, title]));
  const parts = page.split(new RegExp(`${LANGUAGES_START}\n([\\s\\S]*?)${LANGUAGES_END}`));
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const blocks = part.match(/^```\w+\n[\s\S]*?^```$/gm) ?? [];
      const tabs = blocks.map((block) => block.replace(/^```(\w+)/, (fence, name) => `${fence} [${titles[name]}]`));
      return `::: code-group\n\n${tabs.join("\n\n")}\n\n:::`;
    })
    .join("");
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
