import { FOREIGN_NAME, inBrowser, opened } from "../support/browser";
import { simulated } from "./support/stack";

inBrowser("the simulator's page on another machine", () => {
  test("is live once the browser has been given the key", async () => {
    const api = await simulated();
    const url = api.page.replace("127.0.0.1", FOREIGN_NAME);
    const { page, complaints } = await opened(url, undefined, { username: api.keyId, password: api.keySecret });
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.locator("#organization").innerText()).toContain("Example organization");
    expect(complaints).toEqual([]);
  });
});
