// Assembles the pages of the documentation site from the repository's Markdown.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { asUnreleased } from "../release/first-release";
import { SetupError } from "../support/progress";
import { root, textOf } from "../support/repository";
import { inLanguages, LANGUAGES, LANGUAGES_END, LANGUAGES_START } from "./examples";
import { onWeb, pageFor, resolveLink, web, withLinks } from "./links";
import { introduction, section } from "./sections";
import { forgotten, PAGES, titleOf } from "./site-map";

const PICTURE = /\.(svg|png)$/;

/** Writes all pages and their pictures into a folder of their own. */
export function stage(folder: string): void {
  if (forgotten.length > 0) {
    throw new SetupError(`tools/docs/site-map.ts lacks ${forgotten.join(", ")}: add each to a group.`);
  }
  rmSync(folder, { recursive: true, force: true });
  const pictures = new Set<string>();
  for (const [source, address] of Object.entries(PAGES)) {
    const text = asUnreleased(textOf(source));
    const page = withTabs(source === "README.md" ? homePage(text) : text);
    const linked = withLinks(page, (target) => linkFrom(source, address, target, pictures));
    write(join(folder, `${address}.md`), `${frontMatter(source, text)}${linked}`);
  }
  for (const picture of pictures) {
    mkdirSync(join(folder, "images"), { recursive: true });
    copyFileSync(join(root, picture), join(folder, "images", basename(picture)));
  }
}

/** The first page of the site: parts of the README, with the smallest program in each language at once. */
function homePage(readme: string): string {
  const [prose, picture] = introduction(readme).split("\n\n");
  const part = (title: string) => `## ${title}\n\n${section(readme, `## ${title}`)}\n\n`;
  return [
    `# pulumi-clouddb\n\n${prose}\n\n`,
    inLanguages("service"),
    `[Getting started](docs/getting-started.md) goes from an empty folder to \`pulumi up\`.\n\n${picture}\n\n`,
    part("What you can rely on"),
    part("Try it"),
    part("Other languages and `pulumi import`"),
  ].join("");
}

/** A page's title, and where to edit it. YAML includes JSON. */
function frontMatter(source: string, text: string): string {
  const isGenerated = text.startsWith("<!-- Generated");
  const editLink = isGenerated ? { editLink: false } : { source: `${web}/edit/main/${source}` };
  return `---\n${JSON.stringify({ title: titleOf(source), ...editLink })}\n---\n\n`;
}

function linkFrom(source: string, address: string, target: string, pictures: Set<string>): string {
  const found = resolveLink(source, target);
  if (found === undefined) return target;
  const page = pageFor(found.path);
  if (page !== undefined) return relative(address, `${page}.md`) + found.hash;
  if (!PICTURE.test(found.path)) return onWeb(found);
  pictures.add(found.path);
  return relative(address, `images/${basename(found.path)}`);
}

function relative(address: string, path: string): string {
  const link = posix.relative(dirname(address), path);
  return link.startsWith(".") ? link : `./${link}`;
}

/** Turn a program in several languages into tabs. */
function withTabs(page: string): string {
  const titles = Object.fromEntries(Object.values(LANGUAGES).map(({ fence, title }) => [fence, title]));
  const parts = page.split(new RegExp(`${LANGUAGES_START}\n([\\s\\S]*?)${LANGUAGES_END}`));
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return part;
      const blocks = part.match(/^```\w+\n[\s\S]*?^```$/gm) ?? [];
      const tabs = blocks.map((block) =>
        block.replace(/^```(\w+)/, (fence, name: string) => `${fence} [${titles[name]}]`),
      );
      return `::: code-group\n\n${tabs.join("\n\n")}\n\n:::`;
    })
    .join("");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
