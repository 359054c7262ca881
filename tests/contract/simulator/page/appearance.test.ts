import { accessibilityViolations } from "../../../support/accessibility";
import { inBrowser } from "../../../support/browser";
import { EXAMPLE, exampleSeed as seed } from "../../../support/example";
import { DESKTOP, openPage, PHONE } from "./opened-page";

/** Elements that are cut off, or whose text is wider than they are. */
const CUT_OFF = `[...document.querySelectorAll("body *:not(nav, input, .tile *)")]
  .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => !["visible", "auto"].includes(getComputedStyle(element).overflowX))
  .map((element) => element.outerHTML.slice(0, 80))`;

const VIEWS = [DESKTOP, PHONE].flatMap((viewport) =>
  (["light", "dark"] as const).map((scheme) => ({ viewport, scheme })),
);

inBrowser("the page", () => {
  test.each(VIEWS)(
    "the page is accessible and cut off nowhere, with all parts open: %p",
    async ({ viewport, scheme }) => {
      const faults = [
        { method: "GET", effect: { kind: "latency" as const, milliseconds: 10 } },
        { method: "POST", effect: { kind: "malformed" as const } },
      ];
      const rateLimit = { requests: 100, seconds: 10 };
      const { page, call, services, complaints } = await openPage({ seed, faults, rateLimit }, viewport);
      await page.emulateMedia({ colorScheme: scheme });
      const check = async () => {
        expect(await accessibilityViolations(page)).toEqual([]);
        expect(await page.evaluate(CUT_OFF)).toEqual([]);
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
      };
      await check();
      await call("PATCH", `${services}/${EXAMPLE.service}/replicaScaling`, { numReplicas: 5 });
      await call("GET", `/v1/${"long-".repeat(50)}`);
      await page.locator("#requests li").nth(1).waitFor();
      for (const summary of await page.locator("summary").all()) await summary.click();
      await page.getByRole("button", { name: "Advance" }).click();
      await page.getByText("The clock is advanced.").waitFor();
      await check();
      expect(complaints).toEqual([]);
    },
  );

  test("the page links to the package's documentation and to the OpenAPI document", async () => {
    const { page } = await openPage();
    const { homepage } = require("clouddb-simulator/package.json") as { homepage: string };
    const links = page.getByRole("navigation");
    expect(await links.getByRole("link", { name: "Docs" }).getAttribute("href")).toBe(homepage);
    await links.getByRole("link", { name: "OpenAPI" }).click();
    await page.getByText("Cloud Database Management API").waitFor();
  });
});
