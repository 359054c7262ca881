import { request } from "node:http";
import type { Seed } from "../../../simulator/index";
import { apiOperations } from "../../../simulator/schema/api";
import { exampleSeed as seed } from "../../support/example";
import { started } from "./support/started";

const NOBODY = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
type Found = { count: number; requests: Record<string, unknown>[] };

describe("the journal", () => {
  test("contains requests without their secrets, and unknown paths, but no admin requests", async () => {
    const { call, create } = await started();
    await create({ encryptionKey: "d1sk-key" });
    await call("GET", "/v1/nothing");
    const current = (await call("GET", "/__admin/requests")).body as never as Found;
    expect(current.requests).toMatchObject([
      { method: "POST", body: { encryptionKey: "[secret]" }, status: 200, at: expect.stringMatching(/Z$/) },
      { method: "GET", path: "/v1/nothing", status: 404, requestId: expect.any(String) },
    ]);
  });
});

test("a list of fault rules that was read can be put back, and shows no secret", async () => {
  const { call, services } = await started();
  const effect = { kind: "status", status: 503, body: { password: "canary" } };
  const faults = [
    { method: "GET", times: 3, effect },
    { method: "PATCH", effect: { kind: "malformed" } },
  ];
  await call("PUT", "/__admin/faults", { faults });
  expect((await call("GET", `${services}/${NOBODY}`)).status).toBe(503);
  const { body } = await call("GET", "/__admin/faults");
  const shown = { ...effect, body: { password: "[secret]" } };
  expect(body).toEqual({ faults: [{ ...faults[0], times: 2, effect: shown }, faults[1]] });
  expect((await call("PUT", "/__admin/faults", body)).body).toEqual(body);
  expect((await call("GET", `${services}/${NOBODY}`)).body).toEqual({ password: "canary" });
});

describe("the admin API", () => {
  test("shows all objects without secrets", async () => {
    const { call, create } = await started({ seed });
    await create({ encryptionKey: "d1sk-key" });
    const { text } = await call("GET", "/__admin/state");
    expect(JSON.parse(text)).toMatchObject({
      organizations: [
        { name: "Example organization", services: [{ name: "Analytics", pipes: expect.any(Array) }, {}, {}] },
      ],
      alerts: [{ id: "alert-errors" }],
      faults: [],
    });
    expect(text).not.toContain("d1sk-key");
  });

  test("resets to the initial state or to another seed", async () => {
    const { call, created } = await started();
    const path = await created();
    expect((await call("PUT", "/__admin/seed", { organizations: "none" })).status).toBe(400);
    expect((await call("GET", path)).status).toBe(200);
    await call("PUT", "/__admin/seed", seed);
    expect((await call("GET", path)).status).toBe(404);
    expect((await call("GET", path.replace(/[^/]+$/, "a1b2c3d4-0001-4a53-9c1e-000000000001"))).status).toBe(200);
    await call("POST", "/__admin/reset");
    expect((await call("GET", path.replace(/[^/]+$/, "a1b2c3d4-0001-4a53-9c1e-000000000001"))).status).toBe(404);
  });

  test("moves the clock forward", async () => {
    const { call, create } = await started();
    await call("PUT", "/__admin/clock", { advanceSeconds: 86_400 });
    const { service } = (await create()).body.result as { service: { createdAt: string } };
    expect(Date.parse(service.createdAt)).toBeGreaterThan(Date.now() + 86_000_000);
    await call("POST", "/__admin/reset");
    const { now } = (await call("GET", "/__admin/clock")).body as { now?: string };
    expect(Date.parse(now ?? "")).toBeLessThan(Date.now() + 1000);
  });

  test("uses the clock's current time for a new seed", async () => {
    const now = () => Date.parse("2026-03-01T00:00:00Z");
    const organizations = [
      { id: NOBODY, services: [{ id: NOBODY, pipes: [{ id: NOBODY }] }] },
    ] as Seed["organizations"];
    const { call } = await started({ seed: { organizations } as Seed, now });
    const createdAt = async () => {
      const service = `/v1/organizations/${NOBODY}/services/${NOBODY}`;
      const responses = [await call("GET", service), await call("GET", `${service}/pipes/${NOBODY}`)];
      return responses.map(({ body }) => body.result?.createdAt);
    };
    for (const [method, path, body] of [
      ["POST", "/__admin/reset"],
      ["PUT", "/__admin/seed", { organizations }],
    ] as const) {
      await call("PUT", "/__admin/clock", { advanceSeconds: 86_400 });
      await call(method, path, body);
      expect(await createdAt()).toEqual(["2026-03-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"]);
    }
  });

  test.each(["cross-site", "same-site"])("is closed to pages of other sites: %s", async (site) => {
    const { call } = await started();
    const response = await call("GET", "/__admin/state", undefined, { "sec-fetch-site": site });
    expect([response.status, response.body.error]).toEqual([403, expect.stringMatching(/^FORBIDDEN: /)]);
  });

  test.each(["https://attacker.example", "null", "http://127.0.0.1:1", "nonsense"])(
    "is closed to pages of the origin %s, also without a fetch site header",
    async (origin) => {
      const { baseUrl, call, created } = await started();
      const path = await created();
      expect((await call("POST", "/__admin/reset", undefined, { origin })).status).toBe(403);
      expect((await call("GET", path)).status).toBe(200);
      expect((await call("POST", "/__admin/reset", undefined, { origin: baseUrl })).status).toBe(200);
    },
  );

  test("is closed under a name that is not this machine's, with the API key too", async () => {
    const { baseUrl, keyId, keySecret } = await started();
    const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`;
    const { port } = new URL(baseUrl);
    const status = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        const options = { port, path: "/__admin/state", headers };
        request(options, (response) => resolve(response.resume().statusCode)).end();
      });
    const statuses = [];
    for (const headers of [
      { host: "attacker.example" },
      { host: "203.0.113.9", authorization },
      { host: `127.0.0.1:${port}`, "x-forwarded-for": "203.0.113.7", authorization },
      { host: `LOCALHOST:${port}` },
    ]) {
      statuses.push(await status(headers));
    }
    expect(statuses).toEqual([403, 403, 403, 200]);
  });
});

test("the address is local", async () => {
  const { baseUrl } = await started();
  expect(new URL(baseUrl).hostname).toBe("127.0.0.1");
});

test("the document that requests are validated with is served", async () => {
  const { call } = await started();
  const document = (await call("GET", "/openapi.json")).body as never as { paths: Record<string, object> };
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.keys(path).filter((key) => key !== "parameters"),
  );
  expect(operations).toHaveLength(Object.keys(apiOperations).length);
});

test("the page is served with a strict content security policy", async () => {
  const { call } = await started();
  const page = await call("GET", "/");
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("<title>clouddb simulator</title>")]);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("a password is in one response and stored nowhere", async () => {
  const { create, call } = await started();
  const { password } = (await create()).body.result as { password: string };
  for (const path of ["/__admin/state", "/__admin/requests"]) {
    expect((await call("GET", path)).text).not.toContain(password);
  }
});

test("no path leads out of the page's folder", async () => {
  const { baseUrl } = await started();
  const status = await new Promise((resolve) => {
    const { port } = new URL(baseUrl);
    request({ port, path: "/..%2fpackage.json" }, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(404);
});
