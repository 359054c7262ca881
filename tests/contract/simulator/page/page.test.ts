import type { Page } from "playwright-core";
import type { SimulatorOptions } from "../../../../simulator/index";
import { accessibilityViolations, inBrowser, opened, picture } from "../../../support/browser";
import { EXAMPLE, exampleSeed as seed } from "../../../support/example";
import { started } from "../support/started";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const VIEWS = [DESKTOP, PHONE].flatMap((viewport) =>
  (["light", "dark"] as const).map((scheme) => ({ viewport, scheme })),
);

/** Elements that are cut off, or whose text is wider than they are. */
const CUT_OFF = `[...document.querySelectorAll("body *:not(input, .tile *)")]
  .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => !["visible", "auto"].includes(getComputedStyle(element).overflowX))
  .map((element) => element.outerHTML.slice(0, 80))`;

/** A simulator with its live page; dialogs are accepted. */
async function openPage(options: SimulatorOptions = {}, viewport = DESKTOP) {
  const api = await started(options);
  const { page, complaints, asked } = await opened(api.page, viewport);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByText("live", { exact: true }).waitFor();
  return { ...api, address: api.page, page, complaints, asked };
}

/** The form that has this heading. */
const form = (page: Page, title: string) => page.getByRole("form", { name: title, exact: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

inBrowser("the page", () => {
  test("the page shows everything in the seed, without foreign requests and without errors", async () => {
    const { page, address, complaints, asked } = await openPage({ seed });
    const texts = (selector: string) => page.locator(selector).allInnerTexts();

    expect(await texts("#organization")).toEqual([
      expect.stringMatching(/Example organization[\s\S]*SCALE, paid[\s\S]*Private endpoints \(2\)/),
    ]);
    expect(await texts(`#service-${EXAMPLE.service}`)).toEqual([
      expect.stringMatching(
        /Analytics[\s\S]*16 to 64 GB per replica, up to 192 GB in total[\s\S]*3 replicas[\s\S]*mysql/,
      ),
    ]);
    expect(await texts("#services .card")).toContainEqual(
      expect.stringMatching(/idleTimeoutMinutes\s+15/),
    );
    expect(await texts("#pipes h3")).toHaveLength(4);
    expect(await texts("#alerts .card")).toEqual([expect.stringContaining("alert-errors")]);
    const tiles = seed.dashboards?.flatMap((dashboard) => dashboard.tiles ?? []) ?? [];
    expect(await page.locator(".tile").count()).toBe(tiles.length);
    expect(await texts(".tile li")).toContainEqual(expect.stringMatching(/^\w+\(.*\)/));

    expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test.each(VIEWS)(
    "the page is accessible and nowhere cut off: %p",
    async ({ viewport, scheme }) => {
      const faults = [{ method: "POST", effect: { kind: "malformed" as const } }];
      const rateLimit = { requests: 100, seconds: 10 };
      const { page, call, services, complaints } = await openPage(
        { seed, faults, rateLimit },
        viewport,
      );
      await page.emulateMedia({ colorScheme: scheme });
      await call("PATCH", `${services}/${EXAMPLE.service}/replicaScaling`, { numReplicas: 5 });
      await call("GET", `/v1/${"long-".repeat(50)}`);
      await page.locator("#requests li").nth(1).waitFor();
      for (const summary of await page.locator("summary").all()) await summary.click();
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate(CUT_OFF)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(viewport.width);
      expect(complaints).toEqual([]);
    },
  );

  test("the page shows new services, requests and faults at once", async () => {
    const { page, create, setFaults, complaints } = await openPage({ seed });
    await create({ name: "orders", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 2 });
    await heading(page, "orders").waitFor();
    const [orders] = await page
      .locator("#services article", { has: heading(page, "orders") })
      .allInnerTexts();
    expect(orders).toMatch(/8 to 32 GB per replica, up to 64 GB in total/);
    expect(await page.locator("#requests li").first().innerText()).toMatch(/200\s*POST/);

    await setFaults(
      { method: "GET", effect: { kind: "status", status: 503 } },
      { effect: { kind: "normalised" } },
    );
    await page.locator("#faults li", { hasText: "503" }).waitFor();
    await picture(page, "simulator");
    expect(complaints).toEqual([]);
  });

  test("requests are listed with resource names and changes, and can be filtered", async () => {
    const { page, call, organizationId, services, accessToken } = await openPage({ seed });
    const service = `${services}/${EXAMPLE.service}`;
    const pipe = `${service}/pipes/${EXAMPLE.pipes.kafka}`;
    const [add, remove] = [
      [{ source: "203.0.113.7" }, { source: "203.0.113.8" }],
      [{ source: "198.51.100.7" }],
    ];
    const rotation = { kafka: { credentials: { username: "u", password: "p" } } };
    const sent: [method: string, path: string, body: object | undefined, shown: string][] = [
      ["POST", services, { name: "orders", numReplicas: 2 }, "orders new service"],
      ["POST", services, {}, "My service new service"],
      ["PATCH", service, { ipAccessList: { add, remove } }, "Analytics ipAccessList +2 −1"],
      ["GET", service, undefined, "Analytics "],
      [
        "PATCH",
        pipe,
        { settings: { engine_max_threads: 3 }, source: rotation },
        "Analytics › orders settings.engine_max_threads: 3, source.kafka.credentials",
      ],
      ["GET", `${pipe}/settings`, undefined, "Analytics › orders settings"],
      ["PATCH", `/v1/organizations/${organizationId}`, { name: "Ours" }, "Ours name: Ours"],
      ["GET", service.replace(/0001$/, "9999"), undefined, "a1b2c3d4… "],
      ["GET", "/api/v2/alerts/alert-errors", undefined, "alert alert-errors "],
    ];
    for (const [method, path, body] of sent) {
      const headers = path.startsWith("/api") ? { authorization: `Bearer ${accessToken}` } : {};
      await call(method, path, body, headers);
    }
    const shown = async (count: string) => {
      await page.locator("#requests .count", { hasText: new RegExp(`^${count}$`) }).waitFor();
      const subjects = await page.locator("#requests .subject").allInnerTexts();
      const changes = await page.locator("#requests .changes").allInnerTexts();
      return subjects.map((subject, index) => `${subject} ${changes[index]}`).reverse();
    };
    expect(await shown("9")).toEqual(sent.map(([, , , text]) => text));
    // Secrets show only when they were set.
    expect(await page.locator("#pipes .card").first().innerText()).toMatch(
      /source\.kafka\.credentials\s+set 20\d\d-/,
    );

    const filter = page.locator("#requests").getByRole("searchbox");
    await filter.fill("orders");
    expect(await shown("3 of 9")).toEqual(
      [sent[0], sent[4], sent[5]].map((request) => request?.[3]),
    );
    await filter.fill("404");
    expect(await shown("1 of 9")).toEqual(["a1b2c3d4… "]);
    await call("GET", service.replace(/0001$/, "9998"));
    await filter.fill("get");
    await page.locator("#requests").getByRole("button", { name: "4xx" }).click();
    expect(await shown("2 of 10")).toEqual(["a1b2c3d4… ", "a1b2c3d4… "]);
    await page.locator("#requests summary").first().click();
    expect(await page.locator("#requests li").first().innerText()).toContain(
      `GET ${service.replace(/0001$/, "9998")}`,
    );
  });

  test("the page shows names as text, not as markup", async () => {
    const { page, services, call } = await openPage({ seed });
    const markup = `<img src=x onerror="document.title='owned'">`;
    await call("PATCH", services.replace("/services", ""), { name: markup });
    await call("PATCH", `${services}/${EXAMPLE.service}/pipes/${EXAMPLE.pipes.kafka}`, {
      name: markup,
    });
    await page.locator("#requests .subject", { hasText: `Analytics › ${markup}` }).waitFor();
    expect(await page.locator("#organization h3").first().innerText()).toBe(markup);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe("clouddb simulator");
  });

  test("faults can be added and removed with the keyboard alone", async () => {
    const { page, services, call, admin } = await openPage();
    const { keyboard } = page;
    await page.getByText("Add a fault").focus();
    for (const key of ["Enter", "Tab", "Tab", "P", "Tab"]) await keyboard.press(key);
    await keyboard.type("/services");
    await keyboard.press("Tab");
    await keyboard.type("5");
    await keyboard.press("Enter");
    await page.getByText("Added; the first matching rule applies.").waitFor();
    expect(await admin("faults")).toMatchObject({
      faults: [
        { method: "POST", path: "/services", times: 5, effect: { kind: "status", status: 503 } },
      ],
    });
    expect((await call("POST", services, {})).status).toBe(503);

    await page.getByRole("button", { name: "Remove: status" }).focus();
    await keyboard.press("Space");
    await page.getByText("No faults: requests are executed normally.").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Add a fault");
  });

  test("the rate limit and the clock can be set, and a refusal is shown", async () => {
    const { page, admin } = await openPage({ seed }, PHONE);
    const limit = form(page, "Rate limit");
    await limit.getByLabel("requests").fill("1");
    for (const [seconds, shown] of [
      ["0", "BAD_REQUEST: seconds"],
      ["60", "rate limit 1 in 60 s"],
    ] as const) {
      await limit.getByLabel("seconds").fill(seconds);
      await limit.getByRole("button").click();
      await page.getByText(shown).first().waitFor();
    }
    expect(await admin("rate-limit")).toEqual({ requests: 1, seconds: 60 });
    await page.getByRole("button", { name: "Remove: rate limit" }).click();
    await page.getByText("No faults: requests are executed normally.").waitFor();
    expect(await admin("rate-limit")).toEqual({});

    const clock = form(page, "Clock");
    await clock.getByLabel("advance by").fill("400");
    await clock.getByLabel("unit").selectOption("days");
    await clock.getByRole("button").click();
    await page.getByText("The clock is advanced.").waitFor();
    const { now } = await admin<{ now: string }>("clock");
    expect(Date.parse(now) - Date.now()).toBeGreaterThan(399 * 86_400_000);
  });

  test("a seed file, the example and a reset replace the objects only after a confirmation", async () => {
    const { page, create } = await openPage();
    const seeding = form(page, "Seed and reset");
    const load = async (text: string) => {
      const file = { name: "seed.json", mimeType: "application/json", buffer: Buffer.from(text) };
      await seeding.getByLabel("seed").setInputFiles(file);
      await seeding.getByRole("button", { name: "Load seed" }).click();
    };
    await create({ name: "first" });
    await load("{");
    await page.getByText("seed.json is not valid JSON").waitFor();
    await heading(page, "first").waitFor();
    await load(JSON.stringify({ organizations: [{ id: EXAMPLE.service, name: "From a file" }] }));
    await heading(page, "From a file").waitFor();
    await seeding.getByRole("button", { name: "Load example" }).click();
    await heading(page, "Analytics").waitFor();

    page.removeAllListeners("dialog");
    page.once("dialog", (dialog) => void dialog.dismiss());
    await seeding.getByRole("button", { name: "Reset" }).click();
    await page.getByText("Nothing has changed.").waitFor();
    page.once("dialog", (dialog) => void dialog.accept());
    await seeding.getByRole("button", { name: "Reset" }).click();
    await page.getByText("No services yet.").waitFor();
  });
});
