import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { accessibilityViolations, inBrowser, opened } from "../support/browser";
import { root } from "../support/root";
import { pages as sources } from "./support/markdown";

/** The built documentation site, served from its files without network access. */

const site = join(root, "dist/site");
const ORIGIN = "http://site.test";
/** Pages of the packages on npm. */
const NOT_ON_THE_SITE = [
  "facts/README.md",
  "provider/README.md",
  "provider/skills/pulumi-clouddb/SKILL.md",
];

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(root, "tools/setup.mjs"), "docs"], {
    cwd: root,
  });
});

const htmlPages = () =>
  readdirSync(site, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".html") && name !== "404.html",
  );

test("every page of the repository is a page of the site", () => {
  const expected = sources().filter((source) => !NOT_ON_THE_SITE.includes(source));
  expect(htmlPages()).toHaveLength(expected.length + ["CHANGELOG.md", "SECURITY.md"].length);
});

test("the search excludes the pages of decisions", () => {
  const chunks = join(site, "assets/chunks");
  const [index = ""] = readdirSync(chunks).filter((name) => name.includes("localSearchIndexroot"));
  const text = readFileSync(join(chunks, index), "utf8");
  expect(text).toContain("/errors.html#cdb4001");
  expect(text).not.toContain("/decisions/");
});

/** A browser that gets the site's files, and nothing else. */
async function reader() {
  const { page, complaints } = await opened("about:blank");
  await page.route("**", async (route) => {
    const { origin, pathname } = new URL(route.request().url());
    const path = join(site, pathname.endsWith("/") ? `${pathname}index.html` : pathname);
    if (origin === ORIGIN && existsSync(path) && statSync(path).isFile())
      return route.fulfill({ path });
    complaints.push(`${route.request().url()} was requested`);
    return route.abort();
  });
  return { page, complaints };
}

inBrowser("the documentation site", () => {
  test("every page is accessible, and its images and links have targets", async () => {
    const { page, complaints } = await reader();
    const links = new Set<string>();
    const targets = new Set<string>();
    const problems: string[] = [];
    for (const name of htmlPages()) {
      await page.goto(`${ORIGIN}/${name}`);
      await page.locator("main h1").waitFor();
      const { hrefs, ids, broken, markdown } = await page.evaluate<
        Record<"hrefs" | "ids" | "broken" | "markdown", string[]>
      >(`({
        markdown: [...document.querySelectorAll("link[type='text/markdown']")].map(({ href }) => href),
        hrefs: [...document.querySelectorAll("a[href]")].map(({ href }) => href),
        ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
        broken: [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 0).map(({ src }) => src),
      })`);
      for (const link of hrefs) links.add(link);
      for (const id of ["", ...ids.map((text) => `#${text}`)])
        targets.add(`${ORIGIN}/${name}${id}`);
      const found = [
        ...broken,
        ...markdown.filter((href) => !existsSync(join(site, href.slice(ORIGIN.length)))),
        ...(markdown.length === 1 ? [] : ["has no link to its Markdown"]),
        ...(await accessibilityViolations(page, true)),
        ...complaints.splice(0),
      ];
      problems.push(...found.map((text) => `${name}: ${text}`));
    }
    expect(problems).toEqual([]);
    const inside = [...links].filter((link) => link.startsWith(ORIGIN));
    const asFile = (link: string) => decodeURI(link).replace(/\/(?=#|$)/, "/index.html");
    expect(inside.length).toBeGreaterThan(100);
    expect(inside.filter((link) => !targets.has(asFile(link)))).toEqual([]);
  });

  test("the search finds an error code without a network", async () => {
    const { page, complaints } = await reader();
    await page.goto(`${ORIGIN}/`);
    await page.locator("#local-search button").click();
    await page.locator("#localsearch-input").fill("the service may still have been created");
    await page.locator('.results a[href^="/errors.html#cdb4001"]').first().click();
    await page.waitForURL(`${ORIGIN}/errors.html#cdb4001*`);
    expect(complaints).toEqual([]);
  });

  test.each([
    ["wrong organization", "errors.html#messages-of-pulumi"],
    ["which regions", "reference/Service.html#region"],
    ["env vars", "configuration.html#"],
    ["0.0.0.0/0", "policies.html#no-open-access"],
    ["latest version for provider clouddb", "errors.html#messages-of-pulumi"],
    ["import existing service", "guides/adopt.html#"],
    ["canary", "guides/roll-out.html#"],
    ["ctrl-c during up duplicate service", "guides/after-a-crash.html#"],
  ])("the search for `%s` finds %s first", async (question, target) => {
    const { page } = await reader();
    await page.goto(`${ORIGIN}/`);
    await page.locator("#local-search button").click();
    await page.locator("#localsearch-input").fill(question);
    const [, found] =
      /^\/(.*)$/.exec(String(await page.locator(".results a").first().getAttribute("href"))) ?? [];
    expect(found).toContain(target);
  });

  test("a chosen language stays chosen on the next page", async () => {
    const { page } = await reader();
    await page.goto(`${ORIGIN}/reference/Service.html`);
    await page.getByRole("tab", { name: "Python" }).first().click();
    expect(await page.locator("#numreplicas").innerText()).toMatch(/^num_replicas/);
    await page.goto(`${ORIGIN}/reference/getService.html`);
    await page.locator(".plugin-tabs div.language-python").first().waitFor();
  });
});
