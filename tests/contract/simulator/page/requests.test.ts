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

  test("requests on the page that failed are counted, and shown with one key", async () => {
    const { page, requests, rows, call } = await withRequests();
    const client = requests.getByRole("button", { name: "4xx 2" });
    const server = requests.getByRole("button", { name: "5xx 1" });
    await server.focus();
    await page.keyboard.press("Space");
    expect(await rows.allInnerTexts()).toEqual([expect.stringMatching(/503/)]);
    expect(await server.getAttribute("aria-pressed")).toBe("true");
    await page.keyboard.press("Space");
    expect(await rows.count()).toBe(6);
    await call("GET", "/v1/nothing");
    await requests.getByRole("button", { name: "4xx 3" }).waitFor();
    await page.reload();
    await requests.getByRole("button", { name: "4xx 3" }).click();
    expect(await rows.count()).toBe(3);
    await page.getByRole("button", { name: "Clear" }).click();
    await requests.getByRole("button", { name: "4xx 0" }).waitFor();
    expect(await client.count()).toBe(0);
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

  test("requests on the page stay open, with the keyboard's place, when the list is drawn again", async () => {
    const { page, rows, call, services } = await withRequests();
    await rows.first().locator("summary").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await call("PUT", "/__admin/faults", { faults: [{ effect: { kind: "normalised" } }] });
    await page.locator("#faults li", { hasText: "normalised" }).waitFor();
    expect(await rows.first().locator("pre").isVisible()).toBe(true);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Service Analytics");

    const settings = page.locator(`#pipe-${EXAMPLE.pipes.kafka} summary`, { hasText: "Settings" });
    await settings.focus();
    await page.keyboard.press("Enter");
    const pipe = `${services}/${EXAMPLE.service}/pipes/${EXAMPLE.pipes.kafka}`;
    await call("PATCH", pipe, { settings: { engine_max_threads: 3 } });
    await rows.filter({ hasText: "engine_max_threads: 3" }).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toMatch(/^Settings/);
  });

  test("requests on the page stay visible beside the open form for faults, on a small screen", async () => {
    const { page, rows } = await withRequests({ width: 1280, height: 720 });
    await page.getByText("Add a fault").click();
    await rows.first().scrollIntoViewIfNeeded();
    const { y = 720, height = 0 } = (await rows.first().boundingBox()) ?? {};
    expect([y >= 0, y + height <= 720]).toEqual([true, true]);
    expect((await page.locator("#requests ol").boundingBox())?.height).toBeGreaterThan(100);
  });

  test("requests on the page are reachable from anywhere on a phone", async () => {
    const { page, requests } = await withRequests(PHONE);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.waitForFunction("scrollY > 1000");
    await page.getByRole("navigation").getByRole("link", { name: "Requests" }).click();
    const box = await page.locator("#requests li").first().boundingBox();
    expect(box && box.y > 0 && box.y + box.height <= PHONE.height).toBe(true);
    await requests.getByRole("button", { name: "5xx 1" }).click();
    await requests.locator("summary").click();
    expect(await requests.locator("pre").isVisible()).toBe(true);
  });
});
