import { inBrowser, picture } from "../../../support/browser";
import { EXAMPLE, exampleSeed as seed } from "../../../support/example";
import { openPage } from "./opened-page";

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

  test("keeps tiles of any size and position on the page, in order", async () => {
    const sizes = [
      { x: 0, y: 0, w: 1e6, h: 1e6 },
      { x: 2.5, y: 1e9, w: 0.5, h: 2 },
      { x: -5, y: 2e9, w: -3, h: Number.MAX_VALUE },
      { x: 1e12, y: 3e9, w: 1, h: 1 },
    ];
    const tiles = sizes.map((size, index) => ({ id: `t${index}`, name: `tile ${index}`, ...size, series: [] }));
    const { page } = await openPage({ seed: { dashboards: [{ id: "d", name: "D", tiles } as { id: string }] } });
    await page.locator(".tile").first().waitFor();
    const boxes = await Promise.all(sizes.map((_, index) => page.locator(".tile").nth(index).boundingBox()));
    for (const [index, box] of boxes.entries()) {
      expect(box?.height).toBeGreaterThan(15);
      expect(box?.height).toBeLessThan(2000);
      expect(box?.y).toBeGreaterThan(boxes[index - 1]?.y ?? 0);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1440);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(5000);
  });

  test.each([1440, 390])("keeps requests and faults visible among 500 services, %i pixels wide", async (width) => {
    const services = Array.from({ length: 500 }, (_, index) => ({
      id: `a1b2c3d4-0001-4a53-9c1e-${String(index).padStart(12, "0")}`,
      create: { name: `service ${index}` },
    }));
    const faults = Array.from({ length: 20 }, () => ({
      method: "PATCH" as const,
      effect: { kind: "malformed" as const },
    }));
    const organizations = [{ id: EXAMPLE.service, services }];
    const { page, call } = await openPage({ seed: { organizations, faults } }, { width, height: 900 });
    for (let count = 0; count < 60; count += 1) await call("GET", "/v1/nothing");
    await page.locator("#requests li").first().waitFor();
    // In a wide window, they stay next to the scrolled content; otherwise, they come first.
    if (width === 1440) await page.mouse.wheel(0, 5000);
    if (width === 1440) await page.waitForFunction("scrollY > 1000");
    for (const selector of ["#faults li >> nth=0", "#requests li >> nth=0"]) {
      const box = await page.locator(selector).boundingBox();
      expect([selector, box && box.y >= 0 && box.y + box.height <= 900]).toEqual([selector, true]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });

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
});
