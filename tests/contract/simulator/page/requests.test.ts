import { inBrowser } from "../../../support/browser";
import { EXAMPLE, exampleSeed as seed } from "../../../support/example";
import { openPage, PHONE } from "./opened-page";

const NOTHING = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";

/** A page with requests of several statuses and methods. */
async function withRequests(viewport?: typeof PHONE) {
  const open = await openPage({ seed }, viewport);
  const { page, services, call, create } = open;
  const analytics = `${services}/${EXAMPLE.service}`;
  await create({ name: "orders" });
  await call("PATCH", `${analytics}/replicaScaling`, { numReplicas: 5 });
  await call("PATCH", analytics, { name: 7 });
  await call("GET", analytics);
  await call("GET", `${services}/${NOTHING}`);
  await call("PUT", "/__admin/faults", { faults: [{ times: 1, effect: { kind: "status", status: 503 } }] });
  await call("GET", analytics);
  const requests = page.locator("#requests");
  await requests.locator(".count", { hasText: /^6$/ }).waitFor();
  return { ...open, analytics, requests, rows: requests.locator("li") };
}

inBrowser("the page's requests", () => {
  test("requests on the page are filtered by method, status and resource, also those that arrive later", async () => {
    const { requests, rows, call, analytics } = await withRequests();
    const filter = requests.getByRole("searchbox");
    const expectRows = async (count: string, texts: RegExp[]) => {
      await requests.locator(".count", { hasText: new RegExp(`^${count}$`) }).waitFor();
      expect(await rows.allInnerTexts()).toEqual(texts.map((text) => expect.stringMatching(text)));
    };
    await filter.fill("404");
    await expectRows("1 of 6", [/404\s*GET/]);
    await filter.fill("patch");
    await expectRows("2 of 6", [/400/, /200/]);
    await filter.fill("replicascaling");
    await expectRows("1 of 6", [/numReplicas: 5/]);
    await filter.fill("Analytics");
    await expectRows("4 of 6", [/503/, /200/, /400/, /200/]);
    await requests.getByRole("button", { name: "5xx" }).click();
    await expectRows("1 of 6", [/503/]);
    await requests.getByRole("button", { name: "5xx" }).click();
    await call("GET", "/v1/nothing");
    await expectRows("4 of 7", [/503/, /200/, /400/, /200/]);
    await call("GET", analytics);
    await expectRows("5 of 8", [/200/, /503/, /200/, /400/, /200/]);
    await filter.fill("no such thing");
    await requests.getByText("No request matches the filter.").waitFor();
    await expectRows("0 of 8", []);
  });

  test.each([
    ["with the mouse", undefined],
    ["on a phone", PHONE],
  ])("requests on the page lead to their service, %s", async (_, viewport) => {
    const { page, rows } = await withRequests(viewport);
    // The card is off the page, until the link needs it.
    await page.getByLabel("Filter by name or id").fill("orders");
    const row = rows.filter({ hasText: "numReplicas: 5" });
    await row.locator("summary").click();
    await row.getByRole("link", { name: "Service Analytics" }).click();
    const card = page.locator(`#service-${EXAMPLE.service}`);
    await page.waitForFunction("document.activeElement.id.startsWith('service-')");
    const box = await card.boundingBox();
    expect(box && box.y >= 0 && box.y < 800).toBe(true);
    // The card is below the header, which stays.
    const header = await page.locator("header").boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(viewport ? Number(header?.height) : 0);
  });

  test("requests on the page show names as text, as the rest of the page does", async () => {
    const { page, services, call, rows } = await withRequests();
    const markup = `<img src=x onerror="document.title='owned'">`;
    const pipe = `${services}/${EXAMPLE.service}/pipes/${EXAMPLE.pipes.kafka}`;
    await call("PATCH", services.replace("/services", ""), { name: markup });
    await call("PATCH", pipe, { name: markup, settings: { engine_max_threads: 3 } });
    await rows.filter({ hasText: "engine_max_threads: 3" }).locator("summary").click();
    expect(await rows.first().locator(".subject").innerText()).toBe(`Analytics › ${markup}`);
    expect(await page.locator("#organization h3").innerText()).toBe(markup);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe("clouddb simulator");
  });
});
