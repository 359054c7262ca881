import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { version } from "../../../package.json";
import { accessibilityViolations } from "../../support/accessibility";
import { inBrowser, opened } from "../../support/browser";
import { root } from "../../support/root";
import { pages as sources } from "../support/markdown";

/** The built documentation site, served from its files without network access. */

const site = join(root, "dist/site");
const ORIGIN = "http://site.test";
/** What the packages themselves bring. */
const NOT_ON_THE_SITE = ["facts/README.md", "provider/README.md", "provider/SKILL.md"];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, "tools/setup.mjs"), "docs"], { cwd: root });
});

const htmlPages = () =>
  readdirSync(site, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".html") && name !== "404.html",
  );

test("every page of the repository is a page of the site", () => {
  const expected = sources().filter((source) => !NOT_ON_THE_SITE.includes(source));
  expect(htmlPages()).toHaveLength(expected.length + ["CHANGELOG.md", "SECURITY.md"].length);
});

test("each page is there as Markdown, and llms.txt lists it", () => {
  const list = readFileSync(join(site, "llms.txt"), "utf8");
  expect(list).toContain("/provider/SKILL.md)");
  const missing = htmlPages()
    .map((name) => name.replace(/(\/index)?\.html$/, ".md"))
    .filter((name) => !existsSync(join(site, name)) || !list.includes(`(/${name})`));
  expect(missing).toEqual([]);
});

/** The text of HTML. Apostrophes are written in several ways. */
const plain = (html: string) => html.replace(/<[^>]*>/g, "").replace(/&#(39|x27);/g, "'");

test("each page says in its head what it is, as its own text does, and where it is", () => {
  const problems: string[] = [];
  const addresses: string[] = [];
  for (const name of htmlPages()) {
    const html = readFileSync(join(site, name), "utf8");
    const [head = "", body = ""] = html.split(/<\/head>|<\/main>/);
    const contentOf = (tag: string) => new RegExp(`<${tag} (?:content|href)="([^"]*)"`).exec(head)?.[1] ?? "";
    const description = plain(contentOf('meta name="description"'));
    const address = contentOf('link rel="canonical"');
    addresses.push(address);
    const isItsText = plain(body).includes(description.replace(/\.?( …)?$/, ""));
    if (description.length < 15 || !isItsText) problems.push(`${name}: ${description}`);
    if (plain(contentOf('meta property="og:description"')) !== description) problems.push(`${name}: og:description`);
    if (contentOf('meta property="og:url"') !== address) problems.push(`${name}: og:url`);
    if (!head.includes(`<title>${contentOf('meta property="og:title"')}`)) problems.push(`${name}: og:title`);
    if (!address.endsWith(`/pulumi-clouddb/${name.replace(/(^|\/)index\.html$/, "$1")}`))
      problems.push(`${name}: ${address}`);
    if (!existsSync(join(site, contentOf('link rel="icon" type="image/svg+xml"')))) problems.push(`${name}: no icon`);
  }
  expect(problems).toEqual([]);
  const sitemap = readFileSync(join(site, "sitemap.xml"), "utf8");
  expect([...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address).sort()).toEqual(addresses.sort());
});

/** A browser that gets the site's files, and nothing else. */
async function reader() {
  const { page, complaints } = await opened("about:blank");
  await page.route("**", async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    const path = join(site, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (origin === ORIGIN && existsSync(path) && statSync(path).isFile()) return route.fulfill({ path });
    // As GitHub Pages does, but without its status, about which the browser would complain.
    if (origin === ORIGIN && pathname.endsWith(MISSING)) return route.fulfill({ path: join(site, "404.html") });
    complaints.push(`${route.request().url()} was requested`);
    return route.abort();
  });
  return { page, complaints };
}

/** A page's links, and the ids that links can point to. */
async function contentsOf(page: Page) {
  return page.evaluate<{ links: string[]; ids: string[] }>(`({
    links: [...document.querySelectorAll("a[href]")].map(({ href }) => href),
    ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
  })`);
}

type View = readonly [width: number, colorScheme: "light" | "dark"];
/** A page's text is the same in each window, and only its colors differ in dark mode. */
const VIEWS: readonly View[] = [
  [1440, "light"],
  [390, "dark"],
];
/** The frame of all pages differs by view; the home page has its own layout. */
const ALL_VIEWS: readonly View[] = [...VIEWS, [1440, "dark"], [390, "light"]];
const MISSING = "guides/missing.html";
const LAYOUTS = ["index.html", "reference/Service.html"];

/** Text that is cut off: a reader has to scroll sideways to it. Programs may be, and the widest tables of data. */
const WITH_WIDE_TABLES = /^\/(performance|policies|report|simulator-command)\./;
const CUT_OFF = `[...document.querySelectorAll("main .vp-doc :not(pre, pre *)")]
  .filter((element) => !${WITH_WIDE_TABLES}.test(location.pathname) && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => getComputedStyle(element).overflowX !== "visible")
  .map((element) => "cut off: " + element.textContent.slice(0, 50))`;

/** The sidebar opens few pages, one of them the reader's. A phone shows it on request. */
const SIDEBAR = `[...document.querySelectorAll(".VPSidebarItem.is-link")].filter((page) => page.checkVisibility())`;
const SIDEBAR_PROBLEMS = `((pages) => innerWidth > 960 && document.querySelector(".VPSidebar") && (pages.length > 7 || !pages.some((page) => page.matches(".is-active")))
  ? ["sidebar: " + pages.map((page) => page.textContent)]
  : [])(${SIDEBAR})`;

/** Problems of a view: images, accessibility, cut-off text, or a page wider than its window. */
async function problemsIn(page: Page, [width, colorScheme]: View): Promise<string[]> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
  await page.locator(colorScheme === "dark" ? "html.dark" : "html:not(.dark)").waitFor();
  const problems = await page.evaluate<string[]>(`[
    ...(document.documentElement.scrollWidth === innerWidth ? [] : [document.documentElement.scrollWidth + " pixels wide"]),
    ...[...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 0).map(({ src }) => src),
    ...${CUT_OFF},
    ...${SIDEBAR_PROBLEMS},
  ]`);
  return [...problems, ...(await accessibilityViolations(page, true))].map(
    (text) => `${width} ${colorScheme}: ${text}`,
  );
}

async function search(page: Page, text: string): Promise<void> {
  await page.goto(`${ORIGIN}/`);
  await page.locator("#local-search button").click();
  await page.locator("#localsearch-input").fill(text);
}

inBrowser("the documentation site", () => {
  test("every page is complete and readable, 1440 and 390 pixels wide, light and dark", async () => {
    const links = new Set<string>();
    const targets = new Set<string>();
    const problems: string[] = [];
    const waiting = htmlPages();
    async function read({ page, complaints }: Awaited<ReturnType<typeof reader>>): Promise<void> {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        await page.goto(`${ORIGIN}/${name}`);
        await page.locator("main h1").waitFor();
        const contents = await contentsOf(page);
        for (const link of contents.links) links.add(link);
        for (const id of ["", ...contents.ids.map((text) => `#${text}`)]) targets.add(`${ORIGIN}/${name}${id}`);
        for (const view of LAYOUTS.includes(name) ? ALL_VIEWS : VIEWS) {
          problems.push(...(await problemsIn(page, view)).map((text) => `${name}: ${text}`));
        }
        problems.push(...complaints.splice(0).map((text) => `${name}: ${text}`));
      }
    }
    // One after the other, since the first starts the browser.
    expect(waiting).toEqual(expect.arrayContaining(LAYOUTS));
    const readers = [await reader(), await reader()];
    await Promise.all(readers.map(read));
    expect(problems).toEqual([]);
    const inside = [...links].filter((link) => link.startsWith(ORIGIN));
    const asFile = (link: string) => decodeURI(link).replace(/\/(?=#|$)/, "/index.html");
    expect(inside.length).toBeGreaterThan(100);
    expect(inside.filter((link) => !targets.has(asFile(link)))).toEqual([]);
  });

  test.each([
    ["the service may still have been created", "/errors.html#cdb4001"],
    ["plain HTTP sends the credentials unencrypted", "/errors.html#cdb2003"],
    ["streamingMaxInsertWaitMs", "/reference/Pipe.html"],
    ["rotate keys", "/guides/passwords-and-keys.html"],
    ["could not find latest version for provider clouddb", "/errors.html#messages-of-pulumi"],
    ["remove the protect flag", "/errors.html#messages-of-pulumi"],
  ])("the search for %j finds %s, without a network", async (text, address) => {
    const { page, complaints } = await reader();
    await search(page, text);
    await page.locator(`.results a[href^="${address}"]`).first().click();
    await page.waitForURL(`${ORIGIN}${address}*`);
    expect(complaints).toEqual([]);
  });

  test("the sidebar has five groups, and opens that of the page", async () => {
    const { page } = await reader();
    await page.goto(`${ORIGIN}/guides/resize.html`);
    const groups = page.locator(".VPSidebarItem.level-0 > .item");
    expect(await groups.allInnerTexts()).toEqual(["Start", "Guides", "Reference", "Governance", "Project"]);
    const opened = page.locator(".VPSidebarItem.is-link:visible");
    expect(await opened.allInnerTexts()).toContain("Network access");
    await groups.last().press("Enter");
    expect(await opened.allInnerTexts()).toContain("Compare");
  });

  test("one page has the pipelines of all platforms in tabs, and a link opens the tab of its heading", async () => {
    const { page, complaints } = await reader();
    await page.goto(`${ORIGIN}/guides/ci.html`);
    const shown = page.locator(".parts .vp-block:visible");
    await page.locator(".parts .tabs label", { hasText: "GitLab" }).click();
    expect(await shown.innerText()).toMatch(/npm install --save-dev[\s\S]*cp [\s\S]*GITLAB_TOKEN/);
    await page.goto(`${ORIGIN}/guides/ci.html#azure-devops`);
    await page.locator(".parts .vp-block:visible", { hasText: "build validation policy" }).waitFor();
    await page.locator(".VPDocAside a", { hasText: "Set up on GitHub" }).click();
    await page.locator(".parts .vp-block:visible", { hasText: "production-drift" }).waitFor();
    expect(await shown.count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test("a language stays chosen on the next page", async () => {
    const { page } = await reader();
    await page.goto(`${ORIGIN}/reference/Service.html`);
    const tab = (language: string) => page.locator(".vp-code-group .tabs label", { hasText: language }).first();
    const heading = page.locator("#numreplicas");
    expect(await heading.innerText()).toMatch(/^numReplicas/);
    await tab("Python").click();
    expect(await heading.innerText()).toMatch(/^num_replicas/);
    expect(await page.locator("#numreplicas + p").innerText()).toBe("int · optional");
    const response = page.locator(".vp-code-group div.active");
    expect(await response.first().innerText()).toContain("import pulumi_clouddb as clouddb");
    await page.locator(".VPSidebarItem.level-1 > .item", { hasText: "Functions" }).click();
    await page.locator(".VPSidebar a", { hasText: "getService" }).click();
    await page.locator("main h1", { hasText: "getService" }).waitFor();
    await page.locator(".vp-code-group div.active.language-python").waitFor();
    expect(await response.first().innerText()).toContain("import pulumi_clouddb as clouddb");
  });

  test("a guide shows its programs in the language that the keyboard selects", async () => {
    const { page } = await reader();
    await page.goto(`${ORIGIN}/guides/network-access.html`);
    const active = page.locator(".vp-code-group div.active");
    const group = page.locator(".vp-code-group").nth(1);
    const focused = group.locator("input:focus + label");
    await group.scrollIntoViewIfNeeded();
    await group.locator("input").first().focus();
    const placeOf = async () => Math.round((await focused.boundingBox())?.y ?? Number.NaN);
    const place = await placeOf();
    for (const language of ["Python", "Go", "YAML"]) {
      await page.keyboard.press("ArrowRight");
      await page.locator(`.vp-code-group div.active.language-${language.toLowerCase()}`).first().waitFor();
      expect(await focused.innerText()).toBe(language);
      // The reader stays at the same place of the page.
      expect(Math.abs((await placeOf()) - place)).toBeLessThan(2);
      const outline = "getComputedStyle(document.activeElement.nextElementSibling).outlineStyle";
      expect(await page.evaluate(outline)).toBe("solid");
    }
    expect(await active.count()).toBe(3);
    expect(await active.last().innerText()).toContain("events.serviceEndpoints}");
  });

  /** Titles stay when pages move. */
  test.each([
    ["429", /^CDB3429$/],
    ["mock", /^Unit test/],
    ["destroy", /^Stop managing/],
    ["change password", /password/],
    ["resize", /^(ServiceScaling|Resize and scale)$/],
    ["whitelist", /^(ipAccessList|Network access)$/],
    ["troubleshooting", /^Error messages$/],
    ["import", /^Import what exists$/],
    ["python", /Python/],
    ["cost", /^Limit the cost$/],
    ["PRICE", /^Limit the cost$/],
    ["CDB4012", /^CDB4012$/],
    ["existingServiceI", /^existingServiceId$/],
  ])("the first result for %j is %s", async (text, title) => {
    const { page } = await reader();
    await search(page, text);
    expect(await page.locator(".results .result").first().locator(".title").last().innerText()).toMatch(title);
  });

  test("the search does not confuse numbers", async () => {
    const { page } = await reader();
    await search(page, "CDB3428");
    await page.locator(".no-results").waitFor();
  });

  test("a page that does not exist is readable, leads to the home page, and has the search", async () => {
    const { page } = await reader();
    await page.goto(`${ORIGIN}/${MISSING}`);
    await page.locator("h1", { hasText: "Page not found" }).waitFor();
    for (const [width, colorScheme] of ALL_VIEWS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityViolations(page, true)).toEqual([]);
    }
    expect(await page.getByRole("link", { name: "Home page" }).getAttribute("href")).toBe("/");
    await page.locator("#local-search button").click();
    await page.locator("#localsearch-input").fill("429");
    await page.locator(".results .result", { hasText: "CDB3429" }).click();
    await page.waitForURL(`${ORIGIN}/errors.html#cdb3429`);
  });

  test("each page names the version, and links to the changelog", async () => {
    const { page } = await reader();
    await page.goto(`${ORIGIN}/compare.html`);
    await page.locator(".VPNavBarMenu a", { hasText: version }).click();
    await page.locator("main h1", { hasText: "Changelog" }).waitFor();
  });
});
