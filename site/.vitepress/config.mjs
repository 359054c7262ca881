import { defineConfig } from "vitepress";
import { web } from "../../tools/docs/links";
import { GROUPS, PAGES, titleOf } from "../../tools/docs/site-map";
import { search } from "./search.mjs";

const DESCRIPTION = "Manage cloud databases from Pulumi programs: services, organizations and ingestion pipes.";
const SHORT_TITLES = { "README.md": "Overview" };

export default defineConfig({
  title: "pulumi-clouddb",
  description: DESCRIPTION,
  lang: "en",
  // Assembled by tools/docs.ts.
  srcDir: "../.cache/site",
  outDir: "../dist/site",
  cacheDir: "../.cache/vitepress",
  markdown: {
    anchor: { slugify: anchorOnGitHub },
    // The default themes' comments are too pale for readers who need contrast.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    search,
    sidebar: GROUPS.map(({ text, sources }) => ({
      text,
      items: sources.map((source) => ({
        text: SHORT_TITLES[source] ?? titleOf(source),
        link: `/${PAGES[source].replace(/(^|\/)index$/, "$1")}`,
      })),
    })),
    outline: { level: [2, 3] },
    editLink: { pattern: ({ frontmatter }) => frontmatter.source, text: "Edit this page on GitHub" },
    socialLinks: [{ icon: "github", link: web, ariaLabel: "The repository on GitHub" }],
  },
});

/** The anchor of a heading on GitHub, so that links lead to it here and there. */
function anchorOnGitHub(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, "")
    .replace(/\s/g, "-");
}
