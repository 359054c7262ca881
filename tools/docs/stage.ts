// Assembles the pages of the documentation site from the repository's Markdown.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { SetupError } from "../support/progress";
import { root, textOf } from "../support/repository";
import { EXAMPLE, exampleParts, LANGUAGES } from "./examples";
import { onWeb, pageFor, resolveLink, web, withLinks } from "./links";
import { descriptionOf, introduction, section } from "./sections";
import { forgotten, PAGES, titleOf, withTitle } from "./site-map";

const PICTURE = /\.(svg|png)$/;

/** Writes all pages and their pictures into a folder of their own. */
export function stage(folder: string): void {
  if (forgotten.length > 0) {
    throw new SetupError(`tools/docs/site-map.ts lacks ${forgotten.join(", ")}: add each to a group.`);
  }
  mkdirSync(join(folder, "public"), { recursive: true });
  copyFileSync(join(root, "simulator/page/icon.svg"), join(folder, "public/icon.svg"));
  const pictures = new Set<string>();
  for (const [source, address] of Object.entries(PAGES)) {
    const text = textOf(source);
    const page = withParts(withTabs(source === "README.md" ? homePage(text) : withTitle(source, text)));
    const linked = withLinks(page, (target) => linkFrom(source, address, target, pictures));
    write(join(folder, `${address}.md`), `${frontMatter(source, text)}${linked}`);
  }
  for (const picture of pictures) {
    mkdirSync(join(folder, "images"), { recursive: true });
    copyFileSync(join(root, picture), join(folder, "images", basename(picture)));
  }
}

/** The first page of the site: from the README its first paragraph, its pictures and its promises. */
function homePage(readme: string): string {
  const [prose = "", pictures = ""] = introduction(readme).split("\n\n");
  const [terminal, report] = pictures.match(/!\[[^\]]*\]\([^)]*\)/g) ?? [];
  return [
    `# pulumi-clouddb\n\n${prose}\n\n${terminal}\n\n`,
    "- [Install](docs/install.md) the package, or the plugin for Python, Go, YAML and others.\n",
    "- [Your first service](docs/getting-started.md): from an empty folder to `pulumi up`, without an account, in TypeScript, Python, Go or YAML.\n",
    "- [Concepts](docs/concepts.md): what to know before you use it for real.\n\n",
    `${exampleParts("Service")[0]}\n\n`,
    `In a pull request, [the report](docs/report.md) shows what will change:\n\n${report}\n\n`,
    `## What you can rely on\n\n${section(readme, "## What you can rely on")}\n`,
  ].join("");
}

/** A page's title, its description, and where to edit it. YAML includes JSON. */
function frontMatter(source: string, text: string): string {
  const isGenerated = /^<!-- Generated[^>]*Do not edit/.test(text);
  const editLink = isGenerated ? { editLink: false } : { source: `${web}/edit/main/${source}` };
  return `---\n${JSON.stringify({ title: titleOf(source), description: descriptionOf(text), ...editLink })}\n---\n\n`;
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
  return page.replace(EXAMPLE, (_, _example, part: string) => {
    const blocks = part.match(/^```\w+\n[\s\S]*?^```$/gm) ?? [];
    const tabs = blocks.map((block) =>
      block.replace(/^```(\w+)/, (fence, name: string) => `${fence} [${LANGUAGES[name]}]`),
    );
    return `::: code-group\n\n${tabs.join("\n\n")}\n\n:::`;
  });
}

/** Turn the sections between `<!-- tabs -->` and `<!-- end: tabs -->` into tabs. GitHub shows one after the other. */
function withParts(page: string): string {
  return page.replace(/<!-- tabs -->\n([\s\S]*?)<!-- end: tabs -->/g, (_, text: string) => {
    const parts = text.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
    const tabs = parts.map((part, index) => {
      const [, title] = /^## (.+)$/m.exec(part) ?? [];
      const checked = index === 0 ? " checked" : "";
      return `<input type="radio" name="part" id="part-${index}"${checked}><label for="part-${index}">${title}</label>`;
    });
    const blocks = parts.map(
      (part, index) => `<div class="vp-block${index === 0 ? " active" : ""}">\n\n${part}\n\n</div>`,
    );
    return `<div class="vp-code-group parts">\n<div class="tabs">${tabs.join("")}</div>\n<div class="blocks">\n${blocks.join("\n")}\n</div>\n</div>`;
  });
}

function write(path: string, text: string): void {
  // The development server reloads what is written, and loses files that are away for a moment.
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
