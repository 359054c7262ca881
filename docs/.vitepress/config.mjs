import { defineConfig } from "vitepress";
import llmstxt from "vitepress-plugin-llms";
import { tabsMarkdownPlugin } from "vitepress-plugin-tabs";
import { version } from "../../package.json";
import { descriptionOf, forSite } from "../../tools/docs/markdown";
import {
  OF_THE_REGISTRY,
  PAGES,
  sidebar,
  siteAddress,
  titleOf,
  web,
} from "../../tools/docs/site-map";
import { textOf } from "../../tools/support/repository";

const skill = `[Common tasks and traps](${web}/raw/main/provider/skills/pulumi-clouddb/SKILL.md), as a skill for coding assistants.`;

export default defineConfig({
  title: "pulumi-clouddb",
  description: descriptionOf(textOf("README.md")),
  lang: "en",
  sitemap: { hostname: siteAddress },
  transformHead: headOf,
  srcDir: "..",
  srcExclude: [
    ...OF_THE_REGISTRY.map((name) => `docs/${name}`),
    "*/dist/**",
    ".*/**",
    "examples/*/**",
    "{facts,findings,provider,sdks,templates,tests}/**",
  ],
  rewrites: Object.fromEntries(
    Object.entries(PAGES).map(([source, address]) => [source, `${address}.md`]),
  ),
  transformPageData: pageDataOf,
  outDir: "../dist/site",
  cacheDir: "../.cache/vitepress",
  // Each page as Markdown, and llms.txt.
  vite: { plugins: [llmstxt({ excludeIndexPage: false, details: skill })] },
  markdown: {
    config: (markdown) => forSite(markdown.use(tabsMarkdownPlugin)),
    anchor: { slugify: anchorOnGitHub },
    // The default themes' comments are too pale for readers who need contrast.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        _render: searchedText,
        miniSearch: { options: { tokenize }, searchOptions: { processTerm, boostDocument } },
      },
    },
    sidebar: sidebar.map(sidebarItem),
    outline: { level: [2, 3] },
    editLink: { pattern: `${web}/edit/main/:path`, text: "Edit this page on GitHub" },
    socialLinks: [{ icon: "github", link: web }],
    notFound: {
      title: "Page not found",
      quote: "There is no page at this address. Search for its topic, or start at the home page.",
      linkText: "Home page",
      linkLabel: "Home page",
    },
    nav: [{ text: `Changelog (v${version})`, link: `/${PAGES["CHANGELOG.md"]}` }],
  },
});

/** The title of a page on the site, and its first sentences. Generated pages are not edited. */
function pageDataOf({ filePath, frontmatter }) {
  const text = textOf(filePath);
  const editLink = !/^<!-- Generated[^>]*Do not edit/.test(text);
  return {
    title: titleOf(filePath),
    description: descriptionOf(text),
    frontmatter: { ...frontmatter, editLink },
  };
}

/** The icon of a page, its address, and what other sites show beside a link to it. */
function headOf({ page, pageData, siteData, description }) {
  const href = `data:image/svg+xml,${encodeURIComponent(textOf("simulator/page/icon.svg"))}`;
  const icon = ["link", { rel: "icon", type: "image/svg+xml", href }];
  if (pageData.isNotFound) return [icon];
  const url = new URL(
    page.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1"),
    siteAddress,
  ).href;
  const properties = {
    type: "website",
    site_name: siteData.title,
    title: pageData.title,
    description,
    url,
  };
  const tags = Object.entries(properties).map(([name, content]) => [
    "meta",
    { property: `og:${name}`, content },
  ]);
  return [icon, ["link", { rel: "canonical", href: url }], ...tags];
}

/** Groups are collapsed, but VitePress opens those of the page that is shown. */
function sidebarItem(entry) {
  if (entry.items)
    return { text: entry.text, collapsed: true, items: entry.items.map(sidebarItem) };
  const source = entry.source ?? entry;
  return { text: titleOf(source), link: `/${PAGES[source].replace(/(^|\/)index$/, "$1")}` };
}

/** The part of a page that the search knows. Readers search for solutions, not for reasons. */
function searchedText(source, env, markdown) {
  return env.relativePath.startsWith("docs/decisions/") ? "" : markdown.render(source, env);
}

/** Keeps addresses and networks whole. VitePress sends the functions of the search as text. */
function tokenize(text) {
  const address = /\d+(?:\.\d+){3}(?:\/\d+)?/g;
  return [...(text.match(address) ?? []), ...text.replace(address, " ").split(/[\s\p{Z}\p{P}]+/u)];
}

/** Drops stop words, adds synonyms, and looks for the singular, of which the plural begins. */
function processTerm(typed) {
  const stopWords =
    "a all an and are by can do does for from how i in is it my of on or the to what when which with";
  const synonyms = {
    "0.0.0.0/0": "open access everyone",
    delete: "stop managing",
    destroy: "stop managing",
    env: "environment configuration",
    import: "adopt",
    latest: "messages install",
    list: "find id",
    lost: "rotate",
    nightly: "drift",
    only: "readonly isreadonly",
    schedule: "drift",
    var: "variable",
    vars: "variable",
    wrong: "messages",
  };
  const term = typed.toLowerCase();
  if (stopWords.split(" ").includes(term)) return null;
  const other = Object.hasOwn(synonyms, term) ? synonyms[term].split(" ") : [];
  return [term.replace(/(?<=[^s]{3})s$/, ""), ...other];
}

/** Guides first; pages for those who know the product already, or change it, last. */
function boostDocument(address) {
  if (/\/(changelog|contributing|architecture|performance|compare)/.test(address)) return 0.3;
  return /\/(guides|configuration)/.test(address) ? 1.5 : 1;
}

/** The anchor of a heading on GitHub, so that links lead to it here and there. */
function anchorOnGitHub(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
