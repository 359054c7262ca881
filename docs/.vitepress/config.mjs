import { defineConfig } from "vitepress";
import llmstxt from "vitepress-plugin-llms";
import { version } from "../../package.json";
import { descriptionOf, forSite } from "../../tools/docs/markdown";
import { GROUPS, OF_THE_REGISTRY, PAGES, siteAddress, titleOf, web } from "../../tools/docs/site-map";
import { textOf } from "../../tools/support/repository";
import { search } from "./search.mjs";

const skill = `[Common tasks and traps](${web}/raw/main/provider/SKILL.md), as a skill for coding assistants.`;
/** GitHub's mark, from Simple Icons: by its name, VitePress may fetch it from another host. */
const GITHUB_MARK =
  "M12 .297c-6.63 0-12 5.373-12 12c0 5.303 3.438 9.8 8.205 11.385c.6.113.82-.258.82-.577c0-.285-.01-1.04-.015-2.04c-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729c1.205.084 1.838 1.236 1.838 1.236c1.07 1.835 2.809 1.305 3.495.998c.108-.776.417-1.305.76-1.605c-2.665-.3-5.466-1.332-5.466-5.93c0-1.31.465-2.38 1.235-3.22c-.135-.303-.54-1.523.105-3.176c0 0 1.005-.322 3.3 1.23c.96-.267 1.98-.399 3-.405c1.02.006 2.04.138 3 .405c2.28-1.552 3.285-1.23 3.285-1.23c.645 1.653.24 2.873.12 3.176c.765.84 1.23 1.91 1.23 3.22c0 4.61-2.805 5.625-5.475 5.92c.42.36.81 1.096.81 2.22c0 1.606-.015 2.896-.015 3.286c0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12";
const GITHUB_ICON = `<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true"><path d="${GITHUB_MARK}"/></svg>`;

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
    "{facts,provider,sdks,templates,tests}/**",
  ],
  rewrites: Object.fromEntries(Object.entries(PAGES).map(([source, address]) => [source, `${address}.md`])),
  transformPageData: pageDataOf,
  outDir: "../dist/site",
  cacheDir: "../.cache/vitepress",
  // Each page as Markdown, and llms.txt.
  vite: { plugins: [llmstxt({ excludeIndexPage: false, details: skill })] },
  markdown: {
    config: forSite,
    anchor: { slugify: anchorOnGitHub },
    // The default themes' comments are too pale for readers who need contrast.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    search,
    sidebar: GROUPS.map(sidebarGroup),
    outline: { level: [2, 3] },
    editLink: { pattern: `${web}/edit/main/:path`, text: "Edit this page on GitHub" },
    socialLinks: [{ icon: { svg: GITHUB_ICON }, link: web, ariaLabel: "The repository on GitHub" }],
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
  return { title: titleOf(filePath), description: descriptionOf(text), frontmatter: { ...frontmatter, editLink } };
}

/** The icon of a page, its address, and what other sites show beside a link to it. */
function headOf({ page, pageData, siteData, description }) {
  const href = `data:image/svg+xml,${encodeURIComponent(textOf("simulator/page/icon.svg"))}`;
  const icon = ["link", { rel: "icon", type: "image/svg+xml", href }];
  if (pageData.isNotFound) return [icon];
  const url = new URL(page.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1"), siteAddress).href;
  const properties = { type: "website", site_name: siteData.title, title: pageData.title, description, url };
  const tags = Object.entries(properties).map(([name, content]) => ["meta", { property: `og:${name}`, content }]);
  return [icon, ["link", { rel: "canonical", href: url }], ...tags];
}

/** Collapsed, but VitePress opens the groups of the page that is shown. */
function sidebarGroup({ text, sources = [], groups = [] }) {
  const pages = sources.map((source) => ({
    text: titleOf(source),
    link: `/${PAGES[source].replace(/(^|\/)index$/, "$1")}`,
  }));
  return { text, collapsed: true, items: [...pages, ...groups.map(sidebarGroup)] };
}

/** The anchor of a heading on GitHub, so that links lead to it here and there. */
function anchorOnGitHub(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
