import type { Page } from "playwright-core";
import { FaultRule } from "../../../../simulator/schema/seed";
import { inBrowser, opened } from "../../../support/browser";
import { exampleSeed } from "../../../support/example";
import { openPage, PHONE } from "./opened-page";

/** The form or section that a control belongs to, by its heading. */
const card = (page: Page, title: string) => page.getByRole("form", { name: title, exact: true });

inBrowser("the page's controls", () => {
  test("the page's controls add a fault, and remove it, with the keyboard alone", async () => {
    const { page, services, call, admin, complaints } = await openPage();
    const status = async () => (await call("POST", services, {})).status;
    const press = page.keyboard;
    await page.getByText("Add a fault").focus();
    for (const key of ["Enter", "Tab", "Tab"]) await press.press(key);
    await press.type("POST");
    await press.press("Tab");
    await press.type("/services");
    await press.press("Tab");
    await press.type("5");
    await press.press("Enter");
    await page.getByText("Added; the first matching rule applies.").waitFor();
    expect(await admin("faults")).toMatchObject({
      faults: [{ method: "POST", path: "/services", times: 5, effect: { kind: "status", status: 503 } }],
    });
    expect(await status()).toBe(503);

    await page.getByRole("button", { name: "Remove: status" }).focus();
    await press.press("Space");
    await page.getByText("No faults: requests are executed normally.").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Add a fault");
    expect(await status()).toBe(200);
    expect(complaints).toEqual([]);
  });

  test("the page's controls offer effects of every kind, on a phone, which the simulator accepts", async () => {
    const { page, admin } = await openPage({}, PHONE);
    await page.getByText("Add a fault").click();
    const effect = page.getByRole("combobox", { name: "effect" });
    const labels = await effect.locator("option").allInnerTexts();
    for (const [index, label] of labels.entries()) {
      await effect.selectOption({ label });
      await page.getByRole("button", { name: "Add fault" }).click();
      await page.locator("#faults .count", { hasText: String(index + 1) }).waitFor();
    }
    const { faults } = (await admin("faults")) as { faults: { effect: { kind: string } }[] };
    const kinds = FaultRule.shape.effect.options.map(({ shape }) => shape.kind.value);
    expect(new Set(faults.map((rule) => rule.effect.kind))).toEqual(new Set(kinds));
  });

  test("the page's controls set and remove the rate limit, on a phone, and report what the simulator refuses", async () => {
    const { page, admin, call, services } = await openPage({ seed: exampleSeed }, PHONE);
    const form = card(page, "Rate limit");
    const set = async (requests: string, seconds: string) => {
      await form.getByRole("spinbutton", { name: "requests" }).fill(requests);
      await form.getByRole("spinbutton", { name: "seconds" }).fill(seconds);
      await form.getByRole("button", { name: "Set rate limit" }).click();
    };
    await set("1", "0");
    await page.locator("output.broken", { hasText: "BAD_REQUEST: seconds" }).waitFor();
    expect(await admin("rate-limit")).toEqual({});
    await set("1", "60");
    await page.getByText("rate limit 1 in 60 s").waitFor();
    expect(await admin("rate-limit")).toEqual({ requests: 1, seconds: 60 });
    expect([(await call("POST", services, {})).status, (await call("POST", services, {})).status]).toEqual([200, 429]);
    await page.getByRole("button", { name: "Remove: rate limit" }).click();
    await page.getByText("No faults: requests are executed normally.").waitFor();
    expect(await admin("rate-limit")).toEqual({});
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(PHONE.width);
  });

  test("the page's controls move the clock, on a phone, which other pages show, too", async () => {
    const { page, admin, baseUrl } = await openPage({}, PHONE);
    const { page: other } = await opened(baseUrl);
    const form = card(page, "Clock");
    await form.getByLabel("advance by").fill("400");
    await form.getByLabel("unit").selectOption("days");
    await form.getByRole("button", { name: "Advance" }).click();
    await page.getByText("The clock is advanced.").waitFor();
    const { now } = (await admin("clock")) as { now: string };
    expect(Date.parse(now) - Date.now()).toBeGreaterThan(399 * 86_400_000);
    await other.locator("time", { hasText: now.slice(0, 7) }).waitFor();
  });

  test("the page's controls load a seed from a file, the example, and reset, but only when confirmed", async () => {
    const { page, admin, create } = await openPage();
    await create({ name: "first" });
    const form = card(page, "Seed and reset");
    const heading = (name: string) => page.getByRole("heading", { name, exact: true });
    const seed = { name: "seed.json", mimeType: "application/json" };
    const load = async (text: string) => {
      await form.getByLabel("seed").setInputFiles({ ...seed, buffer: Buffer.from(text) });
      await form.getByRole("button", { name: "Load seed" }).click();
    };
    await load('{"organizations": 7}');
    await page.getByText("BAD_REQUEST: organizations: expected array").waitFor();
    await load("{");
    await page.getByText("seed.json is not valid JSON").waitFor();
    await heading("first").waitFor();
    await load(
      JSON.stringify({ organizations: [{ id: "a1b2c3d4-0001-4a53-9c1e-000000000001", name: "From a file" }] }),
    );
    await heading("From a file").waitFor();

    await form.getByRole("button", { name: "Load example" }).click();
    await heading("Analytics").waitFor();
    expect(await page.locator("#pipes article").count()).toBe(4);

    page.removeAllListeners("dialog");
    page.once("dialog", (dialog) => void dialog.dismiss());
    await form.getByRole("button", { name: "Reset" }).click();
    await page.getByText("Nothing has changed.").waitFor();
    page.once("dialog", (dialog) => void dialog.accept());
    await form.getByRole("button", { name: "Reset" }).click();
    await page.getByText("No services yet.").waitFor();
    expect(await admin("state")).toMatchObject({ organizations: [{ services: [] }], dashboards: [] });
  });
});
