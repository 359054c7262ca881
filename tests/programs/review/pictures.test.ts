import MarkdownIt from "markdown-it";
import { recorded, recordingNames } from "../../contract/report/support/preview";
import { markdownOf } from "../../contract/report/support/render";
import { inBrowser, opened, picture } from "../../support/browser";

/** Reports as rendered in a comment, with tables, links and HTML, in a page of the same width. */
const markdown = new MarkdownIt({ html: true, linkify: true });
const STYLE = `body { width: 900px; margin: 16px; font: 14px/1.5 system-ui, sans-serif; color: #1f2328; }
  code { background: #eff1f3; border-radius: 6px; padding: .2em .4em; font-size: 85%; }
  table { border-collapse: collapse; } td, th { border: 1px solid #d1d9e0; padding: 6px 13px; }
  h3 code { font-size: 100%; } h4 { margin: 16px 0 8px; } details { margin: 6px 0; }
  blockquote { border-left: 4px solid #d1d9e0; margin: 0; padding: 0 1em; color: #59636e; }`;

inBrowser("a report in a page", () => {
  test.each(recordingNames)("%s renders completely: no stray markup, all elements closed", async (name) => {
    const { page } = await opened("about:blank", { width: 940, height: 400 });
    const html = markdown.render(markdownOf(await recorded(name)));
    await page.setContent(`<style>${STYLE}</style>${html}`);
    const text = await page.locator("body").innerText();
    expect(text).not.toMatch(/\*\*|<\/?code>|&#\d+;|\|---\|/);
    expect(await page.locator("details").count()).toBe((html.match(/<details>/g) ?? []).length);
    for (const table of await page.locator("table").all()) {
      const columns = 4;
      expect(await table.locator("thead th").count()).toBe(columns);
      for (const row of await table.locator("tbody tr").all()) expect(await row.locator("td").count()).toBe(columns);
    }
    const folded = page.locator("details").first();
    if ((await folded.count()) > 0) await folded.evaluate((element) => element.setAttribute("open", ""));
    if (/update-service|replace|policies-broken|drift/.test(name)) await picture(page, `report-${name}`);
  });
});
