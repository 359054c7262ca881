import { request } from "node:http";
import type { Seed } from "../../../simulator/index";
import { apiOperations } from "../../../simulator/schema/api";
import { EXAMPLE, exampleSeed as seed } from "../../support/example";
import { started } from "./support/started";

const NOBODY = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";

test("the journal contains requests without their secrets, and unknown paths, but no admin requests", async () => {
  const { call, create } = await started();
  const { password } = (await create({ encryptionKey: "d1sk-key" })).body.result as { password: string };
  await call("GET", "/v1/nothing");
  const { body, text } = await call("GET", "/__admin/requests");
  expect((body as { requests?: object[] }).requests).toMatchObject([
    { method: "POST", body: { encryptionKey: "[secret]" }, status: 200, at: expect.stringMatching(/Z$/) },
    { method: "GET", path: "/v1/nothing", status: 404, requestId: expect.any(String) },
  ]);
  expect(text).not.toContain(password);
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
  test("the admin API shows all objects without secrets", async () => {
    const { call, create } = await started({ seed });
    const { password } = (await create({ encryptionKey: "d1sk-key" })).body.result as { password: string };
    const { text } = await call("GET", "/__admin/state");
    expect(JSON.parse(text)).toMatchObject({
      organizations: [
        { name: "Example organization", services: [{ name: "Analytics", pipes: expect.any(Array) }, {}, {}] },
        { name: "Second organization", services: [] },
      ],
      alerts: [{ id: "alert-errors" }],
      faults: [],
    });
    for (const secret of ["d1sk-key", password]) expect(text).not.toContain(secret);
  });

  test("the admin API shows when a secret of a pipe was set, which no response shows", async () => {
    const { call, services } = await started({ seed });
    const path = `${services}/${EXAMPLE.service}/pipes/${EXAMPLE.pipes.kafka}`;
    const rotate = (password: string) =>
      call("PATCH", path, { source: { kafka: { credentials: { username: "loader", password } } } });
    const writeOnly = async () => {
      const { text } = await call("GET", "/__admin/state");
      expect(text).not.toMatch(/canary/);
      return JSON.parse(text).organizations[0].services.flatMap(({ pipes }: { pipes: { writeOnly?: object[] }[] }) =>
        pipes.flatMap((pipe) => pipe.writeOnly ?? []),
      );
    };
    expect(await writeOnly()).toEqual([]);
    for (const [password, advanceSeconds] of [
      ["canary-1", 0],
      ["canary-2", 3600],
    ] as const) {
      await call("PUT", "/__admin/clock", { advanceSeconds });
      const { now } = (await call("GET", "/__admin/clock")).body as { now: string };
      expect((await rotate(password)).text).not.toMatch(/canary|writeOnly/);
      const set = await writeOnly();
      expect(set).toEqual([{ field: "source.kafka.credentials", setAt: expect.any(String) }]);
      expect(Date.parse(set[0].setAt) - Date.parse(now)).toBeLessThan(60_000);
      expect(set[0].setAt >= now).toBe(true);
    }
    expect((await call("GET", path)).text).not.toMatch(/writeOnly/);
  });

  test("the admin API resets to the initial state or to another seed", async () => {
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

  test("the admin API moves the clock forward", async () => {
    const { call, create } = await started();
    await call("PUT", "/__admin/clock", { advanceSeconds: 86_400 });
    const { service } = (await create()).body.result as { service: { createdAt: string } };
    expect(Date.parse(service.createdAt)).toBeGreaterThan(Date.now() + 86_000_000);
    await call("POST", "/__admin/reset");
    const { now } = (await call("GET", "/__admin/clock")).body as { now?: string };
    expect(Date.parse(now ?? "")).toBeLessThan(Date.now() + 1000);
  });

  test("the admin API uses the clock's current time for a new seed", async () => {
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

  test("the admin API is closed to pages of other sites, and under names of other machines, with the API key too", async () => {
    const { baseUrl, keyId, keySecret, call, created } = await started();
    const { hostname, port } = new URL(baseUrl);
    expect(hostname).toBe("127.0.0.1");
    const path = await created();
    const reset = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        const options = { port, method: "POST", path: "/__admin/reset", auth: `${keyId}:${keySecret}`, headers };
        request(options, (response) => resolve(response.resume().statusCode)).end();
      });
    for (const headers of [
      { "sec-fetch-site": "cross-site" },
      { origin: "https://attacker.example" },
      { host: "attacker.example" },
      { "x-forwarded-for": "203.0.113.7" },
    ]) {
      expect([headers, await reset(headers as Record<string, string>)]).toEqual([headers, 403]);
    }
    const refused = await call("GET", "/__admin/state", undefined, { "sec-fetch-site": "same-site" });
    expect(refused.body.error).toMatch(/^FORBIDDEN: /);
    expect((await call("GET", path)).status).toBe(200);
    for (const headers of [{ host: `LOCALHOST:${port}` }, { host: `127.0.0.1:${port}`, origin: baseUrl }]) {
      expect([headers, await reset(headers as Record<string, string>)]).toEqual([headers, 200]);
    }
  });
});

test("the document that requests are validated with is served", async () => {
  const { call } = await started();
  const document = (await call("GET", "/openapi.json")).body as never as { paths: Record<string, object> };
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.keys(path).filter((key) => key !== "parameters"),
  );
  expect(operations).toHaveLength(Object.keys(apiOperations).length);
});

test("the page is served with a strict content security policy, and nothing outside of its folder", async () => {
  const { call } = await started();
  expect((await call("GET", "/..%2fpackage.json")).status).toBe(404);
  const page = await call("GET", "/");
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("<title>clouddb simulator</title>")]);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});
