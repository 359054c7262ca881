import { accessibilityViolations, inBrowser, picture } from "../../../support/browser";
import { EXAMPLE, exampleSeed as seed } from "../../../support/example";
import { DESKTOP, openPage, PHONE } from "./opened-page";

/** Elements that are cut off, or whose text is wider than they are. */
const CUT_OFF = `[...document.querySelectorAll("body *:not(input, .tile *)")]
  .filter((element) => element.checkVisibility() && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => !["visible", "auto"].includes(getComputedStyle(element).overflowX))
  .map((element) => element.outerHTML.slice(0, 80))`;

const VIEWS = [DESKTOP, PHONE].flatMap((viewport) =>
  (["light", "dark"] as const).map((scheme) => ({ viewport, scheme })),
);

const NOTHING = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";

/** A page with requests of several statuses and methods. */
async function withRequests() {
  const open = await openPage({ seed });
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

inBrowser("the page", () => {
  test("the page shows everything in the seed, without requests elsewhere and without errors", async () => {
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
    expect(await texts("#services .card")).toContainEqual(expect.stringMatching(/idleTimeoutMinutes\s+15/));
    expect(await texts("#pipes h3")).toHaveLength(4);
    expect(await texts("#alerts .card")).toEqual([expect.stringContaining("alert-errors")]);
    const tiles = seed.dashboards?.flatMap((dashboard) => dashboard.tiles ?? []) ?? [];
    expect(await page.locator(".tile").count()).toBe(tiles.length);
    expect(await texts(".tile li")).toContainEqual(expect.stringMatching(/^\w+\(.*\)/));

    expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
    expect(complaints).toEqual([]);
  });

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
        expect(await page.evaluate("document.querySelector('nav').scrollWidth")).toBeLessThanOrEqual(viewport.width);
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

  test("the page shows for each request the resource's name and what it changes", async () => {
    const { page, call, organizationId, services, accessToken } = await openPage({ seed });
    const organization = `/v1/organizations/${organizationId}`;
    const service = `${services}/${EXAMPLE.service}`;
    const pipe = `${service}/pipes/b1b2c3d4-0001-4a53-9c1e-000000000001`;
    const add = [{ source: "203.0.113.7" }, { source: "203.0.113.8" }];
    const remove = [{ source: "198.51.100.7" }];
    const told: [string, string, object | undefined, string][] = [
      ["POST", services, { name: "orders", numReplicas: 2 }, "orders new service"],
      ["POST", services, {}, "My service new service"],
      ["PATCH", service, { ipAccessList: { add, remove } }, "Analytics ipAccessList +2 −1"],
      ["PATCH", `${service}/replicaScaling`, { numReplicas: 5 }, "Analytics numReplicas: 5"],
      ["GET", service, undefined, "Analytics"],
      [
        "PATCH",
        pipe,
        { settings: { engine_max_threads: 3 }, source: { kafka: { credentials: { username: "u", password: "p" } } } },
        "Analytics › orders settings.engine_max_threads: 3, source.kafka.credentials",
      ],
      ["GET", `${pipe}/settings`, undefined, "Analytics › orders settings"],
      [
        "PATCH",
        organization,
        { privateEndpoints: { remove: [{ id: "vpce-1" }] } },
        "Example organization privateEndpoints −1",
      ],
      ["GET", `${services}/00000000-0000-4000-8000-000000000000`, undefined, "00000000…"],
      ["GET", "/api/v2/alerts/alert-errors", undefined, "alert alert-errors"],
      ["GET", "/v1/nothing", undefined, "/v1/nothing"],
    ];
    for (const [index, [method, path, body, says]] of told.entries()) {
      await call(method, path, body, path.startsWith("/api") ? { authorization: `Bearer ${accessToken}` } : {});
      await page.locator("#requests .count", { hasText: new RegExp(`^${index + 1}$`) }).waitFor();
      const words = await page.locator("#requests li").first().locator(".subject, .changes").allInnerTexts();
      expect(words.filter((text) => text !== "").join(" ")).toBe(says);
    }
    // Secrets show only when they were set.
    expect(await page.locator("#pipes .card").first().innerText()).toMatch(/source\.kafka\.credentials\s+set 20\d\d-/);
    // A reload keeps the list; an opened request shows its path.
    await page.reload();
    await page
      .locator("#requests li")
      .nth(told.length - 1)
      .waitFor();
    const patched = page.locator("#requests li", { hasText: "ipAccessList +2 −1" });
    await patched.locator("summary").click();
    expect(await patched.innerText()).toContain(`PATCH ${service}`);
  });

  test("the page shows a service appear as it is created, and its requests and faults", async () => {
    const { page, create, admin, complaints } = await openPage({ seed });
    const orders = page.locator("#services article", {
      has: page.getByRole("heading", { name: "orders", exact: true }),
    });
    expect(await orders.count()).toBe(0);
    await create({
      name: "orders",
      provider: "aws",
      region: "us-east-1",
      minReplicaMemoryGb: 8,
      maxReplicaMemoryGb: 32,
      numReplicas: 2,
      ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
    });
    await orders.waitFor();
    expect(await orders.innerText()).toMatch(/8 to 32 GB per replica, up to 64 GB in total/);
    expect(await page.locator("#requests li").first().innerText()).toMatch(/200\s*POST/);

    const faults = [{ method: "GET", effect: { kind: "status", status: 503 } }, { effect: { kind: "normalised" } }];
    await admin("faults", { faults });
    await page.locator("#faults li", { hasText: "503" }).waitFor();
    await picture(page, "simulator");
    expect(complaints).toEqual([]);
  });

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

  test("requests on the page show names as text, as the rest of the page does", async () => {
    const { page, services, call, rows } = await withRequests();
    const markup = `<img src=x onerror="document.title='owned'">`;
    const pipe = `${services}/${EXAMPLE.service}/pipes/${EXAMPLE.pipes.kafka}`;
    await call("PATCH", services.replace("/services", ""), { name: markup });
    await call("PATCH", pipe, { name: markup, settings: { engine_max_threads: 3 } });
    await rows.filter({ hasText: "engine_max_threads: 3" }).locator("summary").click();
    expect(await rows.first().locator(".subject").innerText()).toBe(`Analytics › ${markup}`);
    expect(await page.locator("#organization h3").first().innerText()).toBe(markup);
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe("clouddb simulator");
  });
});
