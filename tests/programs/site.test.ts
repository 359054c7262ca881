import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { accessibilityViolations, inBrowser, opened } from "../support/browser";
import { root } from "../support/root";
import { pages as sources } from "./support/markdown";

/** The built documentation site, served from its files without network access. */

const site = join(root, "dist/site");
const ORIGIN = "http://site.test";
/** Pages of the packages on npm. */
const NOT_ON_THE_SITE = ["facts/README.md", "provider/README.md", "provider/SKILL.md"];

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
  test("every page is accessible, and its images and links lead somewhere", async () => {
    const { page, complaints } = await reader();
    const links = new Set<string>();
    const targets = new Set<string>();
    const problems: string[] = [];
    for (const name of htmlPages()) {
      await page.goto(`${ORIGIN}/${name}`);
      await page.locator("main h1").waitFor();
      const { hrefs, ids, broken } = await page.evaluate<
        Record<"hrefs" | "ids" | "broken", string[]>
      >(`({
        hrefs: [...document.querySelectorAll("a[href]")].map(({ href }) => href),
        ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
        broken: [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 0).map(({ src }) => src),
      })`);
      for (const link of hrefs) links.add(link);
      for (const id of ["", ...ids.map((text) => `#${text}`)])
        targets.add(`${ORIGIN}/${name}${id}`);
      const found = [
        ...broken,
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

  test("the search finds a code of an error, without a network", async () => {
    const { page, complaints } = await reader();
    await page.goto(`${ORIGIN}/`);
    await page.locator("#local-search button").click();
    await page.locator("#localsearch-input").fill("the service may still have been created");
    await page.locator('.results a[href^="/errors.html#cdb4001"]').first().click();
    await page.waitForURL(`${ORIGIN}/errors.html#cdb4001*`);
    expect(complaints).toEqual([]);
  });

  test("a language stays chosen on the next page", async () => {
    const { page } = await reader();
    await page.goto(`${ORIGIN}/reference/Service.html`);
    await page.getByRole("tab", { name: "Python" }).first().click();
    expect(await page.locator("#numreplicas").innerText()).toMatch(/^num_replicas/);
    await page.goto(`${ORIGIN}/reference/getService.html`);
    await page.locator(".plugin-tabs div.language-python").first().waitFor();
  });
});
