import { type Seed, startSimulator } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import { expectOk, newStack, simulated } from "../engine/support/stack";
import { inBrowser, opened, picture } from "./support/browser";

const seed = exampleSeed as unknown as Seed;
const ANALYTICS = "a1b2c3d4-0001-4a53-9c1e-000000000001";

inBrowser("the simulator's page", () => {
  test("shows all that the seed has, asks nobody else, and complains of nothing", async () => {
    const api = await simulated({ seed });
    const { page, complaints, asked } = await opened(api.page);
    const texts = (selector: string) => page.locator(selector).allInnerTexts();
    await page.getByText("live", { exact: true }).waitFor();

    expect(await texts("#organization")).toEqual([
      expect.stringMatching(/Example organization[\s\S]*vpce-0a1b2c3d4e5f60001 production network/),
    ]);
    expect(await texts(`#service-${ANALYTICS}`)).toEqual([
      expect.stringMatching(
        /Analytics[\s\S]*16 to 64 GB a replica, 192 GB at most in all[\s\S]*3 replicas[\s\S]*mysql/,
      ),
    ]);
    expect(await page.locator(`#service-${ANALYTICS} .block.used`).count()).toBe(3);
    expect(await texts("#pipes h3")).toHaveLength(4);
    expect(await texts("#alerts .card")).toEqual([expect.stringContaining("alert-errors")]);
    const tiles = seed.dashboards?.flatMap((dashboard) => (dashboard as { tiles?: object[] }).tiles ?? []) ?? [];
    expect(await page.locator(".tile").count()).toBe(tiles.length);
    expect(await texts(".tile li")).toContainEqual(expect.stringMatching(/^\w+\(.*\)/));

    expect(asked.filter((url) => !url.startsWith(api.page))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("puts tiles where their grid says", async () => {
    const tile = (name: string, x: number, y: number, w: number, h: number) => ({
      id: name,
      name,
      x,
      y,
      w,
      h,
      series: [],
    });
    const tiles = [tile("left", 0, 0, 6, 2), tile("right", 6, 0, 6, 2), tile("below", 0, 2, 12, 3)];
    const api = await simulated({ seed: { dashboards: [{ id: "d", name: "D", tiles } as { id: string }] } });
    const { page } = await opened(api.page);
    const box = async (name: string) => {
      const found = await page.locator(".tile", { hasText: name }).boundingBox();
      return found ?? { x: 0, y: 0, width: 0, height: 0 };
    };
    await page.locator(".tile").first().waitFor();
    const [left, right, below] = [await box("left"), await box("right"), await box("below")];
    expect(right.x).toBeGreaterThan(left.x + left.width);
    expect(right.y).toBe(left.y);
    expect(below.y).toBeGreaterThan(left.y + left.height);
    expect(below.width).toBeGreaterThan(left.width + right.width);
  });

  test("shows a service appear while pulumi up runs, and its requests and faults", async () => {
    const api = await simulated({ seed });
    const stack = await newStack(
      api,
      `new clouddb.Service("orders", {
        provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 2,
        ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
      });`,
    );
    await api.faults({ method: "POST", times: 1, effect: { kind: "latency", milliseconds: 200 } });
    const { page, complaints } = await opened(api.page);
    const orders = page.locator("#services article", {
      has: page.getByRole("heading", { name: "orders", exact: true }),
    });
    await page.locator("#faults", { hasText: "latency" }).waitFor();
    expect(await orders.count()).toBe(0);

    const up = expectOk(stack.up());
    await orders.waitFor();
    await up;
    expect(await orders.innerText()).toMatch(/8 to 32 GB a replica, 64 GB at most in all/);
    expect(await page.locator("#requests li").first().innerText()).toMatch(/200\s*POST/);

    await api.faults({ method: "GET", effect: { kind: "status", status: 503 } }, { effect: { kind: "normalised" } });
    await page.locator("#faults", { hasText: "503" }).waitFor();
    await picture(page, "simulator");
    expect(complaints).toEqual([]);
  });

  test("reads names as text, whatever they contain", async () => {
    const name = `<img src=x onerror="document.title='owned'"><b>bold</b>`;
    const api = await simulated({ seed: { organizations: [{ id: ANALYTICS, name }] } });
    const { page } = await opened(api.page);
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.locator("#organization h3").innerText()).toBe(name);
    expect(await page.title()).toBe("clouddb simulator");
  });

  test("works with the keyboard: sections, details, filter and pause", async () => {
    const api = await simulated({ seed });
    const { page } = await opened(api.page);
    await page.getByText("live", { exact: true }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the services");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.id")).toBe("filter");
    await page.keyboard.type("Analy");
    expect(await page.locator("#services article").count()).toBe(1);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.locator(`#service-${ANALYTICS} table`).innerText()).toContain("203.0.113.0/24");

    await page.getByRole("button", { name: "Pause" }).focus();
    await page.keyboard.press("Space");
    await fetch(`${api.baseUrl}/v1/nothing`);
    await page.locator("#requests .count", { hasText: "1" }).waitFor();
    expect(await page.locator("#requests li").count()).toBe(0);
    await page.keyboard.press("Space");
    expect(await page.locator("#requests li").count()).toBe(1);
  });

  test("fits a narrow window, in the dark too", async () => {
    const api = await simulated({ seed });
    const { page } = await opened(api.page, { width: 420, height: 800 });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(420);
    await picture(page, "simulator-narrow");
  });

  test("shows another world as soon as there is one", async () => {
    const api = await simulated({ seed });
    const { page } = await opened(api.page);
    await page.locator(`#service-${ANALYTICS}`).waitFor();
    await fetch(`${api.baseUrl}/__admin/seed`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ organizations: [{ id: ANALYTICS, name: "Another one" }] }),
    });
    await page.getByRole("heading", { name: "Another one" }).waitFor();
    expect(await page.locator("#services article").count()).toBe(0);
  });

  test("says that the simulator does not answer, and goes on when it does", async () => {
    const first = await startSimulator({ seed });
    const { page } = await opened(first.page);
    await page.getByText("live", { exact: true }).waitFor();
    await first.close();
    await page.getByText("the simulator does not answer").waitFor();
    await simulated({ port: Number(new URL(first.baseUrl).port) });
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.locator("#services article").count()).toBe(0);
  });
});
