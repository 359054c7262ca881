import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { root } from "./root";

/** The path of Chromium, by default that of Debian's package. */
const executablePath = process.env.CLOUDDB_CHROMIUM ?? "/usr/bin/chromium";
const isThere = existsSync(executablePath);

if (!isThere)
  process.stderr.write(
    "Tests in a browser are skipped: there is no Chromium (apt-get install chromium).\n",
  );

/** Tests in a real browser; without one they are skipped, and their name says how to get it. */
export const inBrowser = isThere
  ? describe
  : (name: string, tests: () => void) =>
      describe.skip(`${name} (needs Chromium: apt-get install chromium)`, tests);

let browser: Browser | undefined;
afterAll(() => browser?.close());

/** A new page, and its errors. */
export async function opened(url: string, viewport = { width: 1440, height: 1000 }) {
  browser ??= await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
    ],
  });
  const page = await browser.newPage({ viewport, reducedMotion: "reduce" });
  // The test's own timeout grows with a busy machine.
  page.setDefaultTimeout(0);
  const complaints: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(url);
  return { page, complaints, asked };
}

/**
 * Takes a picture for the docs: CLOUDDB_PICTURES=1 npm test -- --selectProjects page
 * --testPathPatterns page/page
 */
export async function picture(page: Page, name: string): Promise<void> {
  const image = await page.screenshot({ fullPage: true });
  expect(image.length).toBeGreaterThan(10_000);
  if (process.env.CLOUDDB_PICTURES === undefined) return;
  await page.screenshot({ fullPage: true, path: join(root, "docs/images", `${name}.png`) });
}

const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: "minor" | "moderate" | "serious" | "critical";
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The accessibility violations that axe finds, or only the serious ones. */
export async function accessibilityViolations(
  page: Page,
  isSeriousOnly = false,
): Promise<string[]> {
  // Unlike a script of the page, this is allowed by every content security policy.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`,
  );
  return violations
    .filter(({ impact }) => !isSeriousOnly || impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    );
}
