import { request } from "node:http";
import { type Seed, startSimulator } from "../../../simulator/index";
import { apiOperations } from "../../../simulator/schema/api-operations";
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

  test.each([
    ["method=PATCH", 2],
    ["path=replicaScaling", 1],
    ["status=400", 1],
    ["status=2xx", 3],
    ["method=PATCH&status=2xx&path=replica", 0],
    ["since=2020-01-01T00:00:00Z&until=2999-01-01T00:00:00Z", 4],
    ["until=2020-01-01T00:00:00Z", 0],
  ])("finds and counts by %s", async (query, count) => {
    const { call, created } = await started();
    const path = await created();
    await call("GET", path);
    await call("PATCH", path, { name: "x" });
    await call("PATCH", `${path}/replicaScaling`, { numReplicas: 0 });
    const current = (await call("GET", `/__admin/requests?${query}`)).body as never as Found;
    expect([current.count, current.requests.length]).toEqual([count, count]);
  });

  test.each(["status=(", "status=200&status=400", "since=yesterday", "verb=GET"])(
    "rejects %s in a lookup",
    async (query) => {
      const { call } = await started();
      expect((await call("GET", `/__admin/requests?${query}`)).status).toBe(400);
    },
  );

  test("is streamed live, with state changes", async () => {
    const { baseUrl, create, call } = await started();
    const aborted = new AbortController();
    const response = await fetch(`${baseUrl}/__admin/events`, { signal: aborted.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader.read()).value ?? "";
    };
    await until("event: hello");
    await create({ name: "live", encryptionKey: "d1sk-key" });
    await until("event: request");
    expect(text).toMatch(/event: changed\ndata: .*"name":"live"/);
    expect(text).not.toContain("d1sk-key");
    await call("PUT", "/__admin/faults", { faults: [] });
    await until("event: steered");
    expect(text).toMatch(/^retry: \d+$/m);
    aborted.abort();
  });
});

describe("the journal's changes", () => {
  const lastChanges = async (call: Awaited<ReturnType<typeof started>>["call"]) =>
    ((await call("GET", "/__admin/requests")).body as never as Found).requests.at(-1)?.changes;

  test("contain the values before and after, and the entries that a list lost and gained", async () => {
    const { call, created } = await started();
    const path = await created({ name: "db", ipAccessList: [{ source: "203.0.113.7" }, { source: "203.0.113.8" }] });
    expect(await lastChanges(call)).toBeUndefined();
    await call("PATCH", path, {
      name: "other",
      ipAccessList: { remove: [{ source: "203.0.113.7" }], add: [{ source: "203.0.113.9" }] },
    });
    expect(await lastChanges(call)).toEqual({
      name: { before: "db", after: "other" },
      ipAccessList: {
        removed: [{ source: "203.0.113.7", description: "" }],
        added: [{ source: "203.0.113.9", description: "" }],
      },
    });
    await call("PATCH", path, { name: "other" });
    expect(await lastChanges(call)).toEqual({});
    const [one, other] = [
      { source: "203.0.113.8", description: "" },
      { source: "203.0.113.9", description: "" },
    ];
    await call("PATCH", path, { ipAccessList: { remove: [one], add: [one] } });
    expect(await lastChanges(call)).toEqual({ ipAccessList: { before: [one, other], after: [other, one] } });
    await call("PATCH", path, { name: 7 });
    expect(await lastChanges(call)).toBeUndefined();
  });

  test("name what changed inside a pipe, and an organization's values", async () => {
    const { call, services } = await started({ seed });
    const [service, pipe] = ["a1b2c3d4-0001-4a53-9c1e-000000000001", "b1b2c3d4-0001-4a53-9c1e-000000000001"];
    await call("PATCH", `${services}/${service}/pipes/${pipe}`, { settings: { engine_max_threads: 3 } });
    expect(await lastChanges(call)).toEqual({
      [`pipes.${pipe}.settings.engine_max_threads`]: { before: expect.any(Number), after: 3 },
      [`pipes.${pipe}.updatedAt`]: { before: expect.any(String), after: expect.any(String) },
    });
    const { organization } = /(?<organization>.*)\/services/.exec(services)?.groups ?? {};
    await call("PATCH", String(organization), { name: "Renamed" });
    expect(await lastChanges(call)).toEqual({ name: { before: "Example organization", after: "Renamed" } });
  });
});

describe("a fault rule", () => {
  type Faults = { faults: { id: string; enabled?: boolean; times?: number }[] };
  const faultsIn = ({ body }: { body: object }) => (body as Faults).faults;

  test("is added after the others, switched off and on, and removed", async () => {
    const { call, services } = await started();
    const status = async () => (await call("GET", `${services}/${NOBODY}`)).status;
    await call("PUT", "/__admin/faults", { faults: [{ method: "PATCH", effect: { kind: "malformed" } }] });
    const rule = { method: "GET", times: 3, effect: { kind: "status", status: 503, headers: { "x-token": "t" } } };
    const [first, added] = faultsIn(await call("POST", "/__admin/faults", rule));
    expect([first?.id, added?.id].every((id) => typeof id === "string" && id !== "")).toBe(true);
    expect(added).toMatchObject({ method: "GET", times: 3 });
    expect(await status()).toBe(503);

    const path = `/__admin/faults/${added?.id}`;
    expect(faultsIn(await call("PATCH", path, { enabled: false }))[1]).toMatchObject({ enabled: false, times: 2 });
    expect(await status()).toBe(404);
    await call("PATCH", path, { enabled: true });
    expect(await status()).toBe(503);
    expect(faultsIn(await call("DELETE", path))).toEqual([first]);
    expect(await status()).toBe(404);
  });

  test("can be put back as it was returned, and starts switched off if it says so", async () => {
    const { call, services } = await started({
      faults: [{ enabled: false, effect: { kind: "status", status: 503 } }],
    });
    expect((await call("GET", `${services}/${NOBODY}`)).status).toBe(404);
    const { body } = await call("GET", "/__admin/faults");
    expect(faultsIn(await call("PUT", "/__admin/faults", body))).toMatchObject([{ enabled: false }]);
  });

  test("that is not valid, used up or unknown is refused", async () => {
    const { call, services } = await started();
    expect((await call("POST", "/__admin/faults", { effect: { kind: "explode" } })).status).toBe(400);
    const [rule] = faultsIn(await call("POST", "/__admin/faults", { times: 1, effect: { kind: "normalised" } }));
    expect((await call("PATCH", `/__admin/faults/${rule?.id}`, { enabled: "no" })).status).toBe(400);
    await call("GET", `${services}/${NOBODY}`);
    const used = await call("PATCH", `/__admin/faults/${rule?.id}`, { enabled: false });
    expect([used.status, used.body.error]).toEqual([404, `NOT_FOUND: fault ${rule?.id} is not active`]);
    expect((await call("DELETE", "/__admin/faults/99")).status).toBe(404);
  });
});

describe("the admin API", () => {
  test("returns the current key and token, which no cache may keep", async () => {
    const { call, keyId, keySecret } = await started();
    await call("PUT", "/__admin/credentials", { accessToken: "other" });
    const response = await call("GET", "/__admin/credentials");
    expect(response.body).toEqual({ keyId, keySecret, accessToken: "other" });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

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

  test("rotates keys, and a reset restores the initial ones", async () => {
    const { call, create } = await started();
    await call("PUT", "/__admin/credentials", { keySecret: "other" });
    expect((await create()).status).toBe(401);
    await call("PUT", "/__admin/seed", {});
    expect((await create()).status).toBe(401);
    await call("POST", "/__admin/reset");
    expect((await create()).status).toBe(200);
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

  test("needs the API key under a name that is not this machine's, and is closed to other sites with it", async () => {
    const { baseUrl, keyId, keySecret } = await started();
    const { port } = new URL(baseUrl);
    const status = (headers: Record<string, string>) =>
      new Promise((resolve) => {
        const options = { port, path: "/__admin/state", headers };
        request(options, (response) => resolve(response.resume().statusCode)).end();
      });
    const withKey = (secret: string) => `Basic ${Buffer.from(`${keyId}:${secret}`).toString("base64")}`;
    const statuses = [];
    for (const headers of [
      { host: "attacker.example" },
      { host: "203.0.113.9", authorization: withKey("other") },
      { host: "clouddb", authorization: withKey(keySecret) },
      { host: "clouddb", authorization: withKey(keySecret), origin: "http://attacker.example" },
      { host: `LOCALHOST:${port}` },
    ]) {
      statuses.push(await status(headers));
    }
    expect(statuses).toEqual([401, 401, 200, 403, 200]);
  });

  test("ends its event streams at shutdown", async () => {
    const { baseUrl, close } = await started();
    const events = await fetch(`${baseUrl}/__admin/events`);
    await close();
    await expect(events.text()).rejects.toThrow();
  });
});

describe("the address", () => {
  test("is local by default", async () => {
    const { baseUrl } = await started();
    expect(new URL(baseUrl).hostname).toBe("127.0.0.1");
  });

  test("may be reachable from other machines only with explicit credentials", async () => {
    const open = { host: "0.0.0.0", keyId: "k", keySecret: "s" };
    await expect(startSimulator(open)).rejects.toThrow("--access-token");
    const { baseUrl, call } = await started({ ...open, accessToken: "t" });
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await call("GET", "/__admin/health")).status).toBe(200);
  });

  test("may be another loopback address without credentials", async () => {
    const { call } = await started({ host: "127.0.0.2" });
    expect((await call("GET", "/__admin/health")).status).toBe(200);
  });
});

test("the document that requests are validated with is served", async () => {
  const { call } = await started();
  const document = (await call("GET", "/openapi.json")).body as never as { paths: Record<string, object> };
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.keys(path).filter((key) => key !== "parameters"),
  );
  expect(operations).toHaveLength(apiOperations.length);
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
